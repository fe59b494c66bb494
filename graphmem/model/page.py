"""An entity whole, with its relations as they are seen from it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphmem.model.entity import Entity
from graphmem.model.json_object import HIDDEN, OPTIONAL, JsonField, JsonObject, as_json
from graphmem.model.period import Day


@dataclass(frozen=True, slots=True)
class Neighbour(JsonObject):
    """A relation of an entity, as seen from it."""

    relation: str
    direction: Literal["out", "in"]
    name: str
    kind: str
    note: str | None
    weight: float
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class Page(JsonObject):
    """An entity whole, with the relations that start and end at it (at most 200 each way).

    In JSON it has the shape of a JSON line, with the key, the times and the relations.
    """

    entity: Entity = field(metadata=HIDDEN)
    key: str = field(init=False)
    name: str = field(init=False)
    kind: str = field(init=False)
    status: str = field(init=False)
    project: str = field(init=False)
    updated_at: datetime | None = field(init=False)
    revision: int = field(init=False)
    neighbours: tuple[Neighbour, ...] = field(metadata=as_json(JsonField(name="relations")))

    def __post_init__(self) -> None:
        """Repeat what every stored entity has."""
        for name in ("key", "name", "kind", "status", "project", "updated_at", "revision"):
            object.__setattr__(self, name, getattr(self.entity, name))

    def to_json(self) -> dict[str, object]:
        """Write the entity with what it has, then the relations."""
        written = self.entity.to_json()
        del written["type"]
        return written | JsonObject.to_json(self)
