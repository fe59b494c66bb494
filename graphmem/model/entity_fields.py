"""The fields of an entity of which each author has a word, each defined once.

A row here and an attribute of `Entity` are all there is to a new field: reading JSON lines and
front matter, the properties in the store and how they are read, who asserted what, what may be
unset, which of two rows of one file counts, what an agent is told, and the names that own
attributes may not have follow from the table. Lists (`aliases`, `tags`), observations and own
attributes are no rows: of those an author adds and removes items.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphmem.model import limits, sources, stored_values

# What an agent is told of a number from 0 to 1.
SHARE: Mapping[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}


@dataclass(frozen=True, slots=True)
class EntityField:
    """A field of an entity, of one name everywhere.

    Args:
        name: In Python, in JSON lines and, `text` excepted, in the store.
        check: Checks a value that is given, as those of `limits` do.
        schema: What an agent is told of it, as JSON Schema.
        read: Makes the value of what the store holds, as those of `stored_values` do; None where
            that is nothing, or no such value.
    """

    name: str
    check: Callable[[str, object], Any]
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})
    read: Callable[[object], Any] = stored_values.optional_text


def _described(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


ENTITY_FIELDS = (
    EntityField("kind", limits.kind, _described("What it is: Person, Decision, Function")),
    EntityField("title", limits.name),
    EntityField("text", limits.text, _described("Long text; replaces the one it has")),
    EntityField("status", limits.label, _described("active, superseded, deprecated or your own")),
    EntityField("category", limits.label),
    EntityField("confidence", limits.share, SHARE, stored_values.share),
    EntityField("source", sources.source),
    EntityField("lead_in", limits.name, _described("What it follows on; embedded with it")),
    EntityField(
        "valid_from",
        limits.day_or_moment,
        _described("Valid from this day or moment"),
        stored_values.bound,
    ),
    EntityField("valid_until", limits.day_or_moment, read=stored_values.bound),
)
FIELD_NAMES = tuple(row.name for row in ENTITY_FIELDS)
