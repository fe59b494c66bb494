"""Reads properties that somebody may have edited by hand, and gives them the types of graphmem."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.graph import Row
from graphmem.model import limits, stored_values
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.period import PERIOD
from graphmem.model.provenance import CALLER
from graphmem.model.status import ACTIVE
from graphmem.write.assertions.provenance import Fact

_TEXTS = ("title", "category", "source", "lead_in")
_LISTS = ("aliases", "tags")


def fields(key: str, properties: Row, now: datetime) -> dict[str, Any]:
    """The fields of an entity with valid types, missing ones filled in."""
    status = properties.get("status")
    authors = properties.get("asserted_by")
    record = properties.get("graphmem_assertions")
    return {
        "key": key,
        "project": text.project_of(key),
        "status": status if isinstance(status, str) and status.strip() else ACTIVE,
        **{name: stored_values.texts(properties.get(name)) for name in _LISTS},
        **{name: stored_values.optional_text(properties.get(name)) for name in _TEXTS},
        "confidence": stored_values.share(properties.get("confidence")),
        **{name: stored_values.day(properties.get(name)) for name in PERIOD},
        "created_at": stored_values.moment(properties.get("created_at")) or now,
        "updated_at": stored_values.moment(properties.get("updated_at")) or now,
        "asserted_by": stored_values.texts(authors) or [CALLER],
        "graphmem_assertions": record if _is_record(record) else None,
    }


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
    try:
        return fact[0] != "attribute" or limits.attribute(fact[1], value) is not None
    except InvalidInput:
        return False


def _is_kind(value: object) -> bool:
    try:
        return limits.kind("kind", value) == value
    except InvalidInput:
        return False


def _is_record(value: object) -> bool:
    """Whether it is what `record_of` writes."""
    try:
        return value is None or isinstance(json.loads(str(value)), dict | list)
    except ValueError:
        return False
