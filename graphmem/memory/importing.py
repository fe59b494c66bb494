"""An import: rows become what is said of one or several projects, and what is gone is marked."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from graphmem import project as projects
from graphmem import read, text, transfer
from graphmem.graph import Graph
from graphmem.memory.remembering import Said
from graphmem.model import Entity, Item, Relation, Report
from graphmem.progress import Progress
from graphmem.write import Ends, SaidNow, Writing, remove_unsaid

Write = Callable[[Said, Writing], Report]


def imported(
    graph: Graph, write: Write, form: str, path: Path, how: Writing, *, progress: Progress
) -> Report:
    """Read a path in a format and write what it says, project by project.

    Args:
        graph: The store.
        write: Writes what is said of one project.
        form: A name of `transfer.FORMATS`.
        path: A file or folder.
        how: The project of rows that name none, and whether anything is kept.
        progress: Hears of the reading.

    Raises:
        InvalidInput: There is no such format or path, or a row names a project that is not allowed.
    """
    chosen = transfer.chosen(form)
    rows: dict[str, list[transfer.Row]] = {how.project: []}
    for row in chosen.read(path, progress):
        rows.setdefault(row.project or how.project, []).append(row)
    mark = f"{form}:{projects.place(path)}" if chosen.whole else None
    items: list[Item] = []
    notes: dict[str, None] = {}
    for project, own in rows.items():
        there = replace(how, project=projects.check_project_name(project), imported=mark)
        said, places = Said.sourced(own)
        report = write(said, there)
        placed = zip(report.items, places, strict=True)
        items += [replace(item, place=place) for item, place in placed]
        notes |= dict.fromkeys(report.notes)
        if mark is not None:
            items += remove_unsaid(graph, there, _said_now(graph, project, own))
    return Report(how.project, tuple(items), dry_run=how.dry_run, notes=tuple(notes))


def _said_now(graph: Graph, project: str, rows: Sequence[transfer.Row]) -> SaidNow:
    """What these rows say; a refused row keeps what was said earlier of its file."""
    entities = [row.value for row in rows if isinstance(row.value, Entity)]
    relations = [row.value for row in rows if isinstance(row.value, Relation)]
    names = [name for one in relations for name in (one.start, one.end)]
    found = read.resolve(graph, project, names) if names else {}
    unread = {row.file for row in rows if isinstance(row.value, Item)}
    ends: set[Ends] = set()
    for one in relations:
        start, end = found[one.start].key, found[one.end].key
        if start is not None and end is not None:
            ends.add(Ends(start, end, one.relation))
    return SaidNow(
        keys={text.key(project, one.name) for one in entities},
        ends=ends,
        unread={*unread, None} if unread else unread,
    )
