"""Entities, their observations and the relations between them, as callers give and get them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.accumulated import Holding, within_limits
from graphmem.model.correction import (
    CORRECTION_FIELDS,
    RELATION_CORRECTION_FIELDS,
    Correction,
    SharedEnd,
    relation_unset,
    shared_end,
)
from graphmem.model.entity_fields import ENTITY_FIELDS
from graphmem.model.json_object import ATTRIBUTES, HIDDEN, OPTIONAL, JsonField, JsonObject, as_json
from graphmem.model.observation import Observation
from graphmem.model.parsing import object_of, optional, required
from graphmem.model.period import Day, check_period, relation_name, since
from graphmem.model.provenance import Provenance
from graphmem.model.relation_fields import (
    FIELD_NAMES,
    IDENTITY_NAMES,
    RELATION_FIELDS,
    RESERVED_RELATION_ATTRIBUTES,
)
from graphmem.model.reserved import RESERVED_ATTRIBUTES

# What the history records on an entity: the change that created it, and how often it was changed
# since. For an entity that was imported with its history: the import, its revision then, and from
# when on its history is complete.
RECORD = (
    "graphmem_change", "graphmem_revision", "graphmem_source", "graphmem_brought",
    "graphmem_history_from",
)  # fmt: skip
DEFAULT_KIND = "Thing"


@dataclass(frozen=True, slots=True)
class Entity(JsonObject):
    """A thing with a name, unique in its project.

    In a write, a field that is `None` leaves the stored value as it is; in an answer, it means that
    nothing is stored. `created_at` is when it was said; `valid_from` and `valid_until` are when it
    is valid, including the whole last day. `lead_in` is what its texts follow on, such as the end
    of the previous turn in a conversation: it is embedded with them, but not searched by words.
    graphmem itself sets `key`, `revision` and `updated_at`. `provenance` says who asserted what, in
    exports with history. `correction` has the fields and items to remove, and the revision that
    was read.
    """

    name: str
    kind: str | None = field(default=None, metadata=OPTIONAL)
    title: str | None = field(default=None, metadata=OPTIONAL)
    text: str | None = field(default=None, metadata=OPTIONAL)
    observations: tuple[Observation, ...] = field(default=(), metadata=OPTIONAL)
    aliases: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    tags: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    status: str | None = field(default=None, metadata=OPTIONAL)
    category: str | None = field(default=None, metadata=OPTIONAL)
    confidence: float | None = field(default=None, metadata=OPTIONAL)
    source: str | None = field(default=None, metadata=OPTIONAL)
    lead_in: str | None = field(default=None, metadata=OPTIONAL)
    created_at: datetime | None = field(default=None, metadata=OPTIONAL)
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)
    attributes: Mapping[str, limits.Attribute] = field(default_factory=dict, metadata=ATTRIBUTES)
    key: str | None = field(default=None, metadata=HIDDEN)
    project: str | None = field(default=None, metadata=HIDDEN)
    updated_at: datetime | None = field(default=None, metadata=HIDDEN)
    provenance: Provenance | None = field(default=None, metadata=OPTIONAL)
    revision: int = field(default=1, metadata=HIDDEN)
    correction: Correction | None = field(default=None, metadata=HIDDEN)

    @classmethod
    def from_json(
        cls,
        value: object,
        *,
        argument: str = "entity",
        exported: bool = False,
        corrects: bool = False,
    ) -> "Entity":
        """Read and check a JSON line's object.

        Args:
            value: The object.
            argument: What it is called in errors.
            exported: Whether it may have `provenance`.
            corrects: Whether it may have `unset`, `remove` and `if_revision`.

        Raises:
            InvalidInput: A field is not allowed; the message names it.
        """
        allowed = _ENTITY_FIELDS | (CORRECTION_FIELDS if corrects else frozenset())
        fields = object_of(argument, value, allowed=allowed, exported=exported)
        if fields.get("type", "entity") != "entity":
            hint = "What it is, such as Person, is its `kind`."
            raise InvalidInput(f"{argument}.type", fields["type"], "must be `entity`", hint=hint)
        observations = fields.get("observations") or ()
        if not isinstance(observations, list | tuple):
            raise InvalidInput(f"{argument}.observations", observations, "must be a list")
        checked_fields: dict[str, Any] = {
            row.name: optional(row.check, f"{argument}.{row.name}", fields) for row in ENTITY_FIELDS
        }
        check_period(argument, checked_fields)
        entity = cls(
            name=required(limits.name, f"{argument}.name", fields),
            observations=tuple(
                Observation.from_json(item, argument=f"{argument}.observations[{i}]")
                for i, item in enumerate(observations)
            ),
            aliases=optional(limits.names, f"{argument}.aliases", fields) or (),
            tags=optional(limits.labels, f"{argument}.tags", fields) or (),
            created_at=optional(limits.moment, f"{argument}.created_at", fields),
            attributes=limits.attributes(
                f"{argument}.attributes",
                fields.get("attributes") or {},
                reserved=RESERVED_ATTRIBUTES,
            ),
            provenance=optional(Provenance.from_json, f"{argument}.provenance", fields),
            correction=Correction.from_fields(argument, fields),
            **checked_fields,
        )
        within_limits(entity.holding, argument=argument)
        return entity

    @property
    def holding(self) -> Holding:
        """How much it holds of each thing whose total is limited."""
        return Holding.of(
            aliases=self.aliases,
            tags=self.tags,
            attributes=self.attributes,
            text=(self.text or "",),
            observations=[observation.text for observation in self.observations],
        )

    def to_json(self) -> dict[str, object]:
        """Write the entity as the object of a JSON line, without absent fields."""
        correction = {} if self.correction is None else self.correction.to_json()
        return {"type": "entity"} | JsonObject.to_json(self) | correction


def _provenance(argument: str, value: object) -> Provenance:
    """Read who asserted a relation."""
    return Provenance.from_json(argument, value, reserved=RESERVED_RELATION_ATTRIBUTES)


@dataclass(frozen=True, slots=True)
class Relation(JsonObject):
    """A typed, directed link from the entity named `start` to the one named `end`.

    `weight` is the share of a seed's evidence that the link passes on, in [0, 1]; 1 if it is
    absent. `valid_from` and `valid_until` are when it is valid, including the whole last day;
    `valid_from` distinguishes relations of one type between the same entities. In a write, `unset`
    names fields to clear, and `replaces` the end that others of this type share with it: those that
    hold when it begins end then.
    """

    start: str = field(metadata=as_json(JsonField(name="from")))
    relation: str
    end: str = field(metadata=as_json(JsonField(name="to")))
    note: str | None = field(default=None, metadata=OPTIONAL)
    weight: float | None = field(default=None, metadata=OPTIONAL)
    confidence: float | None = field(default=None, metadata=OPTIONAL)
    source: str | None = field(default=None, metadata=OPTIONAL)
    created_at: datetime | None = field(default=None, metadata=OPTIONAL)
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)
    attributes: Mapping[str, limits.Attribute] = field(default_factory=dict, metadata=ATTRIBUTES)
    provenance: Provenance | None = field(default=None, metadata=OPTIONAL)
    unset: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    replaces: SharedEnd | None = field(default=None, metadata=OPTIONAL)

    @classmethod
    def from_json(
        cls,
        value: object,
        *,
        argument: str = "relation",
        exported: bool = False,
        corrects: bool = False,
    ) -> "Relation":
        """Read a relation from a JSON line's object and check every field; see `Entity`.

        Raises:
            InvalidInput: A field is not allowed; the message names it.
        """
        allowed = _RELATION_FIELDS | (RELATION_CORRECTION_FIELDS if corrects else frozenset())
        fields = object_of(argument, value, allowed=allowed, exported=exported)
        if fields.get("type", "relation") != "relation":
            hint = "Its own type, such as DEPENDS_ON, is its `relation`."
            raise InvalidInput(f"{argument}.type", fields["type"], "must be `relation`", hint=hint)
        checked_fields = {
            row.name: optional(row.check, f"{argument}.{row.name}", fields)
            for row in RELATION_FIELDS
        }
        check_period(argument, checked_fields)
        replaces = optional(shared_end, f"{argument}.replaces", fields)
        if replaces is not None and checked_fields["valid_until"] is not None:
            # What has ended itself would end what holds now.
            raise InvalidInput(
                f"{argument}.replaces", replaces, "cannot be combined with valid_until"
            )
        if replaces is not None and checked_fields["valid_from"] == date.min:
            # What it replaces would end the day before.
            raise InvalidInput(
                f"{argument}.valid_from", date.min.isoformat(), "must be a later day with replaces"
            )
        return cls(
            start=required(limits.name, f"{argument}.from", fields),
            relation=required(limits.relation_type, f"{argument}.relation", fields),
            end=required(limits.name, f"{argument}.to", fields),
            attributes=limits.attributes(
                f"{argument}.attributes",
                fields.get("attributes") or {},
                reserved=RESERVED_RELATION_ATTRIBUTES,
            ),
            provenance=optional(_provenance, f"{argument}.provenance", fields),
            unset=relation_unset(f"{argument}.unset", fields),
            replaces=replaces,
            **checked_fields,
        )

    @property
    def display_name(self) -> str:
        """What reports call it: `start -[TYPE]-> end`, with the day from which it is valid."""
        return relation_name(self.start, self.relation, self.end, since(self.valid_from))

    def to_json(self) -> dict[str, object]:
        """Write the relation as the object of a JSON line, without absent fields."""
        return {"type": "relation"} | JsonObject.to_json(self)


_ENTITY_FIELDS = frozenset(
    {
        "type", "name", *(row.name for row in ENTITY_FIELDS), "observations", "aliases", "tags",
        "created_at", "attributes",
    }
)  # fmt: skip
_RELATION_FIELDS = frozenset({"type", *IDENTITY_NAMES, *FIELD_NAMES, "attributes"})
