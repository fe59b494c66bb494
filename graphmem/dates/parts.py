"""Parts of a period and moments of a day: `early March`, `yesterday morning`, `5pm yesterday`."""

from dataclasses import replace
from datetime import timedelta

from graphmem.dates import spans
from graphmem.dates.periods import Periods
from graphmem.dates.relative import HALF_AN_HOUR, MINUTES_OF, Period
from graphmem.dates.spans import Span
from graphmem.dates.words import clock_minutes

DAY = timedelta(days=1)
# The hours of a day at which a part of it begins and ends; a night ends on the next one.
HOURS_OF_DAY = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30)}
NIGHT = "night"


class PartialPeriods(Periods):
    """Reads periods, parts of them, and moments."""

    def at(self, place: int, *, year: int | None = None) -> Period | None:
        """The period, or part of one, that begins at a word; None where none does.

        Args:
            place: The word.
            year: The year of what says none; by default the latest one in which it has begun.
        """
        period = self._part(place, year) or self._named_part_of_day(place)
        return period or self._part_of_day(super().at(place, year=year))

    def moment(self, place: int, day: Span | None) -> Period | None:
        """The moment that begins at a word: `5pm yesterday`, `yesterday at 5pm`, `2 hours ago`.

        Args:
            place: The word.
            day: The day of a time that names none; None where it is not known.
        """
        if (time_ago := self._exact_time_ago(place)) is not None:
            return time_ago
        minutes, next_place = self._time(place)
        if minutes is None:
            named_day = super().at(place)
            at = named_day.end if named_day else place
            is_joined = self.kind(at) == "at" or self._is_in(at)
            minutes, next_place = self._time(at + is_joined)
        else:
            named_day = super().at(next_place + self._is_in(next_place))
            next_place = named_day.end if named_day else next_place
        named_span = named_day.span if named_day else day
        if minutes is None or named_span is None or not _is_day(named_span):
            return None
        moment = (named_span.start or self._now) + timedelta(minutes=minutes)
        return Period(Span(moment, moment), next_place, stands_alone=False)

    def _exact_time_ago(self, place: int) -> Period | None:
        """`2 hours ago` behind a word such as `since`, which makes a bound of it."""
        half_hour_end = self._half_hour(place)
        if half_hour_end is not None and self.kind(half_hour_end) == "ago":
            moment = spans.minutes_back(self._moment, self._zone, HALF_AN_HOUR)
            return Period(Span(moment, moment), half_hour_end + 1, stands_alone=False)
        count, unit = self._count(place)
        name = self._text(unit) if self.kind(unit) in {"unit", "minute"} else ""
        if not count or name not in MINUTES_OF or self.kind(unit + 1) != "ago":
            return None
        moment = spans.minutes_back(self._moment, self._zone, count * MINUTES_OF[name])
        return Period(Span(moment, moment), unit + 2, stands_alone=False)

    def today(self) -> Span:
        """The day of the question."""
        return spans.around(self._now, "day")

    def _time(self, place: int) -> tuple[int | None, int]:
        """The minutes since midnight of `17:00`, `5pm` or `5 pm`, and the place after it."""
        if self.kind(place) == "clock":
            return self.number(place), place + 1
        half_day = self._word_at(place + 1)
        if self.kind(place) == "number" and half_day in {"am", "pm"}:
            minutes = clock_minutes(f"{self._word_at(place)}{half_day}")
            return minutes, place + 2
        return None, place

    def _is_in(self, place: int) -> bool:
        return self.kind(place) == "operator" and self._text(place) == "in"

    def _part(self, place: int, year: int | None) -> Period | None:
        """`early March`, `mid-2025`, `the end of last year`, `в начале марта`, `с начала года`."""
        place += self.kind(place) == "article"
        whole = place + 1
        if self.kind(place) == "part":
            whole += self._text(place) == "middle" and self.kind(whole) == "dash"
        elif self.kind(place) == "part of" and self._word_at(whole) == "of":
            whole += 1
        else:
            return None
        period = self._this_unit(whole) or self.at(whole, year=year)
        if period is None or period.span.start is None or period.span.end is None:
            return None
        start, end = period.span.start, period.span.end
        days = (end - start).days
        if days < 2:  # noqa: PLR2004 - a day has no such parts
            return None
        bounds = {
            "first half": Span(start, end - days // 2 * DAY),
            "middle": Span(start + days // 4 * DAY, end - days // 4 * DAY),
            "second half": Span(start + days // 2 * DAY, end),
        }
        stands_alone = period.stands_alone or period.year is not None
        span = bounds[self._text(place)]
        return replace(period, span=span, stands_alone=stands_alone, is_vague=True)

    def _this_unit(self, place: int) -> Period | None:
        """`the year` and `года`, of which something is a part."""
        unit = place + (self.kind(place) == "article")
        is_russian = self.kind(unit) == "unit" and self._words[unit].is_russian
        if self.kind(unit) != "unit" or self._text(unit) == "hour":
            return None
        if (unit == place and not is_russian) or self._is_more_exact(unit + 1):
            return None
        return Period(spans.around(self._now, self._text(unit)), unit + 1, stands_alone=True)

    def _is_more_exact(self, place: int) -> bool:
        """Whether a word says which year or week it is: `the year 2024`, `the week of 5 March`."""
        is_operator = self.kind(place) == "operator" and self._text(place) in {"before", "after"}
        return is_operator or self.kind(place) == "year" or self._is_part(place)

    def _named_part_of_day(self, place: int) -> Period | None:
        """`this morning`, `last night`."""
        sort, part = self.kind(place), self.kind(place + 1)
        if part != "part of day" or sort not in {"this", "last"}:
            return None
        is_night = self._text(place + 1) == NIGHT
        if is_night != (sort == "last"):
            return None
        day = Period(spans.around(self._now, "day", int(is_night)), place + 1, stands_alone=True)
        return self._part_of_day(day)

    def _part_of_day(self, period: Period | None) -> Period | None:
        """A period, or the part of its day that the next word names: `yesterday morning`."""
        if period is None or self.kind(period.end) != "part of day":
            return period
        if period.span.start is None or not _is_day(period.span):
            return period
        first_hour, last_hour = HOURS_OF_DAY[self._text(period.end)]
        start = period.span.start
        span = Span(start + timedelta(hours=first_hour), start + timedelta(hours=last_hour))
        return replace(period, span=span, end=period.end + 1, is_vague=True)


def _is_day(span: Span) -> bool:
    return span.start is not None and span.end is not None and span.end - span.start == DAY
