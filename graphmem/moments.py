"""Days and moments as callers give them: ISO 8601, or words such as `yesterday` or `last week`.

Words are read by the clock of this machine. What is stored and what files have is ISO 8601 alone,
which `model.limits` checks.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeVar

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.json_object import iso

EXPECTED = (
    "must be a day such as 2026-03-01, a moment, or words such as `monday`, `last week` or "
    "`3 days ago`"
)

Checked = TypeVar("Checked", bound=date)


def first(argument: str, value: object) -> datetime:
    """Check a moment, or a day, of which it is the first moment."""
    return _checked(argument, value, limits.moment, _first)


def last(argument: str, value: object) -> datetime:
    """Check a moment, or a day, of which it is the last microsecond."""
    return _checked(argument, value, limits.end_of, _last)


def bounds(since: object, until: object) -> tuple[datetime | None, datetime | None]:
    """Check the first and the last moment of a time, as `first` and `last`; None for no bound.

    Raises:
        InvalidInput: One is no day or moment, or it ends before it begins.
    """
    start = None if since is None else first("since", since)
    end = None if until is None else last("until", until)
    if start is not None and end is not None and end < start:
        raise InvalidInput("until", until, f"must not be before since, which is {iso(start)}")
    return start, end


def past(argument: str, value: object) -> datetime:
    """Check a moment that has come, or a day that has begun, as `first`."""
    return _checked(argument, value, limits.past, _first)


def known_then(argument: str, value: object) -> datetime:
    """Check a day or moment whose knowledge is asked for, as `last`. Today is the last day."""
    return _checked(argument, value, limits.known_then, _known_then)


def day_or_moment(argument: str, value: object) -> date | datetime:
    """Check a day, which stays one, or a moment; of words, those that mean a single one."""
    return _checked(argument, value, limits.day_or_moment, _day_or_moment)


def _checked(
    argument: str,
    value: object,
    check: Callable[[str, object], Checked],
    meaning: Callable[[str], Checked | None],
) -> Checked:
    """What a check gives for ISO 8601, and what words mean.

    Raises:
        InvalidInput: It is neither, or the check refuses that day or moment.
    """
    if not isinstance(value, str) or limits.or_none(limits.moment, value) is not None:
        return check(argument, value)
    understood = meaning(value)
    if understood is None:
        raise InvalidInput(argument, value, EXPECTED)
    return understood


def _first(words: str) -> datetime | None:
    return _bounds(f"since {words}")[0]


def _last(words: str) -> datetime | None:
    return _bounds(f"until {words}")[1]


def _known_then(words: str) -> datetime | None:
    """The end of what may not have ended yet, such as this week, is that of today."""
    end = _last(words)
    return None if end is None else min(end, limits.end_of("today", datetime.now(UTC).date()))


def _day_or_moment(words: str) -> date | datetime | None:
    """None for a part of a day, and for several."""
    start, end = _first(words), _last(words)
    if start is None or end is None:
        return None
    if end < start:  # `until` a moment ends before it
        return start
    midnights = [moment.astimezone() for moment in (start, end + timedelta.resolution)]
    days = midnights[1].date() - midnights[0].date()
    is_day = days == timedelta(days=1) and all(at.time() == time.min for at in midnights)
    return midnights[0].date() if is_day else None


def _bounds(phrase: str) -> tuple[datetime | None, datetime | None]:
    """The first or the last moment of a phrase; neither for a range, or where words are left."""
    from graphmem import dates  # noqa: PLC0415 - whose tables most calls do not need

    understood = dates.read(phrase)
    bounds = (understood.since, understood.until)
    return (None, None) if understood.text or None not in bounds else bounds
