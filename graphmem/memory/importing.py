"""An import: rows become what is said of one or several projects, and what is gone is marked."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from graphmem import project as projects
from graphmem import read, text, transfer
from graphmem.graph import Graph
from graphmem.memory.access import Access
from graphmem.memory.mentioning import Stored, mentioning, stored
from graphmem.memory.remembering import Said
from graphmem.model import Entity, Item, Relation, Report
from graphmem.progress import Progress
from graphmem.write import Ends, SaidNow, Writing, remove_unsaid

Write = Callable[[Said, Writing], Report]


def imported(
    graph: Graph,
    write: Write,
    form: str,
    path: Path,
    how: Writing,
    *,
    access: Access,
    mentions: bool | None,
    progress: Progress,
) -> Report:
    """Read a path in a format and write what it says, project by project.

    Args:
        graph: The store.
        write: Writes what is said of one project.
        form: A name of `transfer.FORMATS`.
        path: A file or folder.
        how: The project of rows that name none, and whether anything is kept.
        access: The layers that may be written; rows of others are refused.
        mentions: Whether texts are linked to what they name; None for what the format says.
        progress: Hears of the reading.

    Raises:
        InvalidInput: There is no such format or path, or a row names a project that is not allowed.
    """
    chosen = transfer.chosen(form)
    rows: dict[str, list[transfer.Row]] = {
        name: [] for name in (how.project, *access.writable_layers(chosen.layers))
    }
    for row in map(access.checked_row, chosen.read(path, progress)):
        rows.setdefault(projects.meant(row.project or how.project, how.project), []).append(row)
    unread = {row.file for own in rows.values() for row in own if isinstance(row.value, Item)}
    items: list[Item] = []
    notes: dict[str, None] = {}
    links = chosen.mentions if mentions is None else mentions
    for project, own in rows.items():
        mark = f"{form}:{projects.place(path)}" if chosen.whole else None
        if mark is not None and project != how.project:  # a layer hears of many projects' folders
            mark = f"{mark} of {how.project}"
        named = projects.check_project_name(project)
        there = replace(how, project=named, imported=mark, lowers=chosen.lowers)
        if links:
            others = _staying(graph, there, own, unread)
            own += list(mentioning(project, own, others, progress=progress))
        said, places = Said.sourced(own)
        report = write(said, there)
        placed = zip(report.items, places, strict=True)
        items += [replace(item, place=place) for item, place in placed]
        notes |= dict.fromkeys(report.notes)
        remade = links or mentions is not None
        if mark is not None or remade:
            now = _said_now(graph, project, own, unread, remade=remade)
            items += remove_unsaid(graph, there, now)
    return Report(how.project, tuple(items), dry_run=how.dry_run, notes=tuple(notes))


def _said_now(
    graph: Graph, project: str, rows: Sequence[transfer.Row], unread: set[str], *, remade: bool
) -> SaidNow:
    """What these rows say; a refused row keeps what was said earlier of its file."""
    entities = [row.value for row in rows if isinstance(row.value, Entity)]
    relations = [row.value for row in rows if isinstance(row.value, Relation)]
    names = [name for one in relations for name in (one.start, one.end)]
    found = read.resolve(graph, project, names) if names else {}
    ends: set[Ends] = set()
    for one in relations:
        start, end = found[one.start].key, found[one.end].key
        if start is not None and end is not None:
            ends.add(Ends(start, end, one.relation))
    keys = {text.key(project, one.name) for one in entities}
    return SaidNow(
        keys=keys,
        ends=ends,
        texts=keys if remade else (),
        unread=_untouched(unread),
    )


def _untouched(unread: set[str]) -> set[str | None]:
    """The sources whose entities stay: files not read, and where there are some, no file."""
    return {*unread, None} if unread else set()


def _staying(
    graph: Graph, there: Writing, rows: Sequence[transfer.Row], unread: set[str]
) -> list[Stored]:
    """The living entities of the project but those that this import will find gone."""
    said = {
        text.key(there.project, one.value.name) for one in rows if isinstance(one.value, Entity)
    }
    return [
        one
        for one in stored(graph, there.project)
        if there.imported is None
        or one.imported != there.imported
        or one.key in said
        or one.source in _untouched(unread)
    ]
