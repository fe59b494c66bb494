"""The names, kinds and statuses that entities had at a moment."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from graphmem import text
from graphmem.graph import Graph, Row
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.paths import HIDDEN, NAME
from graphmem.model.status import ACTIVE, HIDDEN_STATUSES, REMOVED
from graphmem.write.assertions.noted import required
from graphmem.write.assertions.provenance import STATUS, Fact, Ledger, Word
from graphmem.write.assertions.states import State, word_path

KIND: Fact = ("kind", "")
_PATHS = (NAME, word_path(KIND), word_path(STATUS), HIDDEN)


@dataclass(frozen=True, slots=True)
class NameThen:
    """What an entity was called at a moment.

    Args:
        name: Its name.
        kind: Its kind.
        hidden: The status for which searches left it out; None if they did not.
    """

    name: str
    kind: str
    hidden: str | None


def names_at(graph: Graph, keys: Collection[str], moment: datetime) -> dict[str, NameThen]:
    """What entities were called at a moment, by their keys.

    An entity that was merged since has those that the merge has noted. One of which nothing is
    noted, since it was purged, has the folded name of its key.
    """
    if not keys:
        return {}
    rows = graph.read(
        "read/names_at",
        keys=sorted(keys), moment=moment, paths=[f'"{path}":' for path in _PATHS],
    )  # fmt: skip
    return {row["key"]: _name_at(row) for row in rows}


def _name_at(row: Row) -> NameThen:
    before = _earliest(row["befores"], row["key"])
    is_removed = bool(before[HIDDEN]) if HIDDEN in before else row["status"] == REMOVED
    # That of an entity that was removed since says nothing of the time before.
    present_status = ACTIVE if row["status"] == REMOVED else row["status"]
    status = REMOVED if is_removed else _word(before, STATUS, present_status, ACTIVE)
    return NameThen(
        name=before.get(NAME) or row["name"] or text.name_of(row["key"]),
        kind=_word(before, KIND, row["kind"], DEFAULT_KIND),
        hidden=status if text.normalised(status) in HIDDEN_STATUSES else None,
    )


def _earliest(befores: Iterable[str], key: str) -> State:
    """Of each path what was there before the first change, given the newest first."""
    before: State = {}
    for noted in befores:
        before |= required(noted, key)
    return before


def _word(before: State, fact: Fact, present: str | None, default: str) -> str:
    """What counted of a fact: what its words before the first change say, else what counts now."""
    path = word_path(fact)
    if path not in before:
        return present or default
    by_author = before[path] or {}
    words = {author: Word.decoded(fact, at, value) for author, (at, value) in by_author.items()}
    facts = Ledger(words={fact: words} if words else {}).facts()
    return str(facts.get(fact, default))
