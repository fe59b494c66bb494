"""Who asserted what: each author's word on each fact, and which word counts. Pure, no I/O.

An author is the caller (a person or an agent) or an import of one source. A fact is one field, one
tag, one alias or one attribute. The latest word on a fact counts; the others are kept for the day
it is taken back. An entity that one author alone speaks of needs no record beside its author; with
the second author comes the record, a JSON text on the entity or relation.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from graphmem.model import limits
from graphmem.model.json_object import compact_json, plain, to_json_value
from graphmem.model.period import PERIOD
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.model.status import FORGOTTEN

# The most imports among the authors: a file named after the day would add one every day.
MOST_IMPORTS = 50

# A fact of an entity or relation: `("title", "")`, `("tag", "infra")`, `("attribute", "owner")`.
Fact = tuple[str, str]

STATUS: Fact = ("status", "")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Word:
    """What an author says of a fact, and since when; the value None denies the fact."""

    at: datetime
    value: object | None

    @classmethod
    def decoded(cls, fact: Fact, at: int, value: object) -> Self:
        """Read what `encoded` wrote."""
        return cls(EPOCH + at * TICK, decoded(fact, value))

    def encoded(self, fact: Fact) -> list[Any]:
        """Write the word on a fact as JSON values: microseconds since 1970, and what is said."""
        at = (self.at - EPOCH) // TICK
        return [at, plain(self.value) if fact[0] == "attribute" else to_json_value(self.value)]  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every author's word on every fact of one entity or relation.

    Args:
        authors: Those who say that it exists, in the order they came.
        words: By fact and author. Someone who only hides an entity has a word and is no author.
    """

    authors: tuple[str, ...] = ()
    words: Mapping[Fact, Mapping[str, Word]] = field(default_factory=dict)

    @classmethod
    def of_author(cls, author: str, facts: Mapping[Fact, object], at: datetime | None) -> Self:
        """The ledger of what one author alone has said."""
        word_at = at or EPOCH
        return cls((author,), {fact: {author: Word(word_at, v)} for fact, v in facts.items()})

    @classmethod
    def decoded(cls, authors: Sequence[str], record: str, facts: Mapping[Fact, object]) -> Self:
        """Read the record that `encoded` made, given the facts that count now."""
        words: dict[Fact, dict[str, Word]] = {}
        for path, by_author in json.loads(record).items():
            sort, _, name = path.partition("/")
            fact = (sort, name)
            for author, (at, *values) in by_author.items():
                value = decoded(fact, values[0]) if values else facts.get(fact)
                words.setdefault(fact, {})[author] = Word(EPOCH + at * TICK, value)
        return cls(tuple(authors), words)

    def encoded(self, counting: Mapping[Fact, object]) -> str:
        """Write the words as JSON; a value is left out where it is the one that counts.

        A status is always written, since that of the entity may say that it is hidden.
        """
        return compact_json(
            {
                f"{fact[0]}/{fact[1]}": {
                    author: _encoded(fact, word, None if fact == STATUS else counting.get(fact))
                    for author, word in sorted(by_author.items())
                }
                for fact, by_author in sorted(self.words.items())
            },
        )

    def facts(self) -> dict[Fact, object]:
        """The facts that count: of each the latest word, the caller's where two are of one moment.

        What a caller has forgotten stays so, whatever an import says of its status later.
        """
        counting = {fact: _latest_word(by_author) for fact, by_author in self.words.items()}
        hiding = self.word(CALLER, STATUS)
        if hiding is not None and hiding.value == FORGOTTEN:
            counting[STATUS] = hiding
        return {fact: word.value for fact, word in counting.items() if word.value is not None}

    def word(self, author: str, fact: Fact) -> Word | None:
        """An author's word on a fact, or None."""
        return self.words.get(fact, {}).get(author)

    def speaks(self, author: str) -> bool:
        """Whether an author has a word on any fact."""
        return any(author in by_author for by_author in self.words.values())

    def record(
        self, author: str, facts: Mapping[Fact, object], now: datetime, *, replaces: bool
    ) -> "Ledger":
        """Record what an author says now.

        A word that an author repeats keeps its moment, so that importing an unchanged source is no
        new word. A caller who repeats what no longer counts says it anew.

        Args:
            author: Who says it.
            facts: What is said; None denies a fact.
            now: When; moved on where the ledger already holds a later word.
            replaces: Whether what the author said earlier and does not say now is taken back.
        """
        now = max(now, self._latest() + TICK)
        counting = self.facts()
        words = {fact: dict(by_author) for fact, by_author in self.words.items()}
        if replaces:
            for fact, by_author in words.items():
                if fact not in facts:
                    by_author.pop(author, None)
        for fact, value in facts.items():
            by_author = words.setdefault(fact, {})
            earlier = by_author.get(author)
            repeats = earlier is not None and is_same(earlier.value, value)
            if not repeats or (author == CALLER and not is_same(counting.get(fact), value)):
                by_author[author] = Word(now, value)
        authors = self.authors if author in self.authors else (*self.authors, author)
        return _bounded(Ledger(authors, _without_blanks(words)))

    def joined(self, other: "Ledger") -> "Ledger":
        """Both ledgers' words; of two by one author on one fact the later."""
        words = {fact: dict(by_author) for fact, by_author in self.words.items()}
        for fact, by_author in other.words.items():
            own_words = words.setdefault(fact, {})
            for author, word in by_author.items():
                if author not in own_words or own_words[author].at < word.at:
                    own_words[author] = word
        return Ledger(tuple(dict.fromkeys((*self.authors, *other.authors))), words)

    def withdraw(self, author: str, facts: Iterable[Fact], now: datetime) -> "Ledger":
        """Record that an author denies facts; a fact that nobody else asserts is just removed.

        A denial that an author repeats keeps its moment, unless somebody asserted the fact since.
        """
        now = max(now, self._latest() + TICK)
        counting = self.facts()
        words = {fact: dict(by_author) for fact, by_author in self.words.items()}
        for fact in facts:
            by_author = words.setdefault(fact, {})
            denial = by_author.pop(author, None)
            if denial is None or denial.value is not None or fact in counting:
                denial = Word(now, None)
            if by_author:
                by_author[author] = denial
        return replace(self, words=_without_blanks(words))

    def deny(self, author: str, fact: Fact, now: datetime) -> "Ledger":
        """Record that an author denies a fact, whoever asserts it."""
        word = Word(max(now, self._latest() + TICK), None)
        by_author = {**self.words.get(fact, {}), author: word}
        return replace(self, words={**self.words, fact: by_author})

    def only(self, authors: Iterable[str]) -> "Ledger":
        """The words of some authors alone."""
        kept_authors = set(authors)
        words = {
            fact: {speaker: word for speaker, word in by_author.items() if speaker in kept_authors}
            for fact, by_author in self.words.items()
        }
        return Ledger(
            tuple(speaker for speaker in self.authors if speaker in kept_authors),
            _without_blanks(words),
        )

    def without(self, author: str, facts: Iterable[Fact] | None = None) -> "Ledger":
        """Drop an author's words on some facts, or all of them and the author."""
        dropped = None if facts is None else set(facts)
        words = {
            fact: {
                speaker: word
                for speaker, word in by_author.items()
                if speaker != author or (dropped is not None and fact not in dropped)
            }
            for fact, by_author in self.words.items()
        }
        authors = self.authors
        if facts is None:
            authors = tuple(speaker for speaker in authors if speaker != author)
        return Ledger(authors, _without_blanks(words))

    def without_unknown(self, facts: Iterable[Fact]) -> "Ledger":
        """Drop the unknown author's words on what an import says again, which brought it in.

        What it does not say again stays with the unknown author: it may be somebody's note.
        """
        remaining = self.without(UNKNOWN, facts)
        return remaining if remaining.speaks(UNKNOWN) else remaining.without(UNKNOWN)

    def renamed(self, author: str, other: str) -> "Ledger":
        """Give one author's words to another, whose own words stay."""
        words = {
            fact: {
                other if speaker == author else speaker: word for speaker, word in by_author.items()
            }
            | ({other: by_author[other]} if other in by_author else {})
            for fact, by_author in self.words.items()
        }
        authors = dict.fromkeys(other if speaker == author else speaker for speaker in self.authors)
        return Ledger(tuple(authors), words)

    @property
    def sole_author(self) -> str | None:
        """The only one who has said anything, or None."""
        speakers = {*self.authors, *(speaker for by in self.words.values() for speaker in by)}
        return self.authors[0] if len(speakers) == 1 and self.authors else None

    def _latest(self) -> datetime:
        moments = (word.at for by_author in self.words.values() for word in by_author.values())
        return max(moments, default=EPOCH)


def _bounded(ledger: Ledger) -> Ledger:
    """The ledger with at most 50 imports: the words of the oldest become an unknown author's."""
    imports = [speaker for speaker in ledger.authors if speaker not in {CALLER, UNKNOWN}]
    for author in imports[: max(0, len(imports) - MOST_IMPORTS)]:
        ledger = ledger.renamed(author, UNKNOWN)
    return ledger


def order(author: str, at: datetime | int) -> tuple[datetime | int, bool, str]:
    """By what an author's words of a moment are sorted; of those on one fact, the last counts."""
    return at, author == CALLER, author


def _latest_word(by_author: Mapping[str, Word]) -> Word:
    return by_author[max(by_author, key=lambda author: order(author, by_author[author].at))]


def _without_blanks(words: Mapping[Fact, Mapping[str, Word]]) -> dict[Fact, Mapping[str, Word]]:
    return {fact: by_author for fact, by_author in words.items() if by_author}


def _encoded(fact: Fact, word: Word, counting: object | None) -> list[Any]:
    is_left_out = word.value is not None and is_same(word.value, counting)
    return word.encoded(fact)[:1] if is_left_out else word.encoded(fact)


def is_same(value: object, other: object) -> bool:
    """Whether two values are equal and of one type, in lists too: 1 is neither 1.0 nor True."""
    return value == other and repr(value) == repr(other)


def decoded(fact: Fact, value: object) -> object | None:
    """Read what JSON holds of a fact's value; None stays None."""
    if value is None or fact[0] not in {"attribute", *PERIOD}:
        return value
    check = limits.attribute if fact[0] == "attribute" else limits.day_or_moment
    return check(fact[0], value)
