"""The fields of a relation beside its ends, its type and its custom attributes, each defined once.

A row here and an attribute of `Relation` are all there is to a new field: reading and writing JSON
lines, the properties in the store, who asserted what, what an agent is told, and the names that own
attributes may not have follow from the table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from graphmem.model import limits, sources
from graphmem.model.entity_fields import SHARE
from graphmem.model.reserved import ReservedNames

# Of one relation, as seen from an entity: `out` if it starts there, `in` if it ends there.
RelationDirection = Literal["out", "in"]


@dataclass(frozen=True, slots=True)
class RelationField:
    """A field of a relation, of one name everywhere.

    Args:
        name: Its name in Python, in JSON lines and in the store.
        check: Checks a value that is given, as those of `limits` do.
        is_fact: Whether the store keeps each author's value of it, of which the latest counts.
        schema: What an agent is told of it, as JSON Schema.
    """

    name: str
    check: Callable[[str, object], Any]
    is_fact: bool = True
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})


RELATION_FIELDS = (
    RelationField(
        "note", limits.text, schema={"type": "string", "description": "Why they are linked"}
    ),
    RelationField("weight", limits.share, schema=SHARE),
    RelationField("confidence", limits.share, schema=SHARE),
    RelationField("source", sources.source),
    RelationField("created_at", limits.moment, is_fact=False),
    RelationField(
        "valid_from",
        limits.day_or_moment,
        is_fact=False,
        schema={"type": "string", "description": "ISO date; part of its identity"},
    ),
    RelationField("valid_until", limits.day_or_moment),
)
FIELD_NAMES = tuple(row.name for row in RELATION_FIELDS)
FACT_NAMES = tuple(row.name for row in RELATION_FIELDS if row.is_fact)
# What says which relation it is, in a JSON line, beside `valid_from`.
IDENTITY_NAMES = ("from", "relation", "to")
# The property by which the store tells relations of one type between the same ends apart: where
# they begin, or an empty text, since null equals nothing.
SINCE = "graphmem_since"
# The property that names the change which made it.
CREATED_BY = "graphmem_change"
# Names that a custom attribute may not have.
RESERVED_RELATION_ATTRIBUTES = ReservedNames(
    frozenset({*IDENTITY_NAMES, *FIELD_NAMES, "type", "asserted_by"})
)
