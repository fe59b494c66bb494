"""Entities that the hits of a search stand for."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphmem import text
from graphmem.model import Entity

if TYPE_CHECKING:
    from graphmem.memory import Memory


def entities_by_key(
    memory: "Memory", keys: Iterable[str], *, project: str | None = None
) -> dict[str, Entity]:
    """Read entities by their keys, hidden ones too, without relations, in one read.

    Args:
        memory: Where.
        keys: Keys of the project or its layers; those of no entity are left out.
        project: The project; by default the memory's own.
    """
    names = {key: text.name_of(key) for key in keys}
    entities = memory.in_layers(list(names.values()), project=project) if names else ()
    return {entity.key: entity for entity in entities if entity.key in names}
