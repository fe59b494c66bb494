"""A question whose dates are taken out, and the bounds that they become."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from graphmem.dates.parts import PartialPeriods
from graphmem.dates.phrases import Phrase, phrases_of
from graphmem.dates.spans import TICK
from graphmem.dates.words import Token, tokens
from graphmem.errors import listed

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


def read(question: str, *, now: datetime | None = None, zone: tzinfo | None = None) -> DatedQuery:
    """Find the dates of a question.

    Args:
        question: As somebody asks it. What is quoted, and `field:word`, stays as it is.
        now: The moment it is asked; by default this one.
        zone: Whose clock it is asked by; by default that of this machine.
    """
    moment = (now or datetime.now(UTC)).astimezone(zone)
    words = tokens(question)
    phrases = phrases_of(question, words, PartialPeriods(words, moment, zone))
    if not phrases:
        return DatedQuery(question)
    starts = [
        _moment(phrase.span.start, zone) for phrase in phrases if phrase.span.start is not None
    ]
    ends = [
        _moment(phrase.span.end, zone) - TICK for phrase in phrases if phrase.span.end is not None
    ]
    since, until = max(starts, default=None), min(ends, default=None)
    if since is not None and until is not None and since > until:
        return DatedQuery(question, notes=(_contradiction(question, words, phrases),))
    return DatedQuery(
        text=_without(question, words, phrases),
        since=since,
        until=until,
        notes=tuple(_note(question, words, phrase, zone) for phrase in phrases),
    )


def _moment(local: datetime, zone: tzinfo | None) -> datetime:
    """A moment by the caller's clock, in UTC."""
    aware_moment = local.astimezone() if zone is None else local.replace(tzinfo=zone)
    return aware_moment.astimezone(UTC)


def _without(question: str, words: Sequence[Token], phrases: Sequence[Phrase]) -> str:
    pieces: list[str] = []
    place = 0
    for phrase in phrases:
        pieces.append(question[place : words[phrase.first_word].start])
        place = words[phrase.next_word - 1].end
    pieces.append(question[place:])
    remaining_text = " ".join(" ".join(pieces).split())
    return _AT_BEGINNING.sub("", _BEFORE_SIGN.sub("", remaining_text)).strip()


def _note(question: str, words: Sequence[Token], phrase: Phrase, zone: tzinfo | None) -> str:
    quotation = _quotation(question, words, phrase)
    start, end = phrase.span.start, phrase.span.end
    bounds = []
    if start is not None:
        bounds.append(f"from {_day_words(start)}")
    if end is not None:
        bounds.append(f"until {_day_words(end - TICK, is_end=True)}")
    reference = start or end or datetime.now()  # noqa: DTZ005 - one of the two is there
    offset = _moment(reference, zone).astimezone(zone).strftime("%z")
    return f"`{quotation}` was read as created {' '.join(bounds)} (UTC{offset[:3]}:{offset[3:5]})"


def _contradiction(question: str, words: Sequence[Token], phrases: Sequence[Phrase]) -> str:
    quotations = [f"`{_quotation(question, words, phrase)}`" for phrase in phrases]
    return (
        f"the dates {listed(quotations)} exclude each other, so none of them was read as a filter"
    )


def _quotation(question: str, words: Sequence[Token], phrase: Phrase) -> str:
    return question[words[phrase.first_word].start : words[phrase.next_word - 1].end]


def _day_words(local: datetime, *, is_end: bool = False) -> str:
    """A day, with the time where it is no whole one."""
    is_whole = (local + TICK if is_end else local).time() == datetime.min.time()
    return f"{local:%Y-%m-%d}" if is_whole else f"{local:%Y-%m-%d %H:%M}"
