"""What a memory does with much at once: import, export, and embedding anew."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.calls import recorded
from graphmem.errors import InvalidInput
from graphmem.memory.lifetime import Lifetime
from graphmem.model import Report
from graphmem.progress import SILENT, Progress

if TYPE_CHECKING:
    from graphmem.memory.store.reembedding import Reembedded


class Bulk(Lifetime):
    """The verbs of `Memory` that take or give whole projects, or the whole store."""

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
        """Read a file or folder in one of the formats of `transfer.FORMATS`; idempotent.

        What is read is written batch by batch; a second run goes on where a first was killed. An
        import replaces what an earlier import of the same path asserted of the same entities, and
        nothing else. Formats that take the path as complete (`Format.whole`) also mark entities as
        removed, and delete relations, that are gone from it.

        Args:
            format: A name of `transfer.FORMATS`.
            path: A file or folder.
            project: The project; by default the memory's own.
            mentions: Whether texts are linked to what they name; by default the format does.
            allow_removals: Whether more than a fifth of what earlier imports of the path brought in
                (and more than 20 entities) may be removed.
            everything: Whether rows that name a project of their own belong to it, as those of
                `export_all` do; otherwise they are refused.
            history: Whether rows of one project, as those of `export` with history, come into this
                one with who asserted what and every change. An entity that was here before keeps
                the history it has.
            dry_run: Whether the report says what would happen and nothing is written.
            progress: Hears of the reading, embedding and writing.

        Returns:
            An item for each entity and relation, with its place; refused rows with the reason, and
            what an earlier import of the same path said and this one does not (`Format.whole`).

        Raises:
            InvalidInput: There is no such format or path.
            DatabaseError: The database does not answer or refuses; whole batches before it stay.
        """
        from graphmem.importing.opening import place
        from graphmem.memory.imports.options import ImportOptions
        from graphmem.memory.imports.run import import_path
        from graphmem.write import WriteOptions

        if path == "":
            raise InvalidInput(
                "path", path, "must name a file or folder; `.` is the current folder"
            )
        write_options = WriteOptions(self.project_name(project, writes=True), dry_run=dry_run)
        model = None if dry_run else self.model.attempt(progress, resumable=True)
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
        """Every entity, relation and name that leads elsewhere, as objects of JSON lines.

        Args:
            project: The project; by default the memory's own.
            history: Whether the lines say who asserted what, and tell every change, too; then
                `import_("jsonl", path, history=True)` brings all of it back.

        Returns:
            The lines one by one, read while they are taken: entities by key, then relations, then
            redirects, and with `history` the changes. None for a project that holds nothing.

        Raises:
            InvalidInput: The project's name is not allowed, or out of reach.
            DatabaseError: The database does not answer or refuses.
        """
        from graphmem.memory import exporting

        project_name = self.project_name(project)
        if history:
            return exporting.whole(self.graph, project_name, history=True)
        return exporting.plain(self.graph, project_name)

    def export_all(self, *, history: bool = True) -> Iterator[dict[str, object]]:
        """Every project and layer as JSON lines that name it and who asserted what.

        `import_("jsonl", path, everything=True)` restores them, into an empty store or beside what
        is there: of two words of one author on one fact the later counts.

        Args:
            history: Whether the changes are among them.

        Returns:
            The lines one by one, project by project, read while they are taken.

        Raises:
            InvalidInput: The memory may not read a project of the store.
            DatabaseError: The database does not answer or refuses.
        """
        from graphmem import read
        from graphmem.memory import exporting

        for project_name in read.projects(self.graph):
            self.access.reading(project_name)
            yield from exporting.whole(self.graph, project_name, history=history)

    def reembed(self, *, progress: Progress = SILENT) -> "Reembedded":
        """Embed the whole store with the model of this memory, and have searches use that.

        Searches use the embeddings that are there until all new ones are, and then, from one moment
        to the next, those; whatever is written meanwhile is embedded too. A call that is killed is
        continued by the next one. Where the store is embedded with this model, nothing changes.

        Args:
            progress: Hears of the embedding, and of the removal of what was there before.

        Returns:
            The model of the store now and the one before, and how many passages were embedded,
            were embedded already, or have no embedding.

        Raises:
            EmbeddingError: The model cannot be loaded or fails on everything.
            DatabaseError: The store is open for reading only, the database does not answer or
                refuses, or another process embeds the store with a third model.
        """
        from graphmem.memory.store.reembedding import reembed

        return reembed(self.graph, self.model, progress=progress)
