"""Changing what is stored: correct, rename, merge, replace, restore and undo."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graphmem import arguments, text
from graphmem.calls import recorded
from graphmem.memory.looking_back import LookingBack
from graphmem.model import Entity, Report, limits
from graphmem.progress import SILENT, Progress

if TYPE_CHECKING:
    from graphmem.write import Merge
    from graphmem.write.assertions.shape import Desired, Stored
    from graphmem.write.embeddings.searched_set import Embeddings


class Changing(LookingBack):
    """The methods of `Memory` that change what is stored."""

    def edit(self, entity: Entity | Mapping[str, object], *, project: str | None = None) -> Report:
        """Correct an entity that exists; the report has one item.

        Args:
            entity: As for `remember`. `unset` names fields to clear; `remove` has the lists
                `observations` (ids), `tags`, `aliases` and `attributes` (names); an observation
                with an `id` replaces that one; with `if_revision`, the entity is refused if it
                was changed since that revision, and the reason says by whom.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: A field is not allowed.
            NotFound: There is no such entity.
        """
        from graphmem.memory.names.resolving import keys_of
        from graphmem.memory.writing.remembering import fields_of

        checked = Entity.from_json(fields_of(entity), corrects=True)
        project_name = self.project_name(project, writes=True)
        (key,) = keys_of(self.graph, project_name, [checked.name])
        with recorded("edit"):
            return self._remember(replace(checked, name=text.name_of(key)), project_name)

    def rename(
        self, name: str, new_name: str, *, note: str | None = None, project: str | None = None
    ) -> Report:
        """Rename an entity; its links stay and the old name becomes an alias.

        Args:
            name: The entity's name, alias, title or key.
            new_name: Its new name.
            note: The reason, for the history.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: The new name is that of another entity.
            NotFound: The old name leads to no entity.
        """
        from graphmem.memory.writing.reshaping import rename

        project_name = self.project_name(project, writes=True)
        return rename(
            self.graph,
            project_name,
            name,
            limits.name("new_name", new_name),
            self._embed,
            note=arguments.note(note),
        )

    def merge(
        self,
        name: str,
        into: str,
        *,
        note: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> "Merge":
        """Merge an entity into another one, which gets its links, observations and names.

        `into` keeps its own value of each field that both have. `undo` undoes a merge.

        Args:
            name: The entity that is merged and deleted.
            into: The entity that remains.
            note: The reason, for the history.
            project: The project of both; by default the memory's own.
            dry_run: Whether to change nothing and only return what would happen.

        Returns:
            What differs, what moves to `into`, and what is dropped.

        Raises:
            InvalidInput: Both names lead to one entity, or together the two exceed a limit.
            NotFound: A name leads to no entity.
        """
        from graphmem.memory.writing.reshaping import merge

        arguments.flag("dry_run", dry_run)
        project_name = self.project_name(project, writes=not dry_run)
        return merge(
            self.graph, project_name, name, into, self._embed,
            dry_run=dry_run, note=arguments.note(note),
        )  # fmt: skip

    def supersede(
        self, old: str, new: str, *, note: str | None = None, project: str | None = None
    ) -> Report:
        """Replace an entity by another one: set its status and link the two, in one step.

        Args:
            old: The entity that is replaced, and hidden from searches.
            new: The one that replaces it, and everything that `old` itself had replaced.
            note: The reason, for the history and for the link.
            project: The project of both; by default the memory's own.

        Returns:
            An item for the entity that is replaced, and one for each new link.

        Raises:
            InvalidInput: `new` is superseded by `old`, or is the same entity.
            NotFound: A name leads to no entity.
        """
        from graphmem.memory.writing.reshaping import supersede

        project_name = self.project_name(project, writes=True)
        return supersede(self.graph, project_name, old, new, arguments.note(note))

    def restore(self, names: str | Sequence[str], *, project: str | None = None) -> Report:
        """Bring back entities that were forgotten, superseded or deprecated.

        Their status is then the one that an import gives, or `active`.

        Args:
            names: Names, aliases, titles or keys.
            project: The project; by default the memory's own.

        Returns:
            An item for each name; one that leads to no entity is refused.

        Raises:
            InvalidInput: A name is blank or not a text.
        """
        from graphmem.memory.writing.reshaping import restore

        project_name = self.project_name(project, writes=True)
        return restore(self.graph, project_name, arguments.names(names))

    def undo(
        self,
        change: str,
        *,
        note: str | None = None,
        project: str | None = None,
        progress: Progress = SILENT,
    ) -> Report:
        """Undo a change, unless something it touched was changed again since.

        Args:
            change: Its id, from `history` or `changes`, or `last` for the newest one.
                A change that is dated more than five minutes ahead is passed over by `last`
                while there is another one.
            note: The reason, for the history.
            project: The project; by default the memory's own.
            progress: Receives the progress of undoing.

        Returns:
            An item for each entity that was restored, and one that is `removed` for each that the
            change had created, which is hidden now; one for each relation of an entity of which
            the change touched only these, `removed` if it had created it. None if the change was
            undone before, or if everything it touched has been deleted for good.

        Raises:
            NotFound: There is no such change in the project.
            Conflict: Something it touched was changed since; the message says by whom. Or an agent
                gave `last`, and that change is somebody else's.
        """
        from graphmem.memory.writing.reshaping import undo

        limits.unicode_text("change", change)
        arguments.methods("progress", progress, Progress)
        project_name = self.project_name(project, writes=True)
        return undo(
            self.graph,
            project_name,
            change,
            self._embed,
            note=arguments.note(note),
            progress=progress,
        )

    def _remember(self, entity: Entity, project: str) -> Report:
        from graphmem.memory.writing.asserting import write
        from graphmem.memory.writing.remembering import Input
        from graphmem.write import WriteOptions

        assertions = Input.read([entity], ())
        return write(self.graph, self.model, assertions, WriteOptions(project))

    def _embed(self, stored: "Stored", desired: "Desired") -> "Embeddings":
        """New embeddings for the passages that a change makes stale, if they are few."""
        from graphmem.memory.writing.asserting import embeddings_of

        return embeddings_of(self.model, stored, desired)
