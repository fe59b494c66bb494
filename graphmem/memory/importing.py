"""An import: rows are read, embedded and written batch by batch, and what is gone is taken back.

Nothing grows with the size of what is read but a digest for each entity and relation: texts pass
through, relations whose ends come later wait on disk.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from graphmem import project as projects
from graphmem import transfer
from graphmem.embedding import Embedder
from graphmem.errors import DatabaseError
from graphmem.graph import Graph
from graphmem.memory.access import Access
from graphmem.memory.collecting import Collected, Unread
from graphmem.memory.importing_project import ImportOptions, ProjectImport
from graphmem.model import Entity, Item, PartialWrite, Report
from graphmem.model.report import Sort  # noqa: TC001 - used at run time
from graphmem.progress import Progress
from graphmem.write import Writing, size_of

# Rows that are taken together, and bytes of their texts.
ROWS = 500
BYTES = 8 * 1024 * 1024
# The format in which a whole store is exported.
EXPORTED = "jsonl"


def import_path(
    graph: Graph,
    embedder: Embedder | None,
    form: str,
    path: Path,
    how: Writing,
    *,
    access: Access,
    options: ImportOptions,
    progress: Progress,
) -> Report:
    """Read a path in a format and write what it says, project by project.

    Args:
        graph: The store.
        embedder: Makes the embeddings; without one the passages wait for it.
        form: A name of `transfer.FORMATS`.
        path: A file or folder.
        how: The project of rows that name none, and whether anything is kept.
        access: The layers that may be written; rows of others are refused.
        options: Whether texts are linked, and how much may be removed.
        progress: Hears of the reading, embedding and writing.

    Raises:
        InvalidInput: There is no such format or path, or a row names a project that is not allowed.
        PartialWrite: The database failed after some batches were written.
        DatabaseError: It failed before anything was written.
    """
    chosen = transfer.chosen(form)
    collected = Collected(how.project, dry_run=how.dry_run)
    unread = Unread()
    author = f"{form}:{projects.place(path)}"
    with ExitStack() as stack:
        parts: dict[str, ProjectImport] = {}

        def part_of(name: str) -> ProjectImport:
            if name not in parts:
                own = replace(
                    how,
                    project=projects.check_project_name(name),
                    # A layer hears of many projects' folders.
                    author=author if name == how.project else f"{author} of {how.project}",
                    lowers=chosen.lowers,
                )
                made = ProjectImport(graph, embedder, chosen, own, collected, options, progress)
                parts[name] = stack.enter_context(made)
            return parts[name]

        try:
            for name in (how.project, *access.writable_layers(chosen.layers)):
                part_of(name)
            for rows in _batches(chosen.read(path, progress)):
                by_project: dict[str, list[tuple[int, transfer.Row]]] = {}
                for index, read in rows:
                    own = read if form != EXPORTED or options.everything else _own(read)
                    row = access.checked_row(own)
                    if isinstance(row.value, Item):
                        unread.add(row.file)
                        collected.add(index, replace(row.value, place=row.place))
                    else:
                        name = projects.meant(row.project or how.project, how.project)
                        by_project.setdefault(name, []).append((index, row))
                for name, own_rows in by_project.items():
                    part_of(name).add(own_rows)
            for part in parts.values():
                part.finish(unread)
        except DatabaseError as error:
            if collected.report().changes:
                raise PartialWrite(collected.report(), error) from error
            raise
    return collected.report()


def _own(row: transfer.Row) -> transfer.Row:
    """A row, or its refusal where it is one of an export of all projects."""
    if row.project is None or isinstance(row.value, Item):
        return row
    what: Sort = "entity" if isinstance(row.value, Entity) else "relation"
    reason = f"the line belongs to {row.project}; --all imports every line into its own project"
    return transfer.Row(row.place, Item(what, row.place, "refused", reason))


def _batches(rows: Iterator[transfer.Row]) -> Iterator[list[tuple[int, transfer.Row]]]:
    batch: list[tuple[int, transfer.Row]] = []
    size = 0
    for index, row in enumerate(rows):
        batch.append((index, row))
        size += size_of(row.value) if isinstance(row.value, Entity) else 0
        if len(batch) == ROWS or size > BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
