"""The ledger of an entity into which another one is merged: pure, no I/O."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from graphmem.model.period import PERIOD
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.write.assertions.facts import TEXT
from graphmem.write.assertions.provenance import EPOCH, STATUS, TICK, Fact, Ledger, Word

# The lead-in of a text says nothing without that text.
LEAD_IN: Fact = ("lead_in", "")
_PERIOD: frozenset[Fact] = frozenset((name, "") for name in PERIOD)


def merged_ledger(own: Ledger, other: Ledger, *, keeps_text: bool, now: datetime) -> Ledger:
    """The ledger of an entity with what it takes over from the one that is merged into it.

    If the entity's own ledger speaks of a fact, its words go on to count, and those of imports on
    the other entity are kept as earlier ones, so that these imports change nothing when they run
    again. All words on other facts are taken over, except on the status, the period and, if
    `keeps_text`, the text, which stay open:

        own     title  caller: "Redis" at 12:00
        other   title  import: "Valkey" at 13:00
                tag    import: "infra" at 13:00
        merged  title  caller: "Redis" at 12:00, import: "Valkey" just before 12:00
                tag    import: "infra" at 13:00

    Args:
        own: Of the entity that stays.
        other: Of the one that is merged into it.
        keeps_text: Whether this one's text stays, or that it has none.
        now: The moment of the merge.
    """
    kept = {STATUS, *_PERIOD} | ({TEXT, LEAD_IN} if keeps_text else set())
    taken_over = {
        fact: by_author
        for fact, by_author in other.words.items()
        if fact not in own.words and fact not in kept
    }
    ledger = own.joined(Ledger(other.authors, taken_over))
    unspoken = _unspoken_facts(own)
    ledger = _with_earlier_words(ledger, other, unspoken, now)
    for fact in sorted(unspoken.keys() & ledger.words.keys()):
        # The words of imports are kept for later, but the fact stays open.
        ledger = ledger.deny(CALLER, fact, now)
    return ledger


def _unspoken_facts(own: Ledger) -> dict[Fact, Collection[str]]:
    """The facts that stay open although imports may speak of them on the other entity.

    They are the status, if nobody gives one, and the lead-in of a text that has none. Each comes
    with the authors who leave it open.
    """
    authors: dict[Fact, Collection[str]] = {STATUS: own.authors}
    if TEXT in own.facts():
        authors[LEAD_IN] = own.words[TEXT]
    return {
        fact: authors_of_fact for fact, authors_of_fact in authors.items() if fact not in own.words
    }


def _with_earlier_words(
    ledger: Ledger, other: Ledger, unspoken: Mapping[Fact, Collection[str]], now: datetime
) -> Ledger:
    """The ledger with the words of imports on the other entity, before its own on the same fact.

    Of an import that speaks of both entities, what it says of the one that stays counts, even if
    it leaves the fact open there.
    """
    words = dict(ledger.words)
    for fact, other_words in other.words.items():
        own_words = words.get(fact, {})
        if not own_words and fact not in unspoken:
            continue
        first = min((word.at for word in own_words.values()), default=now)
        speakers = {CALLER, UNKNOWN, *own_words, *unspoken.get(fact, ())}
        earlier_words = {
            author: Word(max(EPOCH, min(word.at, first - TICK)), word.value)
            for author, word in other_words.items()
            if author not in speakers
        }
        if earlier_words:
            words[fact] = {**earlier_words, **own_words}
    return replace(ledger, words=words)
