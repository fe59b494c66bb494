"""Moves entities from one project to another, with their passages, embeddings and relations.

A key holds the project, so a moved entity is made anew and the one before deleted, in one
transaction: whoever waited for the one before finds it gone, and never changes the key of the new
one back. Its passages stay the same nodes, so that nothing is embedded again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from graphmem.graph import Graph, Row, Transaction
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.identity import RelationIdentity
from graphmem.write.links import joined as joined_links
from graphmem.write.shape import of_key
from graphmem.write.shared import shared_fields

# Relations that one transaction moves; of the last of them their entities wait for the next one.
RELATIONS = 2000
# More than any entity has.
ALL_PASSAGES = 1_000_000
# What an entity that was made by hand may lack.
_USUAL: Mapping[str, Any] = {
    "kind": DEFAULT_KIND, "status": "active", "live": True, "aliases": [], "tags": [],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Move:
    """The project that entities leave, and the one they go to."""

    start: str
    into: str

    def key(self, key: str) -> str:
        """The key that an entity has there."""
        return self.into + key.removeprefix(self.start)

    def token(self, token: str) -> str:
        """How the start of a relation that was taken away notes it there."""
        kind, found, rest = token.partition(f" {self.start}#")
        return f"{kind} {self.into}#{rest}" if found else token


@dataclass(slots=True)
class Moved:
    """How much was moved: keys of the entities that are gone, and numbers."""

    gone: set[str] = field(default_factory=set)
    joined: int = 0
    relations: int = 0


@dataclass(frozen=True, slots=True)
class _Step:
    """What one transaction did: keys that it dealt with and that are gone, and numbers."""

    handled: frozenset[str]
    gone: frozenset[str]
    joined: int
    relations: int
    is_cut: bool


def move(
    graph: Graph, how: Move, keys: Sequence[str], joined: Mapping[str, datetime | None]
) -> Moved:
    """Move entities, in one transaction where they have few relations.

    Args:
        graph: The store.
        how: From where and where to.
        keys: Keys of the entities; those that are gone meanwhile count for nothing.
        joined: Those whose words were written to their like there already, with the moment of their
            last change as it was then. One that changed since, or that has its like there and is
            not among these, stays.
    """
    moved = Moved()
    left = set(keys)
    while left:
        some = sorted(left)
        step = graph.write(partial(_step, how=how, keys=some, joined=joined))
        moved.gone |= step.gone
        moved.joined += step.joined
        moved.relations += step.relations
        left = set(step.handled - step.gone) if step.is_cut else set()
    return moved


def _step(
    transaction: Transaction, how: Move, keys: Sequence[str], joined: Mapping[str, datetime | None]
) -> _Step:
    # Two that move entities take turns, and the second sees what the first has left.
    transaction.run("write/lock_models")
    rows = transaction.run("write/lock_moving", keys=list(keys))
    there = {
        row["key"]
        for row in transaction.run(
            "read/resolve_names", keys=[how.key(row["key"]) for row in rows], handles=[], forms=[]
        )
    }
    fresh = [row for row in rows if how.key(row["key"]) not in there]
    # One without passages has been moved or joined, and only its relations are left.
    bare = [row for row in rows if row not in fresh and not row["passages"]]
    heard = [row for row in rows if row not in fresh and row["passages"] and _is_heard(row, joined)]
    if fresh:
        transaction.run("write/move_entities", rows=[_row(how, row) for row in fresh])
    if heard:
        _drop_joined(transaction, how, heard)
    handled = [row["key"] for row in rows if row in fresh or row in bare or row in heard]
    relations = _move_relations(transaction, how, handled)
    gone = transaction.run("write/drop_bare_entities", keys=handled)
    starts = {how.key(key) for key in handled}
    return _Step(
        handled=frozenset(handled),
        gone=frozenset(row["key"] for row in gone),
        joined=len(heard),
        relations=sum(row["start"] in starts for row in relations),
        is_cut=len(relations) == RELATIONS,
    )


def _is_heard(row: Row, joined: Mapping[str, datetime | None]) -> bool:
    return row["key"] in joined and joined[row["key"]] == row["stored"].get("updated_at")


def _row(how: Move, row: Row) -> Row:
    """What an entity and its passages have in the other project alone."""
    key, stored = how.key(row["key"]), row["stored"]
    known = {name: value for name, value in stored.items() if value is not None}
    name = row["key"].partition("#")[2]
    properties = {"name": name, **_USUAL, **known, "project": how.into}
    own = {"project": how.into, **of_key(key, properties, passages=row["passages"])}
    shared = shared_fields(properties | own)
    unlinked = [how.token(token) for token in stored.get("unlinked") or ()]
    return {
        "key": row["key"],
        "to": key,
        "properties": own | {"unlinked": unlinked or None},
        **{
            field: {name: fields[name] for name in ("project", "filters")}
            for field, fields in (("first", shared.first), ("others", shared.others))
        },
    }


def _drop_joined(transaction: Transaction, how: Move, rows: Sequence[Row]) -> None:
    """Delete the passages of entities that were joined; what was taken away stays away."""
    keys = [row["key"] for row in rows]
    transaction.run("write/drop_passages", keys=keys, limit=ALL_PASSAGES)
    tokens = [
        {"start": how.key(row["key"]), "token": how.token(token)}
        for row in rows
        for token in row["stored"].get("unlinked") or ()
    ]
    if tokens:
        transaction.run("write/bar_relations", rows=tokens)


def _move_relations(transaction: Transaction, how: Move, keys: Sequence[str]) -> list[Row]:
    rows = transaction.run(
        "write/move_relations", keys=list(keys), **{"from": how.start, "to": how.into},
        limit=RELATIONS,
    )  # fmt: skip
    together = [
        RelationIdentity.of_row(row).to_row()
        | {"properties": joined_links(row["stored"], row["moved"])}
        for row in rows
        if row["stored"] is not None
    ]
    if together:
        transaction.run("write/set_relations", rows=together)
    return rows
