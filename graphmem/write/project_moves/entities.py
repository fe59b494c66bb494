"""Moves entities from one project to another, with their passages, embeddings and relations.

The project is part of the key, so a moved entity is a new node and the old node is deleted, in one
transaction. A writer that waited for the old node finds it gone and cannot change the key of the
new one back. The passages stay the same nodes, so nothing is embedded again.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from graphmem import text
from graphmem.graph import Graph, Row, Transaction
from graphmem.model.entity import DEFAULT_KIND
from graphmem.write.assertions.shape import of_new_key
from graphmem.write.assertions.shared import shared_fields
from graphmem.write.project_moves.history import ALL, move_revisions
from graphmem.write.project_moves.move import Move
from graphmem.write.project_moves.relations import put_relations
from graphmem.write.redirects import put as put_redirects

# The most relations that one transaction moves; entities with more are finished by later ones.
RELATIONS = 2000
# What an entity that was made by hand may lack.
_USUAL: Mapping[str, Any] = {
    "kind": DEFAULT_KIND, "status": "active", "live": True, "aliases": [], "tags": [],
}  # fmt: skip


@dataclass(slots=True)
class Moved:
    """How much was moved: the keys of the entities that left the project, and counts."""

    gone_keys: set[str] = field(default_factory=set)
    joined: int = 0
    relations: int = 0


@dataclass(frozen=True, slots=True)
class _Step:
    """What one transaction did: the keys it handled, those that are gone by now, and counts."""

    handled_keys: frozenset[str]
    gone_keys: frozenset[str]
    joined: int
    relations: int
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Destinations:
    """Where the entities of a project go: to what has their name, or to a key that is free.

    Args:
        move: The two projects.
        targets: Keys of the project they go to that lead to an entity there, with its key.
    """

    move: Move
    targets: Mapping[str, str]

    @classmethod
    def of(cls, move: Move, rows: Sequence[Row]) -> "Destinations":
        """Read what `read/leads` gives of `deciding_keys`."""
        return cls(move, {row["key"]: row["target"] for row in rows})

    def like(self, row: Row) -> str | None:
        """The key of the entity there that is called like one; None where there is none."""
        return self.targets.get(text.key(self.move.into, row["name"]))

    def key(self, row: Row) -> str:
        """The key that an entity has there: its own as far as that is free."""
        like_key, own_key = self.like(row), self.move.key(row["key"])
        if like_key is not None:
            return like_key
        return own_key if own_key not in self.targets else text.key(self.move.into, row["name"])


def deciding_keys(move: Move, rows: Sequence[Row]) -> list[str]:
    """The keys that decide where entities go."""
    name_keys = (text.key(move.into, row["name"]) for row in rows)
    return sorted({*name_keys, *(move.key(row["key"]) for row in rows)})


def move_entities(
    graph: Graph, move: Move, keys: Sequence[str], joined_at: Mapping[str, datetime | None]
) -> Moved:
    """Move entities, in one transaction where they have few relations.

    Args:
        graph: The store.
        move: From where and where to.
        keys: Keys of the entities; those that are gone meanwhile count for nothing.
        joined_at: By key, the moment of the last change of each entity whose words were already
            written to the entity of its name there, as it was at that time. An entity that changed
            since, or whose name is taken there and that is not among these, stays.
    """
    total = Moved()
    remaining_keys = set(keys)
    while remaining_keys:
        step = graph.write(
            partial(_step, move=move, keys=sorted(remaining_keys), joined_at=joined_at)
        )
        total.gone_keys |= step.gone_keys
        total.joined += step.joined
        total.relations += step.relations
        remaining_keys = set(step.handled_keys - step.gone_keys) if step.is_cut else set()
    return total


def _step(
    transaction: Transaction,
    move: Move,
    keys: Sequence[str],
    joined_at: Mapping[str, datetime | None],
) -> _Step:
    # Two processes that move entities take turns, and the second sees what the first has left.
    transaction.run("write/lock_store_record")
    rows = transaction.run("write/lock_moving", keys=list(keys))
    target_rows = transaction.run("read/leads", keys=deciding_keys(move, rows))
    destinations = Destinations.of(move, target_rows)
    new_rows = [row for row in rows if destinations.like(row) is None]
    like_rows = [row for row in rows if destinations.like(row) is not None]
    # One without passages has been moved or joined, and only its relations are left.
    bare_rows = [row for row in like_rows if not row["passages"]]
    joined_rows = [row for row in like_rows if row["passages"] and _is_joined(row, joined_at)]
    to = {row["key"]: destinations.key(row) for row in (*new_rows, *bare_rows, *joined_rows)}
    if new_rows:
        transaction.run("write/move_entities", rows=[_row(move, row, to) for row in new_rows])
    former_keys = _move_names(transaction, move, to)
    move_revisions(transaction, move, {row["key"]: to[row["key"]] for row in new_rows}, former_keys)
    relation_rows = put_relations(transaction, to, limit=RELATIONS)
    outside_rows = transaction.run(
        "write/move_outside_relations",
        rows=[{"key": key, "to": target} for key, target in sorted(to.items())],
        limit=RELATIONS,
    )
    # Deleted last, since a later statement might still come across a deleted node.
    if new_rows:
        transaction.run("write/let_passages_go", keys=[row["key"] for row in new_rows])
    if joined_rows:
        _drop_joined(transaction, move, joined_rows, to, former_keys)
    transaction.run("write/drop_taken_relations", ids=[row["id"] for row in relation_rows])
    gone_rows = transaction.run("write/drop_bare_entities", keys=sorted(to))
    return _Step(
        handled_keys=frozenset(to),
        gone_keys=frozenset(row["key"] for row in gone_rows),
        joined=len(joined_rows),
        relations=sum(row["start"] in to for row in relation_rows),
        is_cut=RELATIONS in {len(relation_rows), outside_rows[0]["moved"]},
    )


def _is_joined(row: Row, joined_at: Mapping[str, datetime | None]) -> bool:
    """Whether an entity did not change since its words were written to the one of its name."""
    return row["key"] in joined_at and joined_at[row["key"]] == row["stored"].get("updated_at")


def _row(move: Move, row: Row, to: Mapping[str, str]) -> Row:
    """The row of an entity: the properties that it and its passages get in the other project."""
    key, stored_properties = to[row["key"]], row["stored"]
    present_properties = {
        name: value for name, value in stored_properties.items() if value is not None
    }
    properties = {**_USUAL, **present_properties, "name": row["name"], "project": move.into}
    new_properties = {
        "name": row["name"],
        "project": move.into,
        **of_new_key(key, properties, passages=row["passages"]),
    }
    shared = shared_fields(properties | new_properties)
    unlinked = [move.token(token) for token in stored_properties.get("graphmem_unlinked") or ()]
    return {
        "key": row["key"],
        "to": key,
        "properties": new_properties | {"graphmem_unlinked": unlinked or None},
        **{
            field: {name: fields[name] for name in ("project", "filters")}
            for field, fields in (
                ("first", shared.first),
                ("others", shared.following),
                ("first_dated", shared.at((False, True))),
                ("others_dated", shared.at((True, True))),
            )
        },
    }


def _move_names(
    transaction: Transaction, move: Move, to: Mapping[str, str]
) -> dict[str, dict[str, str | None]]:
    """Make the redirects of moved entities in the other project, where keys are free there.

    Returns:
        By the keys of the entities, the keys that led to each, with their own keys there; None
        where such a key is taken.
    """
    redirect_rows = transaction.run("read/redirected", targets=sorted(to))
    desired_targets = {move.key(row["key"]): to[row["target"]] for row in redirect_rows}
    desired_targets |= {move.key(key): new_key for key, new_key in to.items()}
    taken_keys = {row["key"] for row in transaction.run("read/leads", keys=sorted(desired_targets))}
    free_rows = [
        {"key": k, "target": t}
        for k, t in sorted(desired_targets.items())
        if k not in taken_keys and k != t
    ]
    put_redirects(
        transaction, [*free_rows, *({"key": row["key"], "target": None} for row in redirect_rows)]
    )
    free_keys = {row["key"] for row in free_rows}
    former_keys: dict[str, dict[str, str | None]] = {}
    for row in redirect_rows:
        new_key, keys = move.key(row["key"]), former_keys.setdefault(row["target"], {})
        keys[row["key"]] = new_key if new_key in free_keys else None
    return former_keys


def _drop_joined(
    transaction: Transaction,
    move: Move,
    rows: Sequence[Row],
    to: Mapping[str, str],
    former_keys: Mapping[str, Collection[str]],
) -> None:
    """Delete passages and revisions of entities that were joined; barred relations stay barred."""
    keys = [row["key"] for row in rows]
    tokens = [
        {"start": to[row["key"]], "token": move.token(token)}
        for row in rows
        for token in row["stored"].get("graphmem_unlinked") or ()
    ]
    if tokens:
        transaction.run("write/bar_relations", rows=tokens)
    transaction.run("write/drop_passages", keys=keys, limit=ALL)
    merged_keys = [former for key in keys for former in former_keys.get(key, ())]
    transaction.run("write/delete_revisions", keys=[*keys, *merged_keys])
