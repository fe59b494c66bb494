"""The phrases of a question that are dates: a period, with the word before it that bounds it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.dates.joining import dashed_range, joined_range, listed
from graphmem.dates.parts import PartialPeriods
from graphmem.dates.relative import Period
from graphmem.dates.spans import Span
from graphmem.dates.surroundings import bound_of_event, is_barred
from graphmem.dates.words import ONWARDS, Token

RANGE_JOINTS = ("to", "until", "range end", "before")
# The operators that a moment such as `5pm yesterday` may follow.
MOMENT_OPERATORS = frozenset({"from", "since", "after", "before", "until"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A date of the question: where its words stand, and what it means."""

    first_word: int
    next_word: int
    span: Span


def phrases_of(question: str, words: Sequence[Token], periods: PartialPeriods) -> list[Phrase]:
    """The dates of a question, in order.

    Args:
        question: As somebody asks it.
        words: Its words.
        periods: Reads periods of these words.
    """
    phrases: list[Phrase] = []
    place = 0
    while place < len(words):
        before = phrases[-1] if phrases and phrases[-1].next_word == place else None
        phrase = (
            _between(periods, place)
            or _with_operator(periods, words, place, before)
            or _without_operator(periods, words, place)
        )
        if phrase is None:
            place += 1
            continue
        if not is_barred(question, words, phrase.first_word, phrase.next_word):
            phrases.append(phrase)
        place = phrase.next_word
    return phrases


def _between(periods: PartialPeriods, place: int) -> Phrase | None:
    """`between March and June 2025`, `between 5 and 10 March`."""
    if periods.kind(place) != "between":
        return None
    date_range = joined_range(periods, place + 1, ends=("and", "dash"))
    period = periods.begun_at(place + 1)
    if date_range is None and period is not None and period.is_range:
        date_range = period
    return _phrase(place, date_range)


def _with_operator(
    periods: PartialPeriods, words: Sequence[Token], place: int, before: Phrase | None
) -> Phrase | None:
    """`in March`, `since 2024`, `before June 2025`, `from March to June`, `since 5pm yesterday`."""
    if periods.kind(place) == "at":
        period = periods.begun_at(place + 1)
        return _phrase(place, period if period and period.is_vague else None)
    if periods.kind(place) != "operator":
        return None
    operator = str(words[place].value)
    moment = _moment_phrase(periods, operator, place, before)
    if moment is not None:
        return moment
    date_range = _range(periods, words, operator, place + 1)
    if date_range is not None:
        return _phrase(place, date_range)
    # An end that lies in the future leaves nothing out.
    is_end = operator in {"before", "until"}
    period = periods.at(place + 1) if is_end else periods.begun_at(place + 1)
    if period is None or operator == "range end":
        return None
    if operator in {"in", "from"}:
        period = listed(periods, words, place + 1, period)
    if operator == "from" and _is_onwards(words, period.end):
        operator, period = "since", replace(period, end=period.end + 1)
    # `с 5 по 10 марта`: the range has an end of its own.
    is_range = operator == "since" and period.is_range
    span = period.span if is_range else _bounds(operator, period)
    if operator == "in":
        span = bound_of_event(words, place, span)
    return None if span == Span(None, None) else Phrase(place, period.end, span)


def _range(
    periods: PartialPeriods, words: Sequence[Token], operator: str, place: int
) -> Period | None:
    """The range that begins behind an operator: `from March to June`, `in 2024-2025`."""
    date_range = None
    if operator in {"from", "since"}:
        date_range = joined_range(periods, place, RANGE_JOINTS, words=words)
    if operator in {"from", "since", "in"} and date_range is None:
        date_range = dashed_range(periods, words, place, is_alone=False)
    return date_range


def _moment_phrase(
    periods: PartialPeriods, operator: str, place: int, before: Phrase | None
) -> Phrase | None:
    """`since 5pm yesterday`, `before 17:00`; the time after a day, `yesterday after 5pm`, is on it.

    Args:
        periods: Reads them.
        operator: The meaning of the word at the place.
        place: Where the phrase begins.
        before: The date that ends there, if there is one.
    """
    if operator not in MOMENT_OPERATORS:
        return None
    day = before.span if before else periods.today()
    moment = periods.moment(place + 1, None if operator == "from" else day)
    if moment is None or periods.kind(moment.end) in {"to", "dash", "and"}:
        return None
    if operator not in {"before", "until"} and not periods.has_begun(moment):
        return None
    span = _bounds("since" if operator == "from" else operator, moment)
    return Phrase(place, moment.end, span)


def _bounds(operator: str, period: Period) -> Span:
    """The span that an operator such as `since` makes of a period.

    Before and after what is vague includes it: what is sought may be there.
    """
    span = period.span
    if operator == "since" or (operator == "after" and period.is_vague):
        return Span(span.start, None)
    if operator == "after":
        return Span(span.end, None)
    if operator == "until" or (operator == "before" and period.is_vague):
        return Span(None, span.end)
    return Span(None, span.start) if operator == "before" else span


def _is_onwards(words: Sequence[Token], place: int) -> bool:
    return place < len(words) and words[place].text in ONWARDS


def _without_operator(periods: PartialPeriods, words: Sequence[Token], place: int) -> Phrase | None:
    """A period that needs no word before it: `yesterday`, `last week`, `March 2025`."""
    date_range = dashed_range(periods, words, place, is_alone=True)
    if date_range is not None:
        return _phrase(place, date_range)
    period = periods.begun_at(place)
    if period is None:
        return None
    period = listed(periods, words, place, period)
    if not period.stands_alone:
        return None
    return Phrase(place, period.end, bound_of_event(words, place, period.span))


def _phrase(place: int, period: Period | None) -> Phrase | None:
    return None if period is None else Phrase(place, period.end, period.span)
