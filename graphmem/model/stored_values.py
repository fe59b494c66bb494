"""Reads properties as the store holds them: somebody may have edited them by hand.

Each function gives the type that graphmem writes, whatever is there.
"""

from datetime import date, datetime

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.period import Day


def texts(value: object) -> list[str]:
    """A list of texts, where somebody may have written one text or another list."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    if isinstance(value, list) and all(isinstance(item, str) for item in items):
        return [str(item) for item in items]
    return list(dict.fromkeys(stripped for item in items if (stripped := str(item).strip())))


def optional_text(value: object) -> str | None:
    """A text, where somebody may have written a number."""
    return value if isinstance(value, str) or value is None else str(value)


def moment(value: object) -> datetime | None:
    """A moment in UTC, or None for what is neither a moment nor a day."""
    try:
        return None if value is None else limits.moment("moment", value)
    except InvalidInput:
        return None


def day(value: object) -> Day | None:
    """A day or moment, where somebody may have written a text; None for what is neither."""
    try:
        return None if value is None else limits.day_or_moment("day", value)
    except InvalidInput:
        return None


def bound(value: object) -> Day | None:
    """What bounds a period in a search: a day or moment, and not a text that says the same."""
    return value if isinstance(value, date) else None


def share(value: object) -> float | None:
    """A number in [0, 1], or None where it is another or something else."""
    try:
        return None if value is None else limits.share("share", value)
    except InvalidInput:
        return None
