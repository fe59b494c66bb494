"""Stretches of the calendar: days, weeks, months, quarters and years, by a person's clock."""

import calendar
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}
TICK = timedelta(microseconds=1)
DAYS_OF = {"day": 1, "week": 7}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time without a zone.

    Args:
        start: Its first moment; None where it has no beginning.
        end: The first moment after it; None where it has no end.
    """

    start: datetime | None
    end: datetime | None


def day(year: int, month: int, number: int) -> Span:
    """A day.

    Raises:
        ValueError: It is in no calendar.
    """
    start = datetime(year, month, number)  # noqa: DTZ001 - the zone is the caller's
    return Span(start, start + timedelta(days=1))


def week(year: int, number: int) -> Span:
    """A week of ISO 8601, from Monday.

    Raises:
        ValueError: It is in no calendar.
    """
    start = datetime.fromisocalendar(year, number, 1)
    return Span(start, start + timedelta(days=7))


def month(year: int, number: int) -> Span:
    """A month."""
    start = datetime(year, number, 1)  # noqa: DTZ001 - likewise
    return Span(start, add_months(start, 1))


def quarter(year: int, number: int) -> Span:
    """A quarter of a year, from 1."""
    start = datetime(year, 3 * number - 2, 1)  # noqa: DTZ001 - likewise
    return Span(start, add_months(start, 3))


def half(year: int, number: int) -> Span:
    """A half of a year, 1 or 2."""
    start = datetime(year, 6 * number - 5, 1)  # noqa: DTZ001 - likewise
    return Span(start, add_months(start, 6))


def year(number: int) -> Span:
    """A year."""
    return Span(datetime(number, 1, 1), datetime(number + 1, 1, 1))  # noqa: DTZ001 - likewise


def around(moment: datetime, unit: str, ago: int = 0) -> Span:
    """The day, week from Monday, month, quarter or year that was so many of them before a moment.

    Raises:
        ValueError: That is before all calendars.
        OverflowError: Likewise.
    """
    midnight = datetime.combine(moment, time.min)
    if unit in DAYS_OF:
        length = timedelta(days=DAYS_OF[unit])
        start = midnight - timedelta(days=midnight.weekday() if unit == "week" else 0)
        return Span(start - ago * length, start - (ago - 1) * length)
    months = MONTHS_OF[unit]
    first_month = (midnight.month - 1) // months * months + 1
    start = add_months(midnight.replace(month=first_month, day=1), -ago * months)
    return Span(start, add_months(start, months))


def back(moment: datetime, unit: str, count: int) -> Span:
    """The last so many days, weeks, months or years, from a midnight.

    It has no end, and begins at the same moment all day long, so that pages fit together.

    Raises:
        ValueError: It begins before all calendars.
        OverflowError: Likewise.
    """
    midnight = datetime.combine(moment, time.min)
    if unit in DAYS_OF:
        return Span(midnight - timedelta(days=count * DAYS_OF[unit]), None)
    return Span(add_months(midnight, -count * MONTHS_OF[unit]), None)


def hours_back(moment: datetime, zone: tzinfo | None, count: int) -> Span:
    """The last so many hours, from a whole one: hours that passed, whatever was done to the clock.

    Args:
        moment: With its zone.
        zone: Whose clock the span goes by; None for that of this machine.
        count: How many hours.

    Raises:
        OverflowError: It begins before all calendars.
    """
    full_hour = moment.replace(minute=0, second=0, microsecond=0).astimezone(UTC)
    start = (full_hour - timedelta(hours=count)).astimezone(zone)
    return Span(start.replace(tzinfo=None), None)


def minutes_back(moment: datetime, zone: tzinfo | None, minutes: float) -> datetime:
    """When so many minutes have still to pass, by the clock: a full ten minutes before or at that.

    Args:
        moment: With its zone.
        zone: Whose clock the answer goes by; None for that of this machine.
        minutes: How many minutes.

    Raises:
        OverflowError: It is before all calendars.
    """
    exact = moment.astimezone(UTC) - timedelta(minutes=minutes)
    full = exact.replace(minute=exact.minute // 10 * 10, second=0, microsecond=0)
    return full.astimezone(zone).replace(tzinfo=None)


def add_months(moment: datetime, months: int) -> datetime:
    """The same day so many months later, or the last one of a month that is too short.

    Raises:
        ValueError: It is in no year from 1 to 9999.
    """
    count = moment.year * 12 + moment.month - 1 + months
    year, number = divmod(count, 12)
    last_day = calendar.monthrange(year, number + 1)[1]
    return moment.replace(year=year, month=number + 1, day=min(moment.day, last_day))
