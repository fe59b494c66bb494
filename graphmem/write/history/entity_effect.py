"""What a change that is to be undone did to one entity. Pure."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.graph import Row
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import AUTHORS, CREATED_IN, REDIRECT, RELATION, WHOLE
from graphmem.model.status import REMOVED
from graphmem.write.assertions.corrections import revision_of
from graphmem.write.assertions.shape import Stored
from graphmem.write.assertions.states import State, is_own


@dataclass(slots=True)
class EntityEffect:
    """What a change did to one entity.

    Args:
        before: What was stored before the change, by path.
        revision: The newest revision of the entity that the change wrote.
        since: When the change was made, if it wrote no revision, as where it only created
            relations of the entity; otherwise None.
        is_new: Whether it created the entity.
        is_imported: Whether it was imported with the history of an export.
        relations: Those that it created.
    """

    before: State = field(default_factory=dict)
    revision: int = 1
    since: datetime | None = None
    is_new: bool = False
    is_imported: bool = False
    relations: list[RelationIdentity] = field(default_factory=list)

    @property
    def paths(self) -> set[str]:
        """The paths that the change wrote; the authors may change since without a conflict."""
        relation_paths = {RELATION + identity.token for identity in self.relations}
        return ({*self.before} | relation_paths) - {AUTHORS, CREATED_IN}

    @property
    def is_linked_only(self) -> bool:
        """Whether the change touched nothing of the entity but relations that begin at it."""
        return not self.is_new and all(path.startswith(RELATION) for path in self.before)

    def all_relations(self, key: str) -> list[RelationIdentity]:
        """The relations that the change touched, by their identities."""
        noted = {
            RelationIdentity.of_token(key, path.removeprefix(RELATION))
            for path in self.before
            if path.startswith(RELATION)
        }
        return sorted({*noted, *self.relations})

    def precedes(self, row: Row) -> bool:
        """Whether a revision of the entity was made later."""
        if self.since is not None:
            return bool(row["at"] > self.since)
        return bool(row["revision"] > self.revision)

    def lacks_history(self, stored: Stored, later: Collection[Row]) -> bool:
        """Whether the change created the entity, and some of the later revisions were deleted."""
        if not self.is_new or stored.properties.get("status", REMOVED) == REMOVED:
            return False
        first_revision = 1 if self.is_imported else stored.properties.get("graphmem_brought") or 1
        return revision_of(stored) - max(self.revision, first_revision) > len(later)

    def was_merged_before(self, key: str) -> bool:
        """Whether the entity was part of another one before, where its key leads again."""
        return self.is_new and self.before.get(REDIRECT + key) is not None

    def place(self, key: str) -> int:
        """Where the entity stands among those of an undo: first if the change may have deleted it.

        An entity that is deleted by the undo is last.
        """
        if self.was_merged_before(key):
            return 2
        return 0 if self.before.keys() >= set(WHOLE) else 1

    def conflicting_paths(self, later: Collection[str]) -> set[str]:
        """The paths of a later change that conflict with undoing this one."""
        own_paths = {path for path in later if is_own(path)} - {AUTHORS}
        return self.paths.intersection(later) | (own_paths if self.is_new else set())
