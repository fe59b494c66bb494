"""From words to a stretch of the calendar: `last week`, `March 2025`, `3 days`, `5 марта`."""

import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from graphmem.dates import spans
from graphmem.dates.spans import Span
from graphmem.dates.words import YEAR_WORDS, Token

FIRST_YEAR = 1970
MONTH_KINDS = frozenset({"month", "short month"})
LEAP_DAY = (2, 29)
# What ends right before the year 1, or begins there in a zone east of UTC, is in no calendar.
FIRST_ISO_YEAR = 2


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of the calendar that was said.

    Args:
        span: What it means.
        end: The place of the first word after it.
        stands_alone: Whether it means a date also without a word such as `in` before it.
        year: The year that was said, or None.
        lacks_year: Whether a year could have been said.
        is_range: Whether its first and last day were said.
    """

    span: Span
    end: int
    stands_alone: bool
    year: int | None = None
    lacks_year: bool = False
    is_range: bool = False


class Periods:
    """Reads periods from the words of a question.

    Args:
        words: The words.
        moment: That of the question, by the clock of the caller, with its zone.
        zone: Whose clock that is; None for that of this machine.
    """

    def __init__(self, words: Sequence[Token], moment: datetime, zone: tzinfo | None) -> None:
        self._words = words
        self._moment = moment
        self._zone = zone
        self._now = moment.replace(tzinfo=None)

    def at(self, place: int, *, year: int | None = None) -> Period | None:
        """The period that begins at a word; None where none does.

        Args:
            place: The word.
            year: The year of what says none; by default the latest one in which it has begun.
        """
        rules: tuple[Callable[[int, int | None], Period | None], ...] = (
            self._day, self._relative, self._ago, self._weekday, self._iso, self._days, self._date,
            self._month, self._quarter, self._year,
        )  # fmt: skip
        for rule in rules:
            try:
                period = rule(place, year)
            except (ValueError, OverflowError):  # a day that is in no calendar is no date
                period = None
            if period is not None:
                return period
        return None

    def begun_at(self, place: int) -> Period | None:
        """The period that begins at a word, unless it lies in the future."""
        period = self.at(place)
        return period if period is not None and self.has_begun(period) else None

    def has_begun(self, period: Period) -> bool:
        """Whether a period does not lie in the future: nothing was said there yet."""
        return period.span.start is None or period.span.start <= self._now

    def kind(self, place: int) -> str:
        """The kind of the word at a place; empty beyond the last one."""
        return self._words[place].kind if place < len(self._words) else ""

    def number(self, place: int) -> int:
        """The number of a word that is a number, month, weekday or year."""
        value = self._words[place].value
        return value if isinstance(value, int) else 0

    def _text(self, place: int) -> str:
        return str(self._words[place].value)

    def _word_at(self, place: int) -> str:
        return self._words[place].text if place < len(self._words) else ""

    def _day(self, place: int, _: int | None) -> Period | None:
        """`yesterday`, `the day before yesterday`."""
        if self.kind(place) == "day":
            span = spans.around(self._now, "day", self.number(place))
            return Period(span, place + 1, stands_alone=True)
        if self.kind(place) == "before yesterday":
            return Period(spans.around(self._now, "day", 2), place + 1, stands_alone=True)
        start = place + (self.kind(place) == "article")
        next_words = [word.text for word in self._words[start : start + 3]]
        if next_words == ["day", "before", "yesterday"]:
            return Period(spans.around(self._now, "day", 2), start + 3, stands_alone=True)
        return None

    def _relative(self, place: int, _: int | None) -> Period | None:
        """`last week`, `this month`, `the past year`, `last 3 days`, `last March`."""
        has_article = self.kind(place) == "article"
        place += has_article
        sort = self.kind(place)
        if sort not in {"last", "this", "past"}:
            return None
        count, next_place = 1, place + 1
        is_counted = self.kind(next_place) == "number" and sort != "this"
        if is_counted:
            count, next_place = self.number(next_place), next_place + 1
        is_part = self._is_part(next_place + 1)
        if self.kind(next_place) == "unit" and count > 0 and not is_part:
            unit = self._text(next_place)
            # "The last week" is the seven days until now, "last week" the one of the calendar.
            if is_counted or sort == "past" or (sort == "last" and has_article):
                return Period(self._back(unit, count), next_place + 1, stands_alone=True)
            if unit == "hour":
                return None
            span = spans.around(self._now, unit, int(sort == "last"))
            return Period(span, next_place + 1, stands_alone=True)
        if is_counted:
            return None
        return self._last_named(sort, next_place)

    def _back(self, unit: str, count: int) -> Span:
        if unit == "hour":
            return spans.hours_back(self._moment, self._zone, count)
        return spans.back(self._now, unit, count)

    def _last_named(self, sort: str, place: int) -> Period | None:
        """The weekday or month that `last` or `this` stands before."""
        if self._is_part(place + 1):
            return None
        if self.kind(place) == "weekday" and sort == "last":
            today = self._now.weekday()
            ago = (today - self.number(place) - 1) % 7 + 1
            return Period(spans.around(self._now, "day", ago), place + 1, stands_alone=True)
        if self.kind(place) == "month" and sort in {"last", "this"}:
            number = self.number(place)
            this_year = self._now.year
            if sort == "last":
                this_year -= number >= self._now.month
            span = spans.month(this_year, number)
            return Period(span, place + 1, stands_alone=sort == "last")
        return None

    def _is_part(self, place: int) -> bool:
        """Whether what stands before is counted in something else: `the last week of March`."""
        if self._word_at(place) == "of":
            return True
        return self.kind(place) == "month" and self._words[place].is_russian

    def _ago(self, place: int, _: int | None) -> Period | None:
        """`3 days ago`, `a week ago`, `неделю назад`."""
        count, next_place = 1, place
        if self.kind(place) == "number":
            count, next_place = self.number(place), place + 1
        if self.kind(next_place) != "unit" or self.kind(next_place + 1) != "ago":
            return None
        unit = self._text(next_place)
        if unit == "hour":
            return None
        return Period(spans.around(self._now, unit, count), next_place + 2, stands_alone=True)

    def _weekday(self, place: int, _: int | None) -> Period | None:
        """`Monday`: today, or the last one before it."""
        if self.kind(place) != "weekday":
            return None
        ago = (self._now.weekday() - self.number(place)) % 7
        return Period(spans.around(self._now, "day", ago), place + 1, stands_alone=False)

    def _iso(self, place: int, _: int | None) -> Period | None:
        """`2025-03-01`, `2025-03`."""
        if self.kind(place) != "iso":
            return None
        parts = [int(part) for part in self._text(place).split("-")]
        if parts[0] < FIRST_ISO_YEAR:
            return None
        span = spans.month(*parts) if len(parts) == 2 else spans.day(*parts)  # noqa: PLR2004 - a year and a month
        return Period(span, place + 1, stands_alone=False, year=parts[0])

    def _days(self, place: int, year: int | None) -> Period | None:
        """`5-10 March 2026`, `March 5-10, 2026`, `5 to 10 March`, `5 по 10 марта`."""
        is_month_first = self.kind(place) != "number"
        month, first = (place, place + 1) if is_month_first else (place + 3, place)
        last = first + 2
        are_days = self._is_day_number(first) and self._is_day_number(last)
        if not are_days or self.kind(month) not in MONTH_KINDS or not self._is_joint(first + 1):
            return None
        stated_year, next_place = self._stated_year(place + 4)
        month_number, first_day = self.number(month), self.number(first)
        chosen_year = stated_year or year or self._year_until(month_number, first_day)
        start = spans.day(chosen_year, month_number, first_day).start
        end = spans.day(chosen_year, month_number, self.number(last)).end
        if first_day >= self.number(last):
            return None
        stands_alone = stated_year is not None or self._words[month].is_russian
        return Period(
            Span(start, end), next_place, stands_alone, stated_year,
            lacks_year=stated_year is None, is_range=True,
        )  # fmt: skip

    def _is_day_number(self, place: int) -> bool:
        return self.kind(place) == "number" and self._words[place].text[0].isdecimal()

    def _is_joint(self, place: int) -> bool:
        """Whether a word stands between the first and the last day of a range."""
        if self.kind(place) == "and":
            return self.kind(place - 2) == "between" or self.kind(place - 3) == "between"
        return self.kind(place) in {"dash", "to"} or (
            self.kind(place) == "operator" and self._text(place) in {"until", "range end"}
        )

    def _date(self, place: int, year: int | None) -> Period | None:
        """`5 March`, `March 5, 2026`, `5 марта 2026 года`."""
        kind, next_kind = self.kind(place), self.kind(place + 1)
        if kind == "number" and next_kind in MONTH_KINDS:
            number, month_place = place, place + 1
        elif kind in MONTH_KINDS and next_kind == "number":
            number, month_place = place + 1, place
        else:
            return None
        if not self._is_day_number(number):
            return None
        stated_year, next_place = self._stated_year(place + 2)
        chosen_year = (
            stated_year or year or self._year_until(self.number(month_place), self.number(number))
        )
        span = spans.day(chosen_year, self.number(month_place), self.number(number))
        stands_alone = stated_year is not None or self._words[month_place].is_russian
        return Period(span, next_place, stands_alone, stated_year, lacks_year=stated_year is None)

    def _month(self, place: int, year: int | None) -> Period | None:
        """`March`, `March 2025`, `марте прошлого года`; `Mar` only with a year."""
        if self.kind(place) not in MONTH_KINDS:
            return None
        number = self.number(place)
        stated_year, next_place = self._stated_year(place + 1)
        if stated_year is None and self.kind(place) == "short month":
            return None
        if stated_year is None and self._word_at(place + 1) == "of":  # "march of the penguins"
            return None
        chosen_year = stated_year or year or self._year_until(number, 1)
        span = spans.month(chosen_year, number)
        return Period(
            span, next_place, stated_year is not None, stated_year, lacks_year=stated_year is None
        )

    def _quarter(self, place: int, year: int | None) -> Period | None:
        """`Q3`, `Q3 2025`."""
        if self.kind(place) != "quarter":
            return None
        stated_year, next_place = self._stated_year(place + 1)
        number = self.number(place)
        chosen_year = stated_year or year or self._year_until(3 * number - 2, 1)
        span = spans.quarter(chosen_year, number)
        return Period(
            span, next_place, stated_year is not None, stated_year, lacks_year=stated_year is None
        )

    def _year(self, place: int, _: int | None) -> Period | None:
        """`2025`, `2025 году`."""
        year, next_place = self._stated_year(place)
        if year is None or self.kind(place) != "year":
            return None
        return Period(spans.year(year), next_place, stands_alone=False, year=year)

    def _stated_year(self, place: int) -> tuple[int | None, int]:
        """A year that has begun, such as `2025`, `of 2025` or `last year`, and what follows."""
        start = place
        if self._word_at(place) in {",", "of"}:
            place += 1
        if self.kind(place) == "year" and FIRST_YEAR <= self.number(place) <= self._now.year:
            next_place = place + 1
            return self.number(place), next_place + (self._word_at(next_place) in YEAR_WORDS)
        relative = self.kind(place)
        names_year = self.kind(place + 1) == "unit" and self._text(place + 1) == "year"
        if relative in {"last", "this"} and names_year:
            return self._now.year - (relative == "last"), place + 2
        return None, start

    def _year_until(self, month: int, day: int) -> int:
        """The latest year in which a day has begun; 29 February is not in every one."""
        today = self._now
        year = today.year - ((month, day) > (today.month, today.day))
        while (month, day) == LEAP_DAY and not calendar.isleap(year):
            year -= 1
        return year
