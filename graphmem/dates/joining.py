"""Periods that a question joins: `March to June`, `2024-2025`, `March, April or May 2025`."""

from collections.abc import Sequence
from dataclasses import replace

from graphmem.dates.parts import PartialPeriods
from graphmem.dates.relative import Period
from graphmem.dates.spans import TICK, Span
from graphmem.dates.words import Token, is_tight

# Months that are also words of a sentence, which goes on after a comma.
WORDS_OF_SENTENCES = frozenset({"may", "march"})
# The length in days from which a period is of another sort: a day, week, month, quarter, year.
SORTS_OF_DAYS = (2, 8, 32, 93)


def joined_range(
    periods: PartialPeriods, place: int, ends: Sequence[str], *, words: Sequence[Token] = ()
) -> Period | None:
    """Two periods with one of these words in between; the year of the second may stand for both.

    Args:
        periods: Reads them.
        place: Where the first of them begins.
        ends: The kinds of words that may stand between them, or meanings of operators.
        words: Those of the question, if an operator may stand between them.
    """
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
    is_excluded = joint == "before" and words[start.end].text == "before" and not end.is_vague
    range_end = end.span.start if is_excluded else end.span.end
    return Period(Span(start.span.start, range_end), end.end, stands_alone=True)


def dashed_range(
    periods: PartialPeriods, words: Sequence[Token], place: int, *, is_alone: bool
) -> Period | None:
    """`March–April 2025`, `2024-2025`: a dash between dates, not one of the sentence.

    Args:
        periods: Reads them.
        words: Those of the question.
        place: Where the first of the dates begins.
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
    return joined_range(periods, place, ("dash",))


def listed(periods: PartialPeriods, words: Sequence[Token], place: int, first: Period) -> Period:
    """What covers all periods of a list, `2024 or 2025`, `March, April and May 2025`.

    Args:
        periods: Reads them.
        words: Those of the question.
        place: Where the first of them begins.
        first: That one, which is the answer if it is not in a list.
    """
    items = [(place, first)]
    while (item := _next_item(periods, words, *items[-1])) is not None:
        items.append(item)
    while len(items) > 1 and _goes_on(words, items):
        items.pop()
    last = items[-1][1]
    members = [_of_same_year(periods, at, item, last) for at, item in items[:-1]] + [last]
    starts = [member.span.start for member in members if member.span.start is not None]
    ends = [member.span.end for member in members if member.span.end is not None]
    has_end = len(ends) == len(members)
    return replace(
        first,
        span=Span(min(starts), max(ends) if has_end else None),
        end=last.end,
        stands_alone=any(member.stands_alone for member in members),
    )


def _next_item(
    periods: PartialPeriods, words: Sequence[Token], place: int, item: Period
) -> tuple[int, Period] | None:
    """The next period of a list, and where it begins."""
    joint = item.end
    is_comma = joint < len(words) and words[joint].text == ","
    is_slash = joint + 1 < len(words) and words[joint].text == "/" and is_tight(words, joint)
    if is_comma and periods.kind(joint + 1) in {"and", "or"}:
        joint += 1
    elif not (is_comma or is_slash or periods.kind(joint) in {"and", "or"}):
        return None
    start = joint + 1
    operator = words[start].value if start < len(words) else ""
    if operator == "in" and operator == words[max(place - 1, 0)].value:
        start += 1
    period = periods.begun_at(start)
    if period is None or not (_are_alike(item, period)):
        return None
    return start, period


def _are_alike(first: Period, second: Period) -> bool:
    """Whether both are days, both months, …, or both need no word such as `in` before them."""
    return (first.stands_alone and second.stands_alone) or _sort(first) == _sort(second)


def _sort(period: Period) -> int:
    if period.span.start is None or period.span.end is None:
        return -1
    days = (period.span.end - period.span.start).days
    return sum(days >= sort for sort in SORTS_OF_DAYS)


def _goes_on(words: Sequence[Token], items: Sequence[tuple[int, Period]]) -> bool:
    """Whether the last item belongs to the sentence: `in March, may we use it`."""
    (_, previous), (place, last) = items[-2:]
    is_comma = previous.end == place - 1 and words[place - 1].text == ","
    return is_comma and last.lacks_year and words[place].text in WORDS_OF_SENTENCES


def _of_same_year(periods: PartialPeriods, place: int, start: Period, end: Period) -> Period:
    """The first period of a range, in the year of the second where it says none itself."""
    range_end = end.span.end
    if not start.lacks_year or range_end is None:
        return start
    year = end.year or (range_end - TICK).year
    candidate = periods.at(place, year=year) or start
    if candidate.span.start is not None and candidate.span.start >= range_end:
        candidate = periods.at(place, year=year - 1) or start
    return candidate
