"""From words to a stretch of the calendar: `last week`, `March 2025`, `3 days`, `5 марта`."""

import calendar

from graphmem.dates import spans
from graphmem.dates.relative import Period, RelativePeriods
from graphmem.dates.spans import Span
from graphmem.dates.words import HALVES, YEAR_WORDS

FIRST_YEAR = 1970
MONTH_KINDS = frozenset({"month", "short month"})
HALVES_OF_YEAR = 2
LEAP_DAY = (2, 29)
MOST_DAYS = 31
# What ends right before the year 1, or begins there in a zone east of UTC, is in no calendar.
FIRST_ISO_YEAR = 2


class Periods(RelativePeriods):
    """Reads periods from the words of a question, by its calendar and by the day it is asked."""

    def at(self, place: int, *, year: int | None = None) -> Period | None:
        """The period that begins at a word; None where none does.

        Args:
            place: The word.
            year: The year of what says none; by default the latest one in which it has begun.
        """
        rules = (
            self._day_of_week, self._day, self._relative, self._last_half_hour, self._ago,
            self._weekday, self._iso, self._days, self._date, self._month, self._quarter,
            self._part_of_year, self._year,
        )  # fmt: skip
        try:
            return next((period for rule in rules if (period := rule(place, year))), None)
        except (ValueError, OverflowError):  # a day that is in no calendar is no date
            return None

    def begun_at(self, place: int) -> Period | None:
        """The period that begins at a word, unless it lies in the future."""
        period = self.at(place)
        return period if period is not None and self.has_begun(period) else None

    def has_begun(self, period: Period) -> bool:
        """Whether a period does not lie in the future: nothing was said there yet."""
        return period.span.start is None or period.span.start <= self._now

    def _iso(self, place: int, _: int | None) -> Period | None:
        """`2025-03-01`, `2025-03`, `2025-W14`, `2025-Q3`, `2025-H1`."""
        if self.kind(place) != "iso":
            return None
        year, *parts = self._text(place).split("-")
        if int(year) < FIRST_ISO_YEAR:
            return None
        numbers = [int(part.lstrip("qhw")) for part in parts]
        named_spans = {"q": spans.quarter, "h": spans.half, "w": spans.week}
        of_year = named_spans.get(parts[0][0])
        of_digits = spans.month if len(parts) == 1 else spans.day
        span = (of_year or of_digits)(int(year), *numbers)
        return Period(span, place + 1, stands_alone=of_year is not None, year=int(year))

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
        if place and self._is_day_number(place - 1) and self.number(place - 1) <= MOST_DAYS:
            return None  # of `31 February`, which is no date
        chosen_year = stated_year or year or self._year_until(number, 1)
        span = spans.month(chosen_year, number)
        return Period(
            span, next_place, stated_year is not None, stated_year, lacks_year=stated_year is None
        )

    def _quarter(self, place: int, year: int | None) -> Period | None:
        """`Q3`, `Q3 2025`, `2025 Q3`, `H1 2025`."""
        if self.kind(place) == "year" and self.kind(place + 1) in {"quarter", "half"}:
            stated_year, next_place = self._stated_year(place)
            return self._whole_part(stated_year, next_place, next_place + 1)
        stated_year, next_place = self._stated_year(place + 1)
        # Without a year, H1 is a heading.
        if self.kind(place) == "half":
            return self._whole_part(stated_year, place, next_place)
        if self.kind(place) != "quarter":
            return None
        number = self.number(place)
        chosen_year = stated_year or year or self._year_until(3 * number - 2, 1)
        span = spans.quarter(chosen_year, number)
        return Period(
            span, next_place, stated_year is not None, stated_year, lacks_year=stated_year is None
        )

    def _whole_part(self, year: int | None, place: int, next_place: int) -> Period | None:
        """The quarter or half at a place, of a year that is named."""
        if year is None:
            return None
        make = spans.quarter if self.kind(place) == "quarter" else spans.half
        return Period(make(year, self.number(place)), next_place, stands_alone=True, year=year)

    def _part_of_year(self, place: int, _: int | None) -> Period | None:
        """`the first half of 2025`, `second quarter of last year`, `во втором полугодии 2025`."""
        place += self.kind(place) == "article"
        if self.kind(place) != "ordinal":
            return None
        number, year = self.number(place), self._stated_year(place + 2)
        is_quarter = self.kind(place + 1) == "unit" and self._text(place + 1) == "quarter"
        is_half = self._word_at(place + 1) in HALVES and number <= HALVES_OF_YEAR
        if year[0] is None or not (is_quarter or is_half):
            return None
        span = (spans.quarter if is_quarter else spans.half)(year[0], number)
        return Period(span, year[1], stands_alone=True, year=year[0])

    def _year(self, place: int, _: int | None) -> Period | None:
        """`2025`, `2025 году`."""
        year, next_place = self._stated_year(place)
        if year is None or self.kind(place) != "year":
            return None
        return Period(spans.year(year), next_place, stands_alone=False, year=year)

    def _stated_year(self, place: int) -> tuple[int | None, int]:
        """A year that has begun, such as `2025`, `of 2025` or `last year`, and what follows."""
        start = place
        if self._word_at(place) in {",", "of", "/"}:
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
