"""Deletes entities for good, with their passages and relations."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from graphmem.graph import Graph, Transaction

# Passages, and relations, that one transaction deletes.
AT_ONCE = 2000


@dataclass(slots=True)
class Deleted:
    """How much was deleted: keys of the entities, and relations."""

    gone: set[str] = field(default_factory=set)
    relations: int = 0


def delete_entities(graph: Graph, keys: Sequence[str]) -> Deleted:
    """Delete entities in bounded transactions: passages first, then relations, then themselves."""
    deleted = Deleted()
    left = set(keys)
    is_cut = True
    while left and is_cut:
        some = sorted(left)
        gone, relations, is_cut = graph.write(partial(_step, keys=some))
        deleted.gone |= gone
        deleted.relations += relations
        left -= gone
    return deleted


def _step(transaction: Transaction, keys: list[str]) -> tuple[set[str], int, bool]:
    transaction.run("write/lock_models")
    transaction.run("write/lock_moving", keys=keys)
    passages = transaction.run("write/drop_passages", keys=keys, limit=AT_ONCE)[0]["deleted"]
    relations = transaction.run("write/drop_relations", keys=keys, limit=AT_ONCE)[0]["deleted"]
    transaction.run("write/delete_revisions", keys=keys)
    gone = {row["key"] for row in transaction.run("write/drop_bare_entities", keys=keys)}
    return gone, relations, AT_ONCE in {passages, relations}


def delete_changes(graph: Graph, project: str) -> None:
    """Delete what is noted of the changes of a project."""
    asked = {"project": project, "limit": AT_ONCE}
    deleted = AT_ONCE
    while deleted == AT_ONCE:
        rows = graph.write(lambda transaction: transaction.run("write/drop_changes", **asked))
        deleted = rows[0]["deleted"]
