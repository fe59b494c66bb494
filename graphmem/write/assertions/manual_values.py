"""Reads properties that somebody may have edited by hand, and gives them the types of graphmem."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from graphmem import text
from graphmem.graph import Row
from graphmem.model import limits, stored_values
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.entity_fields import ENTITY_FIELDS
from graphmem.model.period import PERIOD
from graphmem.model.provenance import CALLER
from graphmem.model.relation_fields import CREATED_BY
from graphmem.model.status import ACTIVE, HIDDEN_STATUSES
from graphmem.model.stored_values import optional_text
from graphmem.write.assertions.provenance import Fact

# The kind is compared with the label, and the text is in the passages.
_FIELDS = tuple(row for row in ENTITY_FIELDS if row.name not in {"kind", "text"})
_LISTS = ("aliases", "tags")
# What every entity has.
_WRITTEN: dict[str, type] = {
    "name": str, "kind": str, "status": str, "live": bool, "graphmem_filters": str,
    "created_at": datetime, "updated_at": datetime,
}  # fmt: skip


def fields(key: str, properties: Row, now: datetime) -> dict[str, Any]:
    """The fields of an entity with valid types, missing ones filled in."""
    status = properties.get("status")
    authors = properties.get("asserted_by")
    return {
        **{row.name: row.read(properties.get(row.name)) for row in _FIELDS},
        "key": key,
        "project": text.project_of(key),
        "status": status if isinstance(status, str) and status.strip() else ACTIVE,
        **{name: stored_values.texts(properties.get(name)) for name in _LISTS},
        # A text that says a day becomes one.
        **{name: stored_values.day(properties.get(name)) for name in PERIOD},
        "created_at": stored_values.moment(properties.get("created_at")) or now,
        "updated_at": stored_values.moment(properties.get("updated_at")) or now,
        "asserted_by": stored_values.texts(authors) or [CALLER],
        "graphmem_assertions": stored_values.record(properties.get("graphmem_assertions")),
        CREATED_BY: stored_values.optional_text(properties.get(CREATED_BY)),
    }


def typed(key: str, properties: Row, labels: Sequence[str]) -> Row:
    """The properties of an entity, each of the type that graphmem writes.

    Whether it lives says its status, and its filter tokens are made anew by the next write.
    """
    if not properties:
        return {}
    written, now = properties, datetime.now(UTC)
    if any(not isinstance(properties.get(name), kind) for name, kind in _WRITTEN.items()):
        status = optional_text(properties.get("status")) or ACTIVE
        written = {
            **properties,
            "name": str(properties["name"]),
            "kind": kind_of(properties, labels),
            "status": status,
            "live": text.normalised(status) not in HIDDEN_STATUSES,
            "graphmem_filters": optional_text(properties.get("graphmem_filters")) or "",
            "created_at": stored_values.moment(properties.get("created_at")) or now,
            "updated_at": stored_values.moment(properties.get("updated_at")) or now,
        }
    values = fields(key, written, now)
    other = {
        name: value
        for name, value in values.items()
        if written.get(name) is not None and written[name] != value
    }
    return written | other


def kind_of(properties: Row, labels: Sequence[str]) -> str:
    """The kind of an entity; where property and label differ, the one edited by hand counts."""
    kind = properties.get("kind")
    if isinstance(kind, str) and list(labels) == [kind]:
        return kind
    allowed = [label for label in labels if _is_kind(label)]
    if not _is_kind(kind):
        return allowed[0] if allowed else DEFAULT_KIND
    word = text.token("kind", text.normalised(str(kind)))
    is_as_written = word in str(properties.get("graphmem_filters")).split()
    return allowed[0] if len(labels) == len(allowed) == 1 and is_as_written else str(kind)


def is_sayable(fact: Fact, value: object) -> bool:
    """Whether a value is of a type that graphmem writes; Neo4j has points and durations, too."""
    return fact[0] != "attribute" or limits.or_none(limits.attribute, value) is not None


def _is_kind(value: object) -> bool:
    return value is not None and limits.or_none(limits.kind, value) == value
