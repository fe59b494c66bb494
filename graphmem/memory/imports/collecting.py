"""Collects what an import reports."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from graphmem import text
from graphmem.errors import quantity, shortened
from graphmem.model import Item, Relation, Report
from graphmem.model.report import ItemSort, Outcome  # noqa: TC001 - used at run time
from graphmem.read import Resolved
from graphmem.transfer import Row
from graphmem.write import Removed

# Items of a report beside those that were refused or removed, and of each of these two.
MOST_ITEMS = 10_000
MOST_NOTABLE_ITEMS = 100_000
# Names that a note gives, of missing ends of links or of files.
NAMES_SHOWN = 5
_NOTABLE = frozenset({"refused", "removed"})


class Collected:
    """The items of an import's report; of a large import only those that matter.

    Args:
        project: The project imported into.
        dry_run: Whether nothing was written.
    """

    def __init__(self, project: str, *, dry_run: bool) -> None:
        self._project = project
        self._dry_run = dry_run
        self._items: list[tuple[int, Item]] = []
        self._omitted: Counter[tuple[ItemSort, Outcome]] = Counter()
        # By their outcome if that is notable, else together.
        self._kept: Counter[Outcome | None] = Counter()
        self._notes: dict[str, None] = {}
        self._withheld = 0
        self._missing_links = 0
        # By their folded form, the names that come first.
        self._missing: dict[str, str] = {}
        # Relations to what sources no longer have.
        self._to_gone: list[str] = []
        # By the reason, the files and folders that were left out.
        self._left_out: dict[str, list[str]] = {}
        self._projects: set[str] = set()
        self._last = 0

    def add(self, index: int, item: Item) -> None:
        """Take an item at its place in the order of the rows."""
        self._last = max(self._last, index)
        group = item.outcome if item.outcome in _NOTABLE else None
        if self._kept[group] >= (MOST_ITEMS if group is None else MOST_NOTABLE_ITEMS):
            self._omitted[item.what, item.outcome] += 1
            return
        self._kept[group] += 1
        self._items.append((index, item))

    def add_relation(
        self, index: int, row: Row, item: Item, ends_of: Mapping[str, Resolved]
    ) -> None:
        """Take what became of a relation; one that may lead nowhere, and does, is only counted.

        One that leads to what the import takes back is counted as well, and stays. Of any other
        relation that leads there a note says so.

        Args:
            index: Its place in the order of the rows.
            row: The row of the relation.
            item: What became of it.
            ends_of: What the names at its ends lead to.
        """
        if row.may_lead_nowhere and isinstance(row.value, Relation):
            start, end = ends_of[row.value.start], ends_of[row.value.end]
            if start.key is not None and (end.goes or not end.leads_somewhere):
                self._missing_links += 1
                if len(self._missing) <= NAMES_SHOWN:
                    self._missing.setdefault(text.normalised(row.value.end), row.value.end)
                if not end.goes:
                    return
        elif isinstance(row.value, Relation) and ends_of[row.value.end].goes:
            self._to_gone.append(item.name)
        self.add(index, replace(item, place=row.place))

    def leave_out(self, file: str, reason: str) -> None:
        """Take a file or folder that is not imported, and nothing is wrong with that."""
        self._left_out.setdefault(reason, []).append(file)

    def belongs_to(self, project: str) -> None:
        """Take a project that rows belong to."""
        self._projects.add(project)

    def next_index(self) -> int:
        """A place behind all others so far."""
        self._last += 1
        return self._last

    def append(self, items: Iterable[Item]) -> None:
        """Take items that stand behind all others."""
        for item in items:
            self.add(self.next_index(), item)

    def note(self, sentence: str) -> None:
        """Take a sentence for the caller."""
        self._notes[sentence] = None

    def take_back(self, removal: Removed) -> None:
        """Take what became of entities and relations that the source no longer has."""
        self.append(removal.items)
        if removal.withheld:
            self._withheld += removal.withheld
            self.note(
                f"{removal.withheld:,} of the {removal.brought:,} entities that earlier imports "
                "brought in are no longer in the source, so none was removed. Check the path; if "
                "it is right, run the import again with --allow-removals"
            )
        if removal.unread:
            entities = quantity(removal.unread, "entity", "entities")
            self.note(
                f"{entities} that the source may no longer have stayed, since a part of it could "
                "not be read. Correct what was refused and import it again"
            )
        if removal.moved:
            names = [f"{shortened(old)} is {shortened(new)}" for old, new in removal.moved]
            have_moved = quantity(
                len(names),
                "entity that people or agents wrote about has",
                "entities that people or agents wrote about have",
            )
            self.note(
                f"{have_moved} another name in the source, which has what they wrote now: "
                f"{_first(names)}"
            )
        if removal.hidden:
            are_hidden = quantity(
                len(removal.hidden),
                "relation that people or agents wrote is",
                "relations that people or agents wrote are",
            )
            advice = (
                "Where that has another name now, the import may carry them over"
                if self._dry_run
                else "Where that has another name now, `graphmem merge OLD NEW` shows them again"
            )
            self.note(
                f"{are_hidden} hidden with what is gone from the source: "
                f"{_listed(removal.hidden)}. {advice}"
            )

    def report(self) -> Report:
        """The report: entities first, each sort in the order of the rows."""
        ordered = sorted(self._items, key=lambda pair: (pair[1].what != "entity", pair[0]))
        return Report(
            self._project,
            tuple(item for _, item in ordered),
            dry_run=self._dry_run,
            notes=(
                *self._projects_note(),
                *self._notes,
                *self._left_out_notes(),
                *self._missing_note(),
                *self._gone_note(),
            ),
            omitted_counts=dict(self._omitted),
            withheld=self._withheld,
        )

    def _projects_note(self) -> list[str]:
        """The projects that rows belong to, unless it is only the one imported into."""
        if self._projects <= {self._project}:
            return []
        projects = sorted(self._projects)
        if len(projects) == 1:
            return [f"all that was read belongs to the project {shortened(projects[0])}"]
        return [f"what was read belongs to {len(projects):,} projects: {_listed(projects)}"]

    def _left_out_notes(self) -> Iterator[str]:
        for reason, files in self._left_out.items():
            folders = sum(file.endswith("/") for file in files)
            noun = "file" if not folders else "folder" if folders == len(files) else "path"
            count = f"1 {noun} was" if len(files) == 1 else f"{len(files):,} {noun}s were"
            yield f"{count} left out as {reason}: {_listed(files)}"

    def _missing_note(self) -> list[str]:
        if not self._missing:
            return []
        shown = _listed([*self._missing.values()])
        if self._missing_links == 1:
            return [f"1 link leads to a note that does not exist: {shown}"]
        return [f"{self._missing_links:,} links lead to notes that do not exist: {shown}"]

    def _gone_note(self) -> list[str]:
        if not self._to_gone:
            return []
        lead = quantity(len(self._to_gone), "relation leads", "relations lead")
        named = _first(self._to_gone)
        end = "to what is gone from its source, and searches leave it out"
        return [f"{lead} {end}: {named}. Where it has another name now, write that"]


def _listed(names: Sequence[str]) -> str:
    return _first([shortened(name) for name in names[: NAMES_SHOWN + 1]])


def _first(words: Sequence[str]) -> str:
    shown = ", ".join(words[:NAMES_SHOWN])
    return f"{shown}, …" if words[NAMES_SHOWN:] else shown
