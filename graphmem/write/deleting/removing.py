"""Deletes entities for good, with their passages and relations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from graphmem.graph import Graph, Transaction

# Passages, and relations, that one transaction deletes.
AT_ONCE = 2000

# Gives those of some entities that are deleted after all; asked while they are locked.
Check = Callable[[Transaction, Sequence[str]], Sequence[str]]
Note = Callable[[Transaction, Sequence[str]], None]


@dataclass(slots=True)
class Deleted:
    """How much was deleted: the keys of the entities, and the number of relations."""

    keys: set[str] = field(default_factory=set)
    relations: int = 0


def delete_entities(
    graph: Graph,
    keys: Sequence[str],
    *,
    check: Check | None = None,
    note: Note | None = None,
) -> Deleted:
    """Delete entities in bounded transactions: passages, relations, themselves with their history.

    Args:
        graph: The store.
        keys: Of the entities.
        check: Which of them are deleted after all, asked once, behind their locks; None for all.
        note: Notes which are deleted, in the transaction that does it.
    """
    total = Deleted()
    remaining_keys = set(keys)
    is_cut = True
    while remaining_keys and is_cut:
        step = graph.write(partial(_step, keys=sorted(remaining_keys), check=check, note=note))
        total.keys |= step.deleted_keys
        total.relations += step.relations
        remaining_keys = set(step.keys) - step.deleted_keys
        is_cut = step.is_cut
        check = None  # what passed is not what it was once a part of it is gone
    return total


@dataclass(frozen=True, slots=True)
class _Step:
    """What one transaction did: the keys it handled, those that are deleted by now, and counts."""

    keys: Sequence[str]
    deleted_keys: set[str]
    relations: int
    is_cut: bool


def _step(
    transaction: Transaction,
    keys: Sequence[str],
    check: Check | None,
    note: Note | None,
) -> _Step:
    transaction.run("write/lock_store_record")
    transaction.run("write/lock_moving", keys=list(keys))
    if check is not None:
        keys = list(check(transaction, keys))
    parameters = {"keys": list(keys), "limit": AT_ONCE}
    passages = transaction.run("write/drop_passages", **parameters)[0]["deleted"]
    relations = transaction.run("write/drop_relations", **parameters)[0]["deleted"]
    rows = transaction.run("write/drop_bare_entities", keys=list(keys))
    deleted_keys = {str(row["key"]) for row in rows}
    # Last, so that after a kill a redirect still leads to what is left of its entity.
    transaction.run("write/delete_revisions", keys=sorted(deleted_keys))
    if note is not None and (deleted_keys or passages or relations):
        note(transaction, keys)
    return _Step(keys, deleted_keys, relations, AT_ONCE in {passages, relations})


def delete_changes(graph: Graph, project: str) -> None:
    """Delete the record of the changes of a project."""
    deleted_count = AT_ONCE
    while deleted_count == AT_ONCE:
        rows = graph.run("write/drop_changes", project=project, limit=AT_ONCE)
        deleted_count = rows[0]["deleted"]
