"""Entities that were selected for deletion, counted."""

from dataclasses import dataclass, field

from graphmem.errors import quantity
from graphmem.model.filters import Filters
from graphmem.model.json_object import HIDDEN, JsonObject

NAMES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Selection(JsonObject):
    """What `purge` would delete with the selected entities.

    Args:
        project: Their project.
        entities: How many entities.
        passages: How many passages they have.
        relations: How many relations start or end at them.
        revisions: How many history records they have, including those of what was merged into them.
        names: The first ten names, with their kinds.
        keys: All of their keys, in order.
        conditions: The filters that they must still pass when they are deleted; None for none.
        requested_names: The names they were selected by; empty if only filters selected them.
    """

    project: str
    entities: int
    passages: int
    relations: int
    revisions: int
    names: tuple[str, ...]
    keys: tuple[str, ...] = field(default=(), metadata=HIDDEN)
    conditions: Filters | None = field(default=None, metadata=HIDDEN)
    requested_names: tuple[str, ...] = field(default=(), metadata=HIDDEN)

    def __str__(self) -> str:
        """The counts in words."""
        counts = (
            (self.entities, "entity", "entities"),
            (self.passages, "passage", "passages"),
            (self.relations, "relation", "relations"),
            (self.revisions, "history record", "history records"),
        )
        return ", ".join(quantity(*count) for count in counts)
