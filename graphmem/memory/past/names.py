"""The names and kinds that entities had at a moment."""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.graph import Graph, Row
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.paths import NAME, WORD
from graphmem.write.assertions.provenance import EPOCH, TICK, Fact, Ledger, Word
from graphmem.write.assertions.states import State

KIND: Fact = ("kind", "")
_KIND_PATH = WORD + "/".join(KIND)


def names_at(graph: Graph, keys: Collection[str], moment: datetime) -> dict[str, Mapping[str, str]]:
    """The `name` and `kind` of entities at a moment, by their keys.

    An entity that was merged since has those that the merge has noted. One of which nothing is
    noted, since it was purged, has the folded name of its key.
    """
    if not keys:
        return {}
    rows = graph.read("read/names_at", keys=sorted(keys), moment=moment)
    return {row["key"]: _name_at(row) for row in rows}


def _name_at(row: Row) -> dict[str, str]:
    before = _earliest(row["befores"])
    name = before.get(NAME) or row["name"] or text.name_of(row["key"])
    if _KIND_PATH not in before:
        return {"name": name, "kind": row["kind"] or DEFAULT_KIND}
    by_author = before[_KIND_PATH]
    return {"name": name, "kind": _kind(by_author) if by_author else DEFAULT_KIND}


def _earliest(befores: Iterable[str]) -> State:
    """Of each path what was there before the first change, given the newest first."""
    before: State = {}
    for noted in befores:
        before |= json.loads(noted)
    return before


def _kind(by_author: Mapping[str, Any]) -> str:
    words = {author: Word(EPOCH + at * TICK, value) for author, (at, value) in by_author.items()}
    return str(Ledger(words={KIND: words}).facts().get(KIND, DEFAULT_KIND))
