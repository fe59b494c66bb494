"""Writes entities with their passages in one transaction, and takes back what was asserted."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.batches import TRANSACTION_BYTES, batches
from graphmem.errors import EmbeddingsReplaced
from graphmem.graph import Graph, Row, Transaction
from graphmem.model import Entity, Item
from graphmem.model.report import Outcome  # noqa: TC001 - used at run time
from graphmem.write import changes
from graphmem.write.bounds import refusal
from graphmem.write.embeddings import Embeddings
from graphmem.write.options import WriteOptions
from graphmem.write.shape import (
    OWN_LABELS,
    Desired,
    Stored,
    looks_the_same,
    unchanged,
    with_property,
)
from graphmem.write.upsert import merged, with_status, withdrawn
from graphmem.write.weight import stored_weights

log = logging.getLogger("graphmem")

BATCH = 500


@dataclass(frozen=True, slots=True)
class Spoken:
    """An entity to be written, and its place in the order given.

    Args:
        index: Its place.
        entity: What is asserted, checked.
        again: Whether the same write or import has spoken of this entity before.
    """

    index: int
    entity: Entity
    again: bool = False


def write(
    graph: Graph, spoken: Mapping[str, Spoken], how: WriteOptions, embeddings: Embeddings
) -> list[tuple[int, Item]]:
    """Write entities in one transaction; gives the index of each and what became of it.

    Passages wait for the model where the store searches the embeddings of another than was used.
    """
    now = datetime.now(UTC)

    def work(transaction: Transaction) -> list[tuple[int, Item]]:
        items: list[tuple[int, Item]] = []
        changed: list[tuple[Stored, Desired]] = []
        for stored in _locked(transaction, sorted(spoken)):
            entity = spoken[stored.key]
            wanted = merged(stored, entity.entity, how=how, now=now, again=entity.again)
            item = item_of(entity, stored, wanted)
            items.append((entity.index, item))
            if item.outcome != "refused" and not unchanged(stored, wanted):
                changed.append((stored, wanted))
        changes.put(transaction, changed, embeddings=embeddings, now=now)
        return items

    while True:
        try:
            return graph.write(work)
        except EmbeddingsReplaced:
            log.info("the store searches the embeddings of another model now; writing again")


def item_of(spoken: Spoken, stored: Stored, wanted: Desired) -> Item:
    """What a report says of an entity that is stored and shall be."""
    outcome: Outcome = "created"
    reason = None
    if stored.properties:
        reason = None if unchanged(stored, wanted) else refusal(stored, wanted)
        outcome = "unchanged" if looks_the_same(stored, wanted) else "updated"
    return Item("entity", spoken.entity.name, "refused" if reason else outcome, reason)


def change_status(graph: Graph, keys: Sequence[str], status: str) -> list[str]:
    """Write a caller's word on the status of entities; gives the keys of those that changed."""
    now = datetime.now(UTC)
    return _change(graph, keys, lambda stored: with_status(stored, status, now=now))


def withdraw(graph: Graph, keys: Sequence[str], author: str) -> list[str]:
    """Take back what an import asserted of entities; gives the keys of those that changed."""
    return _change(graph, keys, lambda stored: withdrawn(stored, author))


def derive(transaction: Transaction, keys: Sequence[str]) -> None:
    """Make anew what is derived from the fields of entities; their last change stays when it was.

    Args:
        transaction: In which they are locked.
        keys: Of the entities, sorted.
    """
    for stored in _locked(transaction, keys):
        if stored.properties:
            at = stored.properties.get("updated_at") or datetime.now(UTC)
            pair = (stored, with_property(stored))
            changes.put(transaction, [pair], embeddings=Embeddings(), now=at)


def _change(graph: Graph, keys: Sequence[str], change: Callable[[Stored], Desired]) -> list[str]:
    weights = stored_weights(graph, sorted(set(keys)))
    return [
        changed
        for some in batches(
            sorted(weights), weights.__getitem__, most=BATCH, most_bytes=TRANSACTION_BYTES
        )
        for changed in _change_some(graph, some, change)
    ]


def _change_some(
    graph: Graph, keys: Sequence[str], change: Callable[[Stored], Desired]
) -> list[str]:
    def work(transaction: Transaction) -> list[str]:
        there = [row for row in _locked(transaction, keys) if row.properties]
        pairs = [(stored, change(stored)) for stored in there]
        changed = [(stored, wanted) for stored, wanted in pairs if not unchanged(stored, wanted)]
        changes.put(transaction, changed, embeddings=Embeddings(), now=datetime.now(UTC))
        return [stored.key for stored, _ in changed]

    return graph.write(work)


def snapshots(graph: Graph, keys: Sequence[str]) -> Iterator[tuple[str, Stored, int]]:
    """Entities as they are stored now, new ones blank, with about how many bytes each has."""
    weights = stored_weights(graph, keys)
    for some in batches(
        keys, lambda key: weights.get(key, 0), most=BATCH, most_bytes=TRANSACTION_BYTES
    ):
        there = [key for key in some if key in weights]
        rows = graph.read("read/stored_entities", keys=there) if there else []
        stored = {row["key"]: _stored(row) for row in rows}
        for key in some:
            yield key, stored.get(key, Stored(key, {}, (), ())), weights.get(key, 0)


def _locked(transaction: Transaction, keys: Sequence[str]) -> list[Stored]:
    return [_stored(row) for row in transaction.run("write/lock_entities", keys=list(keys))]


def _stored(row: Row) -> Stored:
    return Stored(
        key=row["key"],
        properties=row["stored"] or {},
        labels=tuple(label for label in row["labels"] if label not in OWN_LABELS),
        passages=tuple(row["passages"]),
    )
