"""A question whose dates are taken out, and the bounds that they become."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from graphmem.dates.periods import Periods
from graphmem.dates.relative import Period
from graphmem.dates.spans import Span
from graphmem.dates.words import ONWARDS, Token, is_tight, tokens

TICK = timedelta(microseconds=1)

_BEFORE_SIGN = re.compile(r"\s+(?=[?!.,;:])")
_AT_BEGINNING = re.compile(r"^[\s,;:.–—-]+(?=\w|$)")


@dataclass(frozen=True, slots=True)
class DatedQuery:
    """A question without its dates.

    Args:
        text: What is left of it.
        since: The first moment that is asked for, in UTC; None for no bound.
        until: The last one.
        notes: How each date was understood, a sentence each.
    """

    text: str
    since: datetime | None = None
    until: datetime | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A date of the question: where its words stand, and what it means."""

    first_word: int
    next_word: int
    span: Span


def read(question: str, *, now: datetime | None = None, zone: tzinfo | None = None) -> DatedQuery:
    """Find the dates of a question.

    Args:
        question: As somebody asks it. What is quoted, and `field:word`, stays as it is.
        now: The moment it is asked; by default this one.
        zone: Whose clock it is asked by; by default that of this machine.
    """
    moment = (now or datetime.now(UTC)).astimezone(zone)
    words = tokens(question)
    phrases = _phrases(words, Periods(words, moment, zone))
    if not phrases:
        return DatedQuery(question)
    starts = [
        _moment(phrase.span.start, zone) for phrase in phrases if phrase.span.start is not None
    ]
    ends = [
        _moment(phrase.span.end, zone) - TICK for phrase in phrases if phrase.span.end is not None
    ]
    return DatedQuery(
        text=_without(question, words, phrases),
        since=max(starts, default=None),
        until=min(ends, default=None),
        notes=tuple(_note(question, words, phrase, zone) for phrase in phrases),
    )


def _phrases(words: Sequence[Token], periods: Periods) -> list[_Phrase]:
    phrases: list[_Phrase] = []
    place = 0
    while place < len(words):
        phrase = (
            _between(periods, place)
            or _with_operator(periods, words, place)
            or _without_operator(periods, words, place)
        )
        if phrase is None:
            place += 1
        else:
            phrases.append(phrase)
            place = phrase.next_word
    return phrases


def _between(periods: Periods, place: int) -> _Phrase | None:
    """`between March and June 2025`, `between 5 and 10 March`."""
    if periods.kind(place) != "between":
        return None
    date_range = _range(periods, place, place + 1, ends=("and", "dash"))
    period = periods.begun_at(place + 1)
    if date_range is None and period is not None and period.is_range:
        return _Phrase(place, period.end, period.span)
    return date_range


def _range(
    periods: Periods,
    first_word: int,
    place: int,
    ends: Sequence[str],
    *,
    words: Sequence[Token] = (),
) -> _Phrase | None:
    """Two periods with one of these words in between; the year of the second may stand for both."""
    start = periods.at(place)
    if start is None:
        return None
    joint = periods.kind(start.end)
    if joint == "operator" and words:
        joint = str(words[start.end].value)
    end = periods.at(start.end + 1) if joint in ends else None
    if end is None:
        return None
    start = _of_same_year(periods, place, start, end)
    if start.span.start is None or end.span.end is None or start.span.start >= end.span.end:
        return None
    if not periods.has_begun(start):
        return None
    # In Russian the same word says until when something lasts.
    is_excluded = joint == "before" and words[start.end].text == "before"
    range_end = end.span.start if is_excluded else end.span.end
    return _Phrase(first_word, end.end, Span(start.span.start, range_end))


def _dashed_range(
    periods: Periods, words: Sequence[Token], first_word: int, place: int, *, is_alone: bool
) -> _Phrase | None:
    """`March–April 2025`, `2024-2025`: a dash between dates, not one of the sentence.

    Args:
        periods: Reads them.
        words: Those of the question.
        first_word: Where the phrase begins.
        place: Where the first of the dates does.
        is_alone: Whether no word such as `in` stands before them.
    """
    start = periods.at(place)
    if start is None or periods.kind(start.end) != "dash":
        return None
    end = periods.at(start.end + 1)
    if end is None:
        return None
    stand_alone = start.stands_alone or end.stands_alone
    joins = stand_alone or not (is_alone or end.lacks_year) or is_tight(words, start.end)
    if not joins or (is_alone and not stand_alone):
        return None
    return _range(periods, first_word, place, ("dash",))


def _of_same_year(periods: Periods, place: int, start: Period, end: Period) -> Period:
    """The first period of a range, in the year of the second where it says none itself."""
    range_end = end.span.end
    if not start.lacks_year or range_end is None:
        return start
    year = end.year or (range_end - TICK).year
    candidate = periods.at(place, year=year) or start
    if candidate.span.start is not None and candidate.span.start >= range_end:
        candidate = periods.at(place, year=year - 1) or start
    return candidate


def _with_operator(periods: Periods, words: Sequence[Token], place: int) -> _Phrase | None:
    """`in March`, `since 2024`, `before June 2025`, `from March to June`."""
    if periods.kind(place) != "operator":
        return None
    operator = str(words[place].value)
    date_range = None
    if operator in {"from", "since"}:
        joints = ("to", "until", "range end", "before")
        date_range = _range(periods, place, place + 1, joints, words=words)
    if operator in {"from", "since", "in"} and date_range is None:
        date_range = _dashed_range(periods, words, place, place + 1, is_alone=False)
    if date_range is not None:
        return date_range
    # An end that lies in the future leaves nothing out.
    is_end = operator in {"before", "until"}
    period = periods.at(place + 1) if is_end else periods.begun_at(place + 1)
    if period is None or operator == "range end":
        return None
    next_place = period.end
    if operator == "from" and _is_onwards(words, next_place):
        operator, next_place = "since", next_place + 1
    # `с 5 по 10 марта`: the range has an end of its own.
    is_range = operator == "since" and period.is_range
    span = period.span if is_range else _bounds(operator, period.span)
    return None if span == Span(None, None) else _Phrase(place, next_place, span)


def _bounds(operator: str, span: Span) -> Span:
    """The span that an operator such as `since` makes of a period."""
    if operator == "since":
        return Span(span.start, None)
    if operator == "after":
        return Span(span.end, None)
    if operator == "before":
        return Span(None, span.start)
    return Span(None, span.end) if operator == "until" else span


def _is_onwards(words: Sequence[Token], place: int) -> bool:
    return place < len(words) and words[place].text in ONWARDS


def _without_operator(periods: Periods, words: Sequence[Token], place: int) -> _Phrase | None:
    """A period that needs no word before it: `yesterday`, `last week`, `March 2025`."""
    date_range = _dashed_range(periods, words, place, place, is_alone=True)
    if date_range is not None:
        return date_range
    period = periods.begun_at(place)
    if period is None or not period.stands_alone:
        return None
    return _Phrase(place, period.end, period.span)


def _moment(local: datetime, zone: tzinfo | None) -> datetime:
    """A moment by the caller's clock, in UTC."""
    aware_moment = local.astimezone() if zone is None else local.replace(tzinfo=zone)
    return aware_moment.astimezone(UTC)


def _without(question: str, words: Sequence[Token], phrases: Sequence[_Phrase]) -> str:
    pieces: list[str] = []
    place = 0
    for phrase in phrases:
        pieces.append(question[place : words[phrase.first_word].start])
        place = words[phrase.next_word - 1].end
    pieces.append(question[place:])
    remaining_text = " ".join(" ".join(pieces).split())
    return _AT_BEGINNING.sub("", _BEFORE_SIGN.sub("", remaining_text)).strip()


def _note(question: str, words: Sequence[Token], phrase: _Phrase, zone: tzinfo | None) -> str:
    quotation = question[words[phrase.first_word].start : words[phrase.next_word - 1].end]
    start, end = phrase.span.start, phrase.span.end
    bounds = []
    if start is not None:
        bounds.append(f"from {_day_words(start)}")
    if end is not None:
        bounds.append(f"until {_day_words(end - TICK, is_end=True)}")
    reference = start or end or datetime.now()  # noqa: DTZ005 - one of the two is there
    offset = _moment(reference, zone).astimezone(zone).strftime("%z")
    return f"`{quotation}` was read as created {' '.join(bounds)} (UTC{offset[:3]}:{offset[3:5]})"


def _day_words(local: datetime, *, is_end: bool = False) -> str:
    """A day, with the time where it is no whole one."""
    is_whole = (local + TICK if is_end else local).time() == datetime.min.time()
    return f"{local:%Y-%m-%d}" if is_whole else f"{local:%Y-%m-%d %H:%M}"
