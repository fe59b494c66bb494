"""Working on many entities at once: import, export, and embedding with another model."""

from collections.abc import Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem import arguments
from graphmem.calls import recorded
from graphmem.errors import InvalidInput
from graphmem.memory.lifetime import Lifetime
from graphmem.model import Report
from graphmem.progress import SILENT, Progress
from graphmem.project import is_project_name

if TYPE_CHECKING:
    from graphmem.memory.store.reembedding import Reembedded
    from graphmem.model.notes_export import NotesExport


class Bulk(Lifetime):
    """The methods of `Memory` that work on whole projects, or the whole store."""

    def import_(
        self,
        format: str,  # noqa: A002 - what callers and the terminal call it
        path: Path | str,
        *,
        project: str | None = None,
        mentions: bool | None = None,
        allow_removals: bool = False,
        everything: bool = False,
        history: bool = False,
        dry_run: bool = False,
        progress: Progress = SILENT,
    ) -> Report:
        """Import a file or folder in one of the formats of `transfer.FORMATS`; idempotent.

        It writes in batches; if a run is killed, the next one continues there. An import replaces
        what an earlier import of the same path asserted, and nothing else. For formats that take
        the path as complete (`Format.whole`), it also marks entities as removed, and deletes
        relations, that are gone from the path.

        Args:
            format: A name of `transfer.FORMATS`.
            path: A file or folder.
            project: The project; by default the memory's own.
            mentions: Whether to link texts to the entities they name; the default depends on the
                format.
            allow_removals: Whether the import may remove more than a fifth (and more than 20) of
                the entities that earlier imports of the path brought in.
            everything: Whether rows that name a project, such as those of `export_all`, are
                imported into that project; otherwise they are refused.
            history: Whether rows of one project, such as those of `export` with history, are
                imported into this one with who asserted what and every change. An entity that
                was here before keeps its own history.
            dry_run: Whether to write nothing and report what would happen.
            progress: Receives the progress of reading, embedding and writing.

        Returns:
            An item for each entity and relation, with its place. Refused rows have the reason; with
            `Format.whole`, there are also items for what was removed.

        Raises:
            InvalidInput: There is no such format or path.
            DatabaseError: The database does not answer or refuses; earlier batches stay written.
        """
        from graphmem.importing.opening import place
        from graphmem.memory.imports.options import ImportOptions
        from graphmem.memory.imports.run import import_path
        from graphmem.write import WriteOptions

        arguments.methods("progress", progress, Progress)
        arguments.flags(
            allow_removals=allow_removals, everything=everything, history=history, dry_run=dry_run
        )
        if mentions is not None:
            arguments.flag("mentions", mentions)
        if path == "" or not isinstance(path, str | PathLike):
            raise InvalidInput(
                "path", path, "must name a file or folder; `.` is the current folder"
            )
        write_options = WriteOptions(self.project_name(project, writes=True), dry_run=dry_run)
        model = None if dry_run else self.model.for_write(progress, resumable=True)
        options = ImportOptions(mentions, allow_removals, everything, history)
        try:
            with recorded("import", author=f"{format}:{place([str(path)])}"):
                report = import_path(
                    self.graph, model, format, Path(path), write_options,
                    access=self.access, options=options, progress=progress,
                )  # fmt: skip
        finally:
            self._searches.samples.forget()
        if dry_run:
            return report
        return replace(report, notes=(*report.notes, *self.model.notes(model)))

    def export(
        self, *, project: str | None = None, history: bool = False
    ) -> Iterator[dict[str, object]]:
        """Export a project: its entities, relations and former names, as objects for JSON lines.

        Args:
            project: The project; by default the memory's own.
            history: Whether to include who asserted what, and every change;
                `import_("jsonl", path, history=True)` restores all of it.

        Returns:
            An iterator that reads the store as it goes: entities by key, then relations, then
            redirects, and with `history` the changes. It is empty if the project holds nothing.

        Raises:
            InvalidInput: The project's name is not allowed, or out of reach.
            DatabaseError: The database does not answer or refuses.
        """
        from graphmem.memory import exporting

        project_name = self.project_name(project)
        if history:
            return exporting.whole(self.graph, project_name, history=True)
        return exporting.plain(self.graph, project_name)

    def export_markdown(
        self, folder: Path | str, *, project: str | None = None, progress: Progress = SILENT
    ) -> "NotesExport":
        """Export a project as a folder of Markdown notes, an entity each.

        A note has the fields of its entity and the relations that start there as front matter, then
        the text, then the relations as wiki links. `import_("markdown", folder)` reads it. Left out
        are former names, history, and forgotten and removed entities with the relations to them.

        Args:
            folder: A folder that is new or empty. It appears once all notes are written.
            project: The project; by default the memory's own.
            progress: Receives how many notes are written.

        Raises:
            InvalidInput: The folder is not empty, or there is no folder to make it in; or the
                project's name is not allowed, or out of reach.
            NotFound: The project holds nothing to export.
            DatabaseError: The database does not answer or refuses.
            OSError: The disk is full, or the folder may not be written.
        """
        from graphmem.memory.exporting_notes import export_notes

        arguments.methods("progress", progress, Progress)
        if folder == "" or not isinstance(folder, str | PathLike):
            raise InvalidInput("folder", folder, "must name a folder that is new or empty")
        return export_notes(self.graph, self.project_name(project), Path(folder), progress)

    def export_all(self, *, history: bool = True) -> Iterator[dict[str, object]]:
        """Export every project and layer, as objects for JSON lines, with who asserted what.

        `import_("jsonl", path, everything=True)` restores them, into an empty store or beside what
        is stored: if one author gave two values for a field, the later one counts.

        Args:
            history: Whether to include every change.

        Returns:
            An iterator that reads the store as it goes, project by project.

        Raises:
            InvalidInput: The memory may not read a project of the store.
            DatabaseError: The database does not answer or refuses.
        """
        from graphmem import read
        from graphmem.memory import exporting

        # What somebody made by hand in no possible project has no key; a repair reports it.
        for project_name in filter(is_project_name, read.projects(self.graph)):
            self.access.reading(project_name)
            yield from exporting.whole(self.graph, project_name, history=history)

    def reembed(self, *, progress: Progress = SILENT) -> "Reembedded":
        """Embed the whole store with this memory's model, and let searches use the result.

        Searches use the earlier embeddings until all new ones are there, and then change over at
        once; what is written meanwhile is embedded, too. If a call is killed, the next one
        continues there. If the store already has this model's embeddings, nothing changes.

        Args:
            progress: Receives the progress of embedding, and of removing the earlier embeddings.

        Returns:
            The store's model and the previous one, and how many passages were embedded, had been
            embedded before, or have no embedding.

        Raises:
            EmbeddingError: The model cannot be loaded or fails on everything.
            DatabaseError: The store is open for reading only, the database does not answer or
                refuses, or another process is embedding the store with a third model.
        """
        from graphmem.memory.store.reembedding import reembed

        return reembed(self.graph, self.model, progress=progress)
