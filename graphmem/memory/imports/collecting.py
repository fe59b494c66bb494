"""What an import reports, and what it did not read."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from graphmem.model import Item, Report
from graphmem.model.report import Outcome, Sort  # noqa: TC001 - used at run time

# Items of a report beside those that were refused or removed.
KEPT = 10_000
_ALWAYS_KEPT = frozenset({"refused", "removed"})


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
        self._omitted: Counter[tuple[Sort, Outcome]] = Counter()
        self._kept = 0
        self._notes: dict[str, None] = {}
        self._withheld = 0
        self._last = 0

    def add(self, index: int, item: Item) -> None:
        """Take an item at its place in the order of the rows."""
        self._last = max(self._last, index)
        if item.outcome not in _ALWAYS_KEPT:
            if self._kept >= KEPT:
                self._omitted[item.what, item.outcome] += 1
                return
            self._kept += 1
        self._items.append((index, item))

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

    def withhold(self, count: int, brought: int) -> None:
        """Note that entities were not taken back because they were too many."""
        self._withheld += count
        self._notes[
            f"{count:,} of the {brought:,} entities that earlier imports brought in are no longer "
            "in the source, so none was removed. Check the path; if it is right, "
            "run the import again with --allow-removals"
        ] = None

    def report(self) -> Report:
        """The report: entities first, each sort in the order of the rows."""
        ordered = sorted(self._items, key=lambda pair: (pair[1].what != "entity", pair[0]))
        return Report(
            self._project,
            tuple(item for _, item in ordered),
            dry_run=self._dry_run,
            notes=tuple(self._notes),
            omitted_counts=dict(self._omitted),
            withheld=self._withheld,
        )


class Unread:
    """The files and folders that an import could not read, whose earlier content stays.

    Where anything was not read, entities without a source stay as well.
    """

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def add(self, place: str) -> None:
        """Note a file, or a folder, whose place ends in `/`."""
        folded = _folded(place)
        (self._folders if folded.endswith("/") else self._files).add(folded)

    def covers(self, source: str | None) -> bool:
        """Whether what came from a source may still be there."""
        if source is None:
            return bool(self._files or self._folders)
        source = _folded(source)
        if source in self._files or "/" in self._folders or "./" in self._folders:
            return True
        parent_folders = (source[: i + 1] for i, mark in enumerate(source) if mark == "/")
        return not self._folders.isdisjoint(parent_folders)


def _folded(place: str) -> str:
    """A place as an entity's source is stored, which is a label."""
    return " ".join(unicodedata.normalize("NFKC", place).split())
