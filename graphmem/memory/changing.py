"""What a memory does with what it knows: correct, rename, merge, replace, restore and undo."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from graphmem import arguments, text
from graphmem.calls import recorded
from graphmem.memory.looking_back import LookingBack
from graphmem.model import Entity, Report, limits
from graphmem.progress import SILENT

if TYPE_CHECKING:
    from graphmem.write import Merge
    from graphmem.write.assertions.shape import Desired, Stored
    from graphmem.write.embeddings.searched_set import Embeddings

Moment = datetime | str


class Changing(LookingBack):
    """The verbs of `Memory` that change what is there."""

    def edit(self, entity: Entity | Mapping[str, object], *, project: str | None = None) -> Report:
        """Correct an entity that is there; its report has one item.

        Args:
            entity: As for `remember`. `unset` names fields that go; `remove` has the lists
                `observations` (ids), `tags`, `aliases` and `attributes` (names); an observation
                with an `id` replaces that one; `if_revision` refuses an entity that was changed
                since that revision, and says by whom.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: A field is not allowed.
            NotFound: There is no such entity.
        """
        from graphmem.memory.writing.naming import keys_of

        fields = entity.to_json() if isinstance(entity, Entity) else dict(entity)
        checked = Entity.from_json(fields, corrects=True)
        project_name = self.project_name(project, writes=True)
        (key,) = keys_of(self.graph, project_name, [checked.name])
        with recorded("edit"):
            return self._remember({**fields, "name": text.name_of(key)}, project_name)

    def rename(
        self, name: str, new_name: str, *, note: str | None = None, project: str | None = None
    ) -> Report:
        """Give an entity another name; its links stay and the old name becomes an alias.

        Args:
            name: The entity's name, alias, title or key.
            new_name: The name from now on.
            note: Why, for the history.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: The new name is that of another entity.
            NotFound: The old one leads to no entity.
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
        """Join an entity into another one, which has its links, observations and names then.

        Fields that both have stay those of `into`. `undo` takes it back.

        Args:
            name: The entity that goes.
            into: The one that stays.
            note: Why, for the history.
            project: The project of both; by default the memory's own.
            dry_run: Whether it is only told what would happen.

        Raises:
            InvalidInput: Both are one already, or hold more together than one entity may.
            NotFound: A name leads to no entity.
        """
        from graphmem.memory.writing.reshaping import merge

        project_name = self.project_name(project, writes=not dry_run)
        return merge(
            self.graph, project_name, name, into, self._embed,
            dry_run=dry_run, note=arguments.note(note),
        )  # fmt: skip

    def supersede(
        self, old: str, new: str, *, note: str | None = None, project: str | None = None
    ) -> Report:
        """Replace an entity by another one: its status and the link between them, in one step.

        Args:
            old: The entity that is replaced, and hidden from searches.
            new: The one that replaces it; everything that `old` replaced is replaced by it, too.
            note: Why, for the history and for the link.
            project: The project of both; by default the memory's own.

        Returns:
            An item for the entity that is replaced, and one for each link that was made.

        Raises:
            InvalidInput: The new one is superseded by the old one, or is the old one.
            NotFound: A name leads to no entity.
        """
        from graphmem.memory.writing.reshaping import supersede

        project_name = self.project_name(project, writes=True)
        return supersede(self.graph, project_name, old, new, arguments.note(note))

    def restore(self, names: str | Sequence[str], *, project: str | None = None) -> Report:
        """Bring back entities that were forgotten or superseded.

        Args:
            names: Names, aliases, titles or keys.
            project: The project; by default the memory's own.

        Returns:
            An item for each name; one that leads to no entity is refused.

        Raises:
            InvalidInput: A name is blank or no text.
        """
        from graphmem.memory.writing.reshaping import restore

        project_name = self.project_name(project, writes=True)
        return restore(self.graph, project_name, arguments.names(names))

    def undo(self, change: str, *, note: str | None = None, project: str | None = None) -> Report:
        """Take a change back, as long as what it changed was not changed since.

        Args:
            change: Its id, as `history` and `changes` give it, or `last` for the newest one.
            note: Why, for the history.
            project: The project; by default the memory's own.

        Returns:
            An item for each entity that is as it was before; none where it was undone already,
            or where what it changed is deleted for good.

        Raises:
            NotFound: There is no such change in the project.
            Conflict: What it changed was changed since, and by whom.
        """
        from graphmem.memory.writing.reshaping import undo

        project_name = self.project_name(project, writes=True)
        return undo(self.graph, project_name, change, self._embed, note=arguments.note(note))

    def _remember(self, entity: Mapping[str, object], project: str) -> Report:
        from graphmem.memory.writing.asserting import write
        from graphmem.memory.writing.remembering import Input
        from graphmem.write import WriteOptions

        assertions = Input.read([entity], ())
        return write(self.graph, self.model, assertions, WriteOptions(project))

    def _embed(self, stored: "Stored", desired: "Desired") -> "Embeddings":
        """Embeddings of what a change of one entity makes stale, where that is little."""
        from graphmem.memory.writing.asserting import embeddings_of

        return embeddings_of(self.model, stored, desired, SILENT)
