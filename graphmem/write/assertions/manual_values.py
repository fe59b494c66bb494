"""Reads properties that somebody may have edited by hand, and gives them the types of graphmem."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.graph import Row
from graphmem.model import limits
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.period import PERIOD, Day
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
        **{name: texts(properties.get(name)) for name in _LISTS},
        **{name: optional_text(properties.get(name)) for name in _TEXTS},
        "confidence": share(properties.get("confidence")),
        **{name: day(properties.get(name)) for name in PERIOD},
        "created_at": moment(properties.get("created_at"), now),
        "updated_at": moment(properties.get("updated_at"), now),
        "asserted_by": texts(authors) or [CALLER],
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


def texts(value: object) -> list[str]:
    """A list of texts, where somebody may have written one text or another list."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    if isinstance(value, list) and all(isinstance(item, str) for item in items):
        return [str(item) for item in items]
    return list(dict.fromkeys(stripped for item in items if (stripped := str(item).strip())))


def optional_text(value: object) -> str | None:
    """A text, where somebody may have written a number."""
    return value if isinstance(value, str) or value is None else str(value)


def moment(value: object, now: datetime) -> datetime:
    """A moment, where somebody may have written none or a text."""
    try:
        return value if isinstance(value, datetime) else limits.moment("moment", value)
    except InvalidInput:
        return now


def day(value: object) -> Day | None:
    """A day or moment, where somebody may have written a text; None for what is neither."""
    try:
        return None if value is None else limits.day_or_moment("day", value)
    except InvalidInput:
        return None


def share(value: object) -> float | None:
    """A number in [0, 1], or None where it is another or something else."""
    try:
        return None if value is None else limits.share("confidence", value)
    except InvalidInput:
        return None


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
