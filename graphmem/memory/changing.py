"""What a memory does with what it knows: renamed, merged, replaced, deleted, looked back on."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from graphmem import arguments, text
from graphmem.calls import recorded
from graphmem.errors import InvalidInput
from graphmem.memory.deleting import Deleting
from graphmem.model import Entity, Report, limits
from graphmem.model.duplicates import Duplicates
from graphmem.model.history import Changes, History
from graphmem.model.page import Page
from graphmem.progress import SILENT, Progress

if TYPE_CHECKING:
    from graphmem.write import Merge
    from graphmem.write.embeddings import Embeddings
    from graphmem.write.shape import Desired, Stored

Moment = datetime | str


class Changing(Deleting):
    """The verbs of `Memory` that change what is there, and those that look back."""

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
        from graphmem.memory.naming import keys_of

        given = entity.to_json() if isinstance(entity, Entity) else dict(entity)
        checked = Entity.from_json(given, corrects=True)
        own = self.project_name(project, writes=True)
        (key,) = keys_of(self.graph, own, [checked.name])
        with recorded("edit"):
            return self._remember({**given, "name": text.name_of(key)}, own)

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
        from graphmem.memory.reshaping import rename

        own = self.project_name(project, writes=True)
        return rename(
            self.graph, own, name, limits.name("new_name", new_name), self._embed, note=_note(note)
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
        from graphmem.memory.reshaping import merge

        own = self.project_name(project, writes=not dry_run)
        return merge(self.graph, own, name, into, self._embed, dry_run=dry_run, note=_note(note))

    def supersede(
        self, old: str, new: str, *, note: str | None = None, project: str | None = None
    ) -> Report:
        """Replace an entity by another one: its status and the link between them, in one step.

        Raises:
            InvalidInput: The new one is superseded by the old one, or is the old one.
            NotFound: A name leads to no entity.
        """
        from graphmem.memory.reshaping import supersede

        own = self.project_name(project, writes=True)
        return supersede(self.graph, own, old, new, _note(note))

    def restore(self, names: str | Sequence[str], *, project: str | None = None) -> Report:
        """Bring back entities that were forgotten or superseded.

        Returns:
            An item for each name; one that leads to no entity is refused.

        Raises:
            InvalidInput: A name is blank or no text.
        """
        from graphmem.memory.reshaping import restore

        own = self.project_name(project, writes=True)
        return restore(self.graph, own, arguments.names(names))

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
        from graphmem.memory.reshaping import undo

        own = self.project_name(project, writes=True)
        return undo(self.graph, own, change, self._embed, note=_note(note))

    def history(
        self,
        name: str,
        *,
        since: Moment | None = None,
        limit: int = 200,
        project: str | None = None,
    ) -> History:
        """What changed of an entity, when and by whom, the newest first.

        Args:
            name: The entity's name, alias, title or key.
            since: The day or moment from which on; by default from its beginning.
            limit: The most revisions, 1 to 1000; the answer says whether there are more.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: An argument is not allowed.
            NotFound: The name leads to no entity.
        """
        from graphmem.memory import past
        from graphmem.memory.naming import keys_of

        (key,) = keys_of(self.graph, self.project_name(project), [name])
        return past.history(
            self.graph,
            key,
            since=None if since is None else limits.moment("since", since),
            limit=arguments.count("limit", limit, most=1000),
        )

    def changes(
        self,
        since: Moment,
        until: Moment | None = None,
        *,
        limit: int = 50,
        project: str | None = None,
    ) -> Changes:
        """The changes of a project, the newest first.

        Args:
            since: The day or moment from which on.
            until: The last day or moment; a day includes its end.
            limit: The most changes, 1 to 1000; the answer says whether there are more.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: An argument is not allowed.
        """
        from graphmem.memory import past

        return past.changes(
            self.graph,
            self.project_name(project),
            limits.moment("since", since),
            None if until is None else limits.end_of("until", until),
            limit=arguments.count("limit", limit, most=1000),
        )

    def compact(self, history_before: Moment, *, progress: Progress = SILENT) -> int:
        """Delete the history of before a day or moment, in all projects; what is known stays.

        `history` and `get_as_of` tell nothing of before it from then on, and what was changed
        before it cannot be undone.

        Args:
            history_before: The moment from which on history stays.
            progress: Hears of the deletion.

        Returns:
            How many notes were deleted.

        Raises:
            InvalidInput: It is no moment, or lies ahead.
        """
        from graphmem.write.history_retention import delete_history

        before = limits.moment("history_before", history_before)
        if before > datetime.now(UTC):
            raise InvalidInput("history_before", history_before, "must not lie in the future")
        return delete_history(self.graph, before, progress=progress)

    def duplicates(
        self,
        *,
        threshold: float = 0.85,
        limit: int = 20,
        by_meaning_only: bool = False,
        project: str | None = None,
    ) -> Duplicates:
        """Find pairs of entities that may be one thing, with the reasons.

        Args:
            threshold: The least cosine of two passages, 0 to 1; one name is enough without.
            limit: The most pairs, 1 to 1000.
            by_meaning_only: Whether a name in common counts for nothing.
            project: The project; by default the memory's own.
        """
        from graphmem.read.duplicates import duplicates

        arguments.number("threshold", threshold, 0.0, 1.0)
        arguments.count("limit", limit, most=1000)
        own = self.project_name(project)
        return duplicates(
            self.graph, own, threshold=threshold, limit=limit, by_meaning_only=by_meaning_only
        )

    def get_as_of(self, name: str, moment: Moment, *, project: str | None = None) -> Page:
        """An entity as it was at a moment; a day stands for its end.

        Raises:
            NotFound: The name leads to no entity, or it was not there yet.
        """
        from graphmem.memory import as_of
        from graphmem.memory.naming import keys_of

        (key,) = keys_of(self.graph, self.project_name(project), [name])
        return as_of.page_at(self.graph, key, limits.known_then("moment", moment))

    def _remember(self, entity: Mapping[str, object], project: str) -> Report:
        from graphmem.memory.remembering import Input
        from graphmem.memory.writing import write
        from graphmem.write import WriteOptions

        given = Input.read([entity], ())
        return write(self.graph, self.model, given, WriteOptions(project))

    def _embed(self, stored: "Stored", wanted: "Desired") -> "Embeddings":
        """Embeddings of what a change of one entity makes stale, where that is little."""
        from graphmem.memory.writing import embeddings_of

        return embeddings_of(self.model, stored, wanted, SILENT)


def _note(note: str | None) -> str | None:
    """Check why something is changed."""
    return None if note is None else limits.text("note", note)
