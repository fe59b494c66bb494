"""An entity in full, with its relations as seen from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from graphmem.model.entity import Entity
from graphmem.model.json_object import ATTRIBUTES, HIDDEN, OPTIONAL, JsonField, JsonObject, as_json
from graphmem.model.limits import Attribute
from graphmem.model.period import Day
from graphmem.model.relation_fields import RESERVED_RELATION_ATTRIBUTES, RelationDirection


@dataclass(frozen=True, slots=True)
class Neighbour(JsonObject):
    """A relation of an entity, as seen from it.

    Args:
        relation: Its type.
        direction: `out` if it starts at the entity, `in` if it ends there.
        name: The entity at its other end.
        kind: The kind of that entity.
        status: Its status, if searches leave it out for that; otherwise None.
        note: Why they are linked.
        weight: Link strength, 0 to 1.
        valid_from: The day or moment from which it is valid, or None.
        valid_until: The last day, or the moment, until which it is valid, or None.
        confidence: How certain it is, 0 to 1.
        source: Who or what stated it.
        attributes: Its custom attributes.
    """

    relation: str
    direction: RelationDirection
    name: str
    kind: str
    note: str | None
    weight: float
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)
    confidence: float | None = field(default=None, metadata=OPTIONAL)
    source: str | None = field(default=None, metadata=OPTIONAL)
    attributes: Mapping[str, Attribute] = field(default_factory=dict, metadata=ATTRIBUTES)
    status: str | None = field(default=None, metadata=OPTIONAL)

    @classmethod
    def of_stored(
        cls,
        properties: Mapping[str, Any],
        relation: str,
        direction: RelationDirection,
        other: Mapping[str, Any],
    ) -> Self:
        """The relation of stored properties.

        Args:
            properties: The relation's properties.
            relation: Its type.
            direction: As seen from the entity.
            other: The `name`, `kind` and `status` of the entity at its other end.
        """
        weight = properties.get("weight")
        return cls(
            relation=relation,
            direction=direction,
            name=other["name"],
            kind=other["kind"],
            status=other["status"],
            note=properties.get("note"),
            weight=1.0 if weight is None else weight,
            valid_from=properties.get("valid_from"),
            valid_until=properties.get("valid_until"),
            confidence=properties.get("confidence"),
            source=properties.get("source"),
            attributes={
                name: properties[name]
                for name in sorted(properties)
                if name not in RESERVED_RELATION_ATTRIBUTES
            },
        )


@dataclass(frozen=True, slots=True)
class Page(JsonObject):
    """An entity in full, with the relations that start and end at it.

    In JSON it has the fields of a JSON line, and the key, the times and the relations: at most 200
    each way, without those of hidden entities other than those that lead to what it superseded and
    to what is removed. `omitted_relations` says how many more there are.
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
    omitted_relations: int | None = field(default=None, metadata=OPTIONAL)

    def __post_init__(self) -> None:
        """Repeat what every stored entity has."""
        for name in ("key", "name", "kind", "status", "project", "updated_at", "revision"):
            object.__setattr__(self, name, getattr(self.entity, name))

    def to_json(self) -> dict[str, object]:
        """Write the entity with its fields, then the relations."""
        written = self.entity.to_json()
        del written["type"]
        return written | JsonObject.to_json(self)
