"""An entity that is to be written, and where it was said."""

from dataclasses import dataclass

from graphmem.model import Entity


@dataclass(frozen=True, slots=True)
class PendingEntity:
    """An entity to be written, and its place in the order given.

    Args:
        index: Its place.
        entity: What is asserted, checked.
        again: Whether the same write or import has spoken of this entity before.
    """

    index: int
    entity: Entity
    again: bool
