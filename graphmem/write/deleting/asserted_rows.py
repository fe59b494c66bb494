"""What rows of `read/asserted_entities` say of an entity. Pure."""

from collections.abc import Mapping

from graphmem import text
from graphmem.graph import Row
from graphmem.model.provenance import CALLER
from graphmem.model.status import HIDDEN_STATUSES
from graphmem.write.assertions.facts import SOURCE
from graphmem.write.assertions.provenance import STATUS, Fact, Ledger


def source_of(row: Row, author: str) -> str | None:
    """The source that the import gave of an entity, even if another author's word on it counts."""
    source: str | None = row["source"]
    ledger = _ledger(row, {} if source is None else {SOURCE: source})
    if ledger is None:
        return source
    word = ledger.word(author, SOURCE)
    return None if word is None else str(word.value)


def is_hidden_by_caller(row: Row) -> bool:
    """Whether a caller forgot or replaced the entity, or gave it another status that hides it."""
    ledger = None if row["live"] else _ledger(row, {})
    word = None if ledger is None else ledger.word(CALLER, STATUS)
    return word is not None and text.normalised(str(word.value)) in HIDDEN_STATUSES


def _ledger(row: Row, facts: Mapping[Fact, object]) -> Ledger | None:
    """Who says what of an entity, given facts that count; None where one author says all."""
    if row["record"] is None or not row["record"].startswith("{"):
        return None
    return Ledger.decoded(row["authors"], row["record"], facts)
