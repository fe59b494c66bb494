"""Reads properties as the store holds them: somebody may have edited them by hand.

Each function gives the type that graphmem writes, whatever is there.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from graphmem.model import limits
from graphmem.model.period import PERIOD, Day

ORIGINS = frozenset({"text", "observation", "card"})


def texts(value: object) -> list[str]:
    """A list of texts, where somebody may have written one text or another list."""
    items = value if isinstance(value, list | tuple) else [] if value is None else [value]
    if items is value and all(isinstance(item, str) for item in items):
        return [str(item) for item in items]
    return list(dict.fromkeys(stripped for item in items if (stripped := str(item).strip())))


def optional_text(value: object) -> str | None:
    """A text, where somebody may have written a number."""
    return value if isinstance(value, str) or value is None else str(value)


def moment(value: object) -> datetime | None:
    """A moment in UTC, or None for what is neither a moment nor a day."""
    return limits.or_none(limits.moment, value)


def day(value: object) -> Day | None:
    """A day or moment, where somebody may have written a text; None for what is neither."""
    return limits.or_none(limits.day_or_moment, value)


def bound(value: object) -> Day | None:
    """What bounds a period in a search: a day or moment, and not a text that says the same."""
    return value if isinstance(value, date) else None


def share(value: object) -> float | None:
    """A number in [0, 1], or None where it is another or something else."""
    return limits.or_none(limits.share, value)


def record(value: object) -> str | None:
    """A list or an object as JSON text, or None for everything else."""
    try:
        is_record = isinstance(value, str) and isinstance(json.loads(value), dict | list)
    except ValueError:
        return None
    return str(value) if is_record else None


def number(value: object, default: int) -> int:
    """A whole number from 0, or the default for everything else."""
    is_number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return int(str(value)) if is_number else default


def passages(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The passages of an entity with values of the types that graphmem writes, in their order.

    Those without an id or words are left out, unless they are parts of a text.
    """
    return [
        passage
        for place, row in enumerate(rows)
        if (passage := _passage(row, place))["origin"] == "text"
        or (passage["text"].strip() and passage.get("id", "") is not None)
    ]


def _passage(row: Mapping[str, Any], place: int) -> dict[str, Any]:
    """A passage; only the properties that were read."""
    content = row["text"]
    typed: dict[str, Any] = {
        "id": row["id"] if isinstance(row.get("id"), str) else None,
        "text": content if isinstance(content, str) else optional_text(content) or "",
        "origin": row["origin"] if row["origin"] in ORIGINS else "observation",
        "position": number(row["position"], place),
        "created_at": moment(row.get("created_at")),
        "source": optional_text(row.get("source")),
        "confidence": share(row.get("confidence")),
        **{name: bound(row.get(name)) for name in PERIOD},
        "asserted_by": texts(row.get("asserted_by")) or None,
        "digest": optional_text(row.get("digest")),
        "pending": row.get("pending") or None,
    }
    return {**row, **{name: value for name, value in typed.items() if name in row}}
