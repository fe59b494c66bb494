"""Periods that are counted from the day of a question: `last week`, `3 days ago`, `Monday`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from graphmem.dates import spans
from graphmem.dates.spans import Span
from graphmem.dates.words import Token

WEEK = timedelta(days=7)
STEP = timedelta(minutes=10)
# What changes the meaning of `a year ago`.
NOT_EXACT = frozenset({"half", "over", "under", "within"})
# In Russian a single unit needs no number before it.
SINGLE_UNITS = frozenset({"минуту", "час", "день", "неделю", "месяц", "квартал", "год"})
MINUTES_OF = {"minute": 1, "hour": 60}
HALF_AN_HOUR = 30
HALF_HOURS = (("half", "an", "hour"), ("a", "half", "hour"), ("half", "hour"), ("полчаса",))
SHORT_UNITS = frozenset({"h", "d", "w"})


@dataclass(frozen=True, slots=True)
class Period:
    """A period of the calendar that the query names.

    Args:
        span: What it means.
        end: The index of the first word after it.
        stands_alone: Whether it is a date even without a word such as `in` before it.
        year: The year that the query names, or None.
        lacks_year: Whether a year is missing that it could have.
        is_range: Whether the query names its first and last day.
        is_vague: Whether its bounds are only about those that are meant, as in `early March`.
    """

    span: Span
    end: int
    stands_alone: bool
    year: int | None = None
    lacks_year: bool = False
    is_range: bool = False
    is_vague: bool = False


class RelativePeriods:
    """Reads periods that are counted from the day of a question.

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

    def _day_of_week(self, place: int, _: int | None) -> Period | None:
        """`Monday last week`, `last week on Monday`, `в понедельник на прошлой неделе`."""
        is_day_first = self.kind(place) == "weekday"
        week = self._week(self._after_joint(place + 1) if is_day_first else place)
        if week is None:
            return None
        weekday = place if is_day_first else self._after_joint(week.end)
        if self.kind(weekday) != "weekday" or week.span.start is None:
            return None
        start = week.span.start + timedelta(days=self.number(weekday))
        end = week.end if is_day_first else weekday + 1
        return Period(Span(start, start + timedelta(days=1)), end, stands_alone=True)

    def _week(self, place: int) -> Period | None:
        """The week of the calendar that begins at a word."""
        week = self._relative(place, None) or self._ago(place, None)
        if week is None or week.span.start is None or week.span.end is None:
            return None
        return week if week.span.end - week.span.start == WEEK else None

    def _after_joint(self, place: int) -> int:
        """The place behind a word that may stand between a day and its week."""
        is_joint = self._word_at(place) == "of" or (
            self.kind(place) == "operator" and self._text(place) == "in"
        )
        return place + is_joint

    def _day(self, place: int, _: int | None) -> Period | None:
        """`yesterday`, `the day before yesterday`."""
        if self.kind(place) == "day":
            span = spans.around(self._now, "day", self.number(place))
            return Period(span, place + 1, stands_alone=True)
        start = place + (self.kind(place) == "article")
        next_words = [word.text for word in self._words[start : start + 3]]
        if next_words == ["day", "before", "yesterday"]:
            return Period(spans.around(self._now, "day", 2), start + 3, stands_alone=True)
        return None

    def _relative(self, place: int, _: int | None) -> Period | None:
        """`last week`, `this month`, `the past year`, `last 3 days`, `last March`."""
        has_article = self.kind(place) == "article"
        # "This past week" is "the past week".
        place += has_article or (self.kind(place) == "this" and self.kind(place + 1) == "past")
        sort = self.kind(place)
        if sort not in {"last", "this", "past"}:
            return None
        count, next_place = self._count(place + 1) if sort != "this" else (None, place + 1)
        is_counted = count is not None
        is_part = self._is_part(next_place + 1)
        is_unit = self.kind(next_place) == "unit"
        if is_counted:
            is_unit = is_unit or self.kind(next_place) == "minute"
        elif self._word_at(next_place) in SHORT_UNITS:
            is_unit = False
        if is_unit and count != 0 and not is_part:
            unit = self._text(next_place)
            # "The last week" is the seven days until now, "last week" the one of the calendar.
            if is_counted or sort == "past" or (sort == "last" and has_article):
                return Period(self._back(unit, count or 1), next_place + 1, stands_alone=True)
            if unit == "hour":
                return None
            span = spans.around(self._now, unit, int(sort == "last"))
            return Period(span, next_place + 1, stands_alone=True)
        if is_counted:
            return None
        return self._last_named(sort, next_place)

    def _last_half_hour(self, place: int, _: int | None) -> Period | None:
        """`the last half hour`, `последние полчаса`."""
        place += self.kind(place) == "article"
        end = self._half_hour(place + 1) if self.kind(place) in {"last", "past"} else None
        if end is None:
            return None
        return Period(self._back("minute", HALF_AN_HOUR), end, stands_alone=True)

    def _count(self, place: int) -> tuple[int | None, int]:
        """How many, `3` or `a couple of`, and the place of what is counted; None for no number."""
        couple = place + (self._word_at(place) == "a" and self.kind(place + 1) == "couple")
        if self.kind(couple) == "couple":
            return 2, couple + 1 + (self._word_at(couple + 1) == "of")
        if self.kind(place) == "number":
            return self.number(place), place + 1
        return None, place

    def _half_hour(self, place: int) -> int | None:
        """The place after `half an hour`; None where it does not stand, or something is added."""
        if place and (self.kind(place - 1) == "and" or self._word_at(place - 1) == "a"):
            return None
        for words in HALF_HOURS:
            if [word.text for word in self._words[place : place + len(words)]] == list(words):
                return place + len(words)
        return None

    def _back(self, unit: str, count: int) -> Span:
        if unit == "minute":
            return Span(spans.minutes_back(self._moment, self._zone, count), None)
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
        """`3 days ago`, `half an hour ago`, `about two weeks ago`, `неделю назад`."""
        if place and self._is_other_number(place - 1):
            return None
        is_vague = self.kind(place) == "about"
        first = place + is_vague
        half_hour_end = self._half_hour(first)
        if half_hour_end is not None and self.kind(half_hour_end) == "ago":
            return self._time_ago(HALF_AN_HOUR, half_hour_end + 1)
        count, next_place = self._count(first)
        is_vague = is_vague or (count is not None and self.kind(first) != "number")
        is_vague = is_vague or self.kind(first + 1) == "couple"
        if self.kind(next_place) not in {"unit", "minute"} or self.kind(next_place + 1) != "ago":
            return None
        unit = self._text(next_place)
        if count is None and self._word_at(next_place) not in SINGLE_UNITS:
            return None
        count = 1 if count is None else count
        if unit in MINUTES_OF:
            return self._time_ago(count * MINUTES_OF[unit], next_place + 2)
        span = spans.around(self._now, unit, count)
        if is_vague:
            start = spans.around(self._now, unit, count + 1).start
            span = Span(start, spans.around(self._now, unit, count - 1).end)
        return Period(span, next_place + 2, stands_alone=True, is_vague=is_vague)

    def _time_ago(self, minutes: int, next_place: int) -> Period | None:
        """`2 hours ago`, `30 minutes ago`: about then, half as long before and after it."""
        if not minutes:
            return None
        start = spans.minutes_back(self._moment, self._zone, 1.5 * minutes)
        end = spans.minutes_back(self._moment, self._zone, 0.5 * minutes) + STEP
        return Period(Span(start, end), next_place, stands_alone=True, is_vague=True)

    def _is_other_number(self, place: int) -> bool:
        """Whether a word makes another number of the one behind it: `2 or 3 days ago`."""
        if self.kind(place) in {"or", "to"}:
            return place > 0 and self.kind(place - 1) == "number"
        return self._word_at(place) in NOT_EXACT

    def _weekday(self, place: int, _: int | None) -> Period | None:
        """`Monday`: today, or the last one before it."""
        if self.kind(place) != "weekday":
            return None
        ago = (self._now.weekday() - self.number(place)) % 7
        return Period(spans.around(self._now, "day", ago), place + 1, stands_alone=False)
