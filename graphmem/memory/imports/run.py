"""An import: rows are read and written in batches; what the source no longer has is taken back.

Memory grows only by a digest for each entity and relation: texts are not kept there, and relations
whose ends come later wait on disk.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self

from graphmem import project as projects
from graphmem import transfer
from graphmem.batches import batches
from graphmem.embedding import DocumentEmbedder
from graphmem.errors import ConfigurationError, DatabaseError, InvalidInput
from graphmem.graph import Graph
from graphmem.importing.opening import place
from graphmem.memory.access import Access
from graphmem.memory.imports.attribute_columns import AttributeColumns
from graphmem.memory.imports.collecting import Collected
from graphmem.memory.imports.one_project import OneProject, without_projects
from graphmem.memory.imports.options import ImportOptions
from graphmem.memory.imports.project import ProjectImport
from graphmem.memory.imports.unread import Unread
from graphmem.model import Entity, Item, PartialWrite, Report
from graphmem.progress import Progress
from graphmem.write import Held, WriteOptions, size_of
from graphmem.write.pipeline import AHEAD_BYTES

# Rows that are taken together, and bytes of their texts.
ROWS = 500
BYTES = 8 * 1024 * 1024
# Of projects that come one after the other, what may wait to be written, and how many of them.
MOST_WAITING = Held(4096, 2 * AHEAD_BYTES)
MOST_WAITING_PROJECTS = 64


def import_path(
    graph: Graph,
    embedder: DocumentEmbedder | None,
    format_name: str,
    path: Path,
    write_options: WriteOptions,
    *,
    access: Access,
    options: ImportOptions,
    progress: Progress,
) -> Report:
    """Read a path in a format and write what it says, project by project.

    Args:
        graph: The store.
        embedder: Makes the embeddings; without one the passages wait for it.
        format_name: A name of `transfer.FORMATS`.
        path: A file or folder.
        write_options: The project of rows that name none, and whether anything is kept.
        access: The layers that may be written; rows of others are refused.
        options: Whether texts are linked, and how much may be removed.
        progress: Receives the progress of the reading, embedding and writing.

    Raises:
        InvalidInput: There is no such format or path, or a row names a project that is not allowed.
        PartialWrite: The database failed after some batches were written.
        DatabaseError: It failed before anything was written.
    """
    source_format = transfer.chosen(format_name)
    rows = source_format.read(path, progress)
    for option in ("everything", "history"):
        if format_name != transfer.EXPORT_FORMAT and getattr(options, option):
            raise InvalidInput(
                option, format_name, f"is for the format {transfer.EXPORT_FORMAT} alone"
            )
    if options.everything and options.history:
        raise InvalidInput("history", True, "cannot be combined with everything")  # noqa: FBT003 - its value
    columns = AttributeColumns()
    rows = _as_meant(rows, format_name, write_options.project, options, columns)
    collected = Collected(write_options.project, dry_run=write_options.dry_run)
    author = f"{format_name}:{place([projects.place(path)])}"
    make = partial(
        ProjectImport, graph, embedder, source_format,
        collected=collected, options=options, progress=progress,
    )  # fmt: skip
    with _ProjectImports(
        make,
        replace(
            write_options, author=author, may_lower_confidence=source_format.may_lower_confidence
        ),
        repository=repository_around(path),
    ) as project_imports:
        for name in (write_options.project, *access.writable_layers(source_format.layers)):
            project_imports.of(name)
        try:
            if not _write(map(access.checked_row, rows), project_imports, collected):
                collected.note(f"{path} holds nothing that is read as {format_name}")
        except DatabaseError as error:
            if collected.report().changes and not write_options.dry_run:
                raise PartialWrite(collected.report(), error) from error
            raise
    columns.say(collected)
    return collected.report()


def _as_meant(
    rows: Iterator[transfer.Row],
    format_name: str,
    own_project: str,
    options: ImportOptions,
    columns: AttributeColumns,
) -> Iterator[transfer.Row]:
    """The rows of a format, of the projects that they mean."""
    if format_name == transfer.EXPORT_FORMAT and not options.everything:
        rows = map(OneProject(own_project) if options.history else without_projects, rows)
    if transfer.chosen(format_name).has_short_projects:
        rows = map(partial(_with_whole_project, own_project=own_project), rows)
    return columns.watched(rows) if format_name == transfer.TABLE_FORMAT else rows


def repository_around(path: Path) -> str | None:
    """The project of the repository around a file or folder; None without a readable one."""
    try:
        project = projects.detect(path)
    except ConfigurationError:
        return None
    return None if project.source == "folder" else project.name


def _with_whole_project(row: transfer.Row, own_project: str) -> transfer.Row:
    """The row, as one of the project imported into where it names that by its last part."""
    if row.project is None:
        return row
    return replace(row, project=projects.project_of_short_name(row.project, own_project))


class _ProjectImports:
    """The imports into single projects, each made when the first row of its project comes.

    Args:
        make: Makes the import into a project, given its options and its earlier author.
        write_options: Those of the project imported into; the author is the format and the path.
        repository: The project of the repository that the path lies in, or None.
    """

    def __init__(
        self,
        make: Callable[[WriteOptions, str | None], ProjectImport],
        write_options: WriteOptions,
        *,
        repository: str | None,
    ) -> None:
        self._make = make
        self._write_options = write_options
        self._repository = repository or write_options.project
        self._stack = ExitStack()
        self.by_name: dict[str, ProjectImport] = {}
        # Those in which rows may wait; the one that got rows last is at the end.
        self._holding: dict[ProjectImport, None] = {}

    def __enter__(self) -> Self:
        """Give the imports themselves."""
        return self

    def __exit__(self, *_: object) -> None:
        """Drop what is not written yet."""
        self._stack.close()

    def of(self, name: str | None) -> ProjectImport:
        """The import into a project; for None into the one that the caller names."""
        own_project = self._write_options.project
        project = projects.check_project_name(name or own_project)
        if project not in self.by_name:
            author, earlier_author = self._authors(project)
            write_options = replace(self._write_options, project=project, author=author)
            self.by_name[project] = self._stack.enter_context(
                self._make(write_options, earlier_author)
            )
        return self.by_name[project]

    def flush(self, latest: Collection[ProjectImport]) -> None:
        """Write what waits in projects of which nothing comes any more, as in an export of all.

        Args:
            latest: The imports of the projects that the last rows belong to.
        """
        for project_import in latest:
            self._holding.pop(project_import, None)
            self._holding[project_import] = None
        held = sum((project_import.held for project_import in self._holding), Held())
        for project_import in [other for other in self._holding if other not in latest]:
            is_little = held.count <= MOST_WAITING.count and held.weight <= MOST_WAITING.weight
            if is_little and len(self._holding) <= MOST_WAITING_PROJECTS:
                break
            written = project_import.held
            held = Held(held.count - written.count, held.weight - written.weight)
            project_import.flush()
            del self._holding[project_import]

    def _authors(self, project: str) -> tuple[str, str | None]:
        """What the import is called in a project, and before it told repositories apart.

        Two repositories may each import a folder `docs` into the same layer or project, so the
        repository is a part of the name wherever it is not the project itself.
        """
        path = self._write_options.author
        own_project = self._write_options.project
        earlier_author = path if project == own_project else f"{path} of {own_project}"
        if self._repository == own_project:
            return earlier_author, None
        return f"{path} of {self._repository}", earlier_author


def _write(rows: Iterator[transfer.Row], imports: _ProjectImports, collected: Collected) -> bool:
    """Write rows, and what follows from their end; gives whether there were any."""
    unread = Unread()
    has_rows = False
    for batch in batches(enumerate(rows), _size, most=ROWS, most_bytes=BYTES):
        has_rows = True
        rows_by_import: dict[ProjectImport, list[tuple[int, transfer.Row]]] = {}
        for index, row in batch:
            if isinstance(row.value, Item):
                if row.is_alone:
                    unread.add_alone(row.place, row.value)
                elif not row.is_read:
                    unread.add(row.file, is_elsewhere=row.is_elsewhere)
                collected.add(index, replace(row.value, place=row.place))
            elif isinstance(row.value, transfer.LeftOut):
                collected.leave_out(row.file, row.value.reason)
            else:
                if isinstance(row.value, Entity):
                    unread.add_read(row.file)
                project_import = imports.of(row.project)
                rows_by_import.setdefault(project_import, []).append((index, row))
        for project_import, own_rows in rows_by_import.items():
            collected.belongs_to(project_import.project)
            project_import.add(own_rows)
        imports.flush(rows_by_import)
    for project_import in imports.by_name.values():
        project_import.finish(unread)
    return has_rows


def _size(indexed_row: tuple[int, transfer.Row]) -> int:
    value = indexed_row[1].value
    return size_of(value) if isinstance(value, Entity) else 0
