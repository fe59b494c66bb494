"""What every importer yields."""

from dataclasses import dataclass

from graphmem.model import Entity, Item, Relation


@dataclass(frozen=True, slots=True)
class Row:
    """An entity or relation and where it was read, or an Item that says why it was refused."""

    place: str
    value: Entity | Relation | Item
