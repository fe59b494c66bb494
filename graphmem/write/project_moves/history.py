"""Moves what is recorded of entities, and of changes, to the project that the entities go to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from graphmem.model.json_object import compact_json
from graphmem.write.assertions.states import translated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphmem.graph import Graph, Transaction
    from graphmem.write.project_moves.move import Move

# More than any entity has.
ALL = 1_000_000
# The most changes that one transaction moves.
CHANGES = 2000


def move_revisions(
    transaction: Transaction,
    move: Move,
    to: Mapping[str, str],
    former_keys: Mapping[str, Mapping[str, str | None]],
) -> None:
    """Move the revisions of entities, and of what was merged into them, to their keys there.

    Args:
        transaction: The one that moves the entities.
        move: The two projects.
        to: By the keys of the entities, those they have there.
        former_keys: By the keys of the entities, the keys that led to each, with their own keys
            there; what has none there is not told of any more.
    """
    former = {key: new for target in to for key, new in former_keys.get(target, {}).items()}
    keys = {**to, **former}
    rows = [
        {
            "key": row["key"],
            "revision": row["revision"],
            "to": keys[row["key"]],
            "before": compact_json(translated(json.loads(row["before"]), move.key, move.token)),
        }
        for row in transaction.run("read/revisions", keys=sorted(keys), limit=ALL)
        if keys[row["key"]] is not None
    ]
    if rows:
        transaction.run("write/move_revisions", rows=rows)
    if lost_keys := sorted(key for key, new in former.items() if new is None):
        transaction.run("write/delete_revisions", keys=lost_keys)


def move_changes(graph: Graph, move: Move) -> None:
    """Move the record of changes from one project to the other."""
    written_count = CHANGES
    while written_count == CHANGES:
        rows = graph.run("write/move_changes", project=move.start, into=move.into, limit=CHANGES)
        written_count = rows[0]["written"]
