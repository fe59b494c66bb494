"""Writes entities with their passages in one transaction, and takes back what was asserted."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from graphmem.batches import TRANSACTION_BYTES, batches
from graphmem.calls import recorded
from graphmem.graph import Graph, Overtaken, Row, Transaction
from graphmem.model import Entity, Item, stored_values
from graphmem.model.json_object import iso
from graphmem.model.report import Outcome  # noqa: TC001 - used at run time
from graphmem.text import project_of
from graphmem.write.assertions import manual_values
from graphmem.write.assertions.corrections import objection
from graphmem.write.assertions.shape import (
    OWN_LABELS,
    Desired,
    Stored,
    looks_the_same,
    unchanged,
    with_property,
)
from graphmem.write.assertions.states import describe_changes
from graphmem.write.assertions.upsert import upserted, with_status, withdrawn, without_status
from graphmem.write.assertions.weight import stored_weights
from graphmem.write.bounds import inversion, refusal
from graphmem.write.changes import put as put_changes
from graphmem.write.embeddings.searched_set import Embeddings, again_if_replaced
from graphmem.write.history import recording
from graphmem.write.options import WriteOptions
from graphmem.write.pending_entity import PendingEntity
from graphmem.write.redirects import Redirected

BATCH = 500
# The most changes since the caller last looked that a refusal names, the newest ones.
LATER = 5
# What an entity becomes by a change at a moment.
Change = Callable[[Stored, datetime], Desired]


def write(
    graph: Graph,
    pending_entities: Mapping[str, PendingEntity],
    options: WriteOptions,
    embeddings: Embeddings,
) -> list[tuple[int, Item]]:
    """Write entities in one transaction; gives the index of each and what became of it.

    Passages wait for their embeddings where the store has switched to another model than the one
    that was used. An entity that was renamed or merged in the meantime is written under its present
    key; where that key is in the batch already, in a transaction of its own.
    """
    with recorded("write"):
        queue = [dict(pending_entities)]
        items: list[tuple[int, Item]] = []
        while queue:
            try:
                items += _write(graph, queue[0], options, embeddings)
                del queue[0]
            except Redirected as error:
                queue[:1] = error.followed(queue[0])
    return items


def _write(
    graph: Graph,
    pending_entities: Mapping[str, PendingEntity],
    options: WriteOptions,
    embeddings: Embeddings,
) -> list[tuple[int, Item]]:
    def work(transaction: Transaction) -> list[tuple[int, Item]]:
        items: list[tuple[int, Item]] = []
        changed_pairs: list[tuple[Stored, Desired]] = []
        refused_keys: list[str] = []
        entities = locked(transaction, sorted(pending_entities))
        now = recording.moment(transaction, [options.project])
        for stored in entities:
            pending = pending_entities[stored.key]
            desired = upserted(
                stored, pending.entity, options=options, now=now, again=pending.again
            )
            item = item_of(pending, stored, desired, options)
            if item.outcome == "refused":
                refused_keys.append(stored.key)
                later_changes = _later(transaction, stored, pending.entity)
                item = replace(item, reason=f"{item.reason}{later_changes}")
            items.append((pending.index, item))
            if item.outcome != "refused" and not unchanged(stored, desired):
                changed_pairs.append((stored, desired))
        put_changes(transaction, changed_pairs, embeddings=embeddings, now=now)
        if refused_keys:
            transaction.run("write/delete_blanks", keys=refused_keys)
        return items

    return again_if_replaced(lambda: graph.write(work))


def _later(transaction: Transaction, stored: Stored, entity: Entity) -> str:
    """What changed since the revision that a caller has seen, and who changed it."""
    seen_revision = None if entity.correction is None else entity.correction.if_revision
    if seen_revision is None or not stored.properties:
        return ""
    rows = transaction.run("read/revisions", keys=[stored.key], limit=LATER)
    changes_since = [
        f"{row['change'].get('by') or 'unknown'} changed "
        f"{describe_changes(row['before'], stored.key)} at {iso(row['at'])}"
        for row in rows
        if row["revision"] > seen_revision
    ]
    return f". Since then {'; '.join(changes_since)}" if changes_since else ""


def item_of(
    pending: PendingEntity, stored: Stored, desired: Desired, options: WriteOptions
) -> Item:
    """The report's item for a change of an entity from its stored to its desired state."""
    # An entity that exists is reported by its current name, as it is spelt there.
    name = desired.properties["name"]
    if refused := objection(stored, pending.entity, options):
        return Item("entity", name, "refused", refused)
    outcome: Outcome
    if stored.properties:
        reason = None if unchanged(stored, desired) else refusal(stored, desired)
        outcome = "unchanged" if looks_the_same(stored, desired) else "updated"
    else:
        reason, outcome = inversion(stored, desired), "created"
    return Item("entity", name, "refused" if reason else outcome, reason)


def change_status(graph: Graph, keys: Sequence[str], status: str) -> list[str]:
    """Write a caller's word on the status of entities; gives the keys of those that changed."""
    return _change(graph, keys, lambda stored, now: with_status(stored, status, now=now))


def reset_status(graph: Graph, keys: Sequence[str]) -> list[str]:
    """Take back a caller's word on the status of entities that are hidden by it."""
    return _change(graph, keys, lambda stored, _: without_status(stored))


def withdraw(graph: Graph, keys: Collection[str], author: str) -> None:
    """Take back what an import asserted of entities, without those that were merged meanwhile."""
    remaining_keys = set(keys)
    while remaining_keys:
        try:
            _change(graph, sorted(remaining_keys), lambda stored, _: withdrawn(stored, author))
        except Redirected as error:
            remaining_keys -= error.targets.keys()
        else:
            return


def derive(transaction: Transaction, keys: Sequence[str]) -> None:
    """Compute again what is derived from the fields of entities, without a change in history.

    Args:
        transaction: In which they are locked.
        keys: Of the entities, sorted.
    """
    pairs = [
        (stored, with_property(stored)) for stored in locked(transaction, keys) if stored.properties
    ]
    now = datetime.now(UTC)
    put_changes(transaction, pairs, embeddings=Embeddings(), now=now, is_change=False)


def _change(graph: Graph, keys: Sequence[str], change: Change) -> list[str]:
    changed_keys: list[str] = []
    # A statement that measures tens of thousands of entities would exceed the time limit.
    for page in batches(sorted(set(keys)), most=BATCH):
        weights = stored_weights(graph, page)
        for batch in batches(
            sorted(weights), weights.__getitem__, most=BATCH, most_bytes=TRANSACTION_BYTES
        ):
            changed_keys += _change_some(graph, batch, change)
    return changed_keys


def _change_some(graph: Graph, keys: Sequence[str], change: Change) -> list[str]:
    def work(transaction: Transaction) -> list[str]:
        existing = [row for row in locked(transaction, keys) if row.properties]
        now = recording.moment(transaction, map(project_of, keys))
        pairs = [(stored, change(stored, now)) for stored in existing]
        changed_pairs = [
            (stored, desired) for stored, desired in pairs if not unchanged(stored, desired)
        ]
        put_changes(transaction, changed_pairs, embeddings=Embeddings(), now=now)
        return [stored.key for stored, _ in changed_pairs]

    return graph.write(work)


def snapshots(graph: Graph, keys: Sequence[str]) -> Iterator[tuple[str, Stored, int]]:
    """Entities as they are stored now, new ones blank, with about how many bytes each has."""
    weights = stored_weights(graph, keys)
    for batch in batches(
        keys, lambda key: weights.get(key, 0), most=BATCH, most_bytes=TRANSACTION_BYTES
    ):
        existing_keys = [key for key in batch if key in weights]
        rows = graph.read("read/stored_entities", keys=existing_keys) if existing_keys else []
        stored_by_key = {row["key"]: stored_of(row) for row in rows}
        for key in batch:
            yield key, stored_by_key.get(key, Stored(key, {}, (), ())), weights.get(key, 0)


def locked(
    transaction: Transaction,
    keys: Sequence[str],
    *,
    follows: bool = True,
    are_legacy: bool = False,
) -> list[Stored]:
    """Lock entities; those that do not exist are created blank.

    Args:
        transaction: Holds the locks until it ends.
        keys: In the order in which every writer locks: sorted.
        follows: Whether a key that leads to another entity raises `Redirected`; otherwise an entity
            of that key is created.
        are_legacy: Whether an earlier version stored them, so that a property may mean something
            else than today; then all of them are given as they are.

    Raises:
        Redirected: Some keys lead to other entities since a moment ago.
        Overtaken: Some entities were deleted while this waited for their locks.
    """
    rows = transaction.run("write/lock_entities", keys=list(keys))
    if any(row["key"] is None for row in rows):
        raise Overtaken
    if follows and (
        targets := {row["key"]: row["target"] for row in rows if row["target"] is not None}
    ):
        raise Redirected(targets)
    return [stored_of(row, is_legacy=are_legacy) for row in rows]


def stored_of(row: Row, *, is_legacy: bool = False) -> Stored:
    """Read a row of a statement that returns stored entities; one without a name is blank.

    Args:
        row: The row.
        is_legacy: As of `locked`.
    """
    labels = tuple(label for label in row["labels"] if label not in OWN_LABELS)
    properties, passages = row["stored"] or {}, row["passages"]
    if properties.get("name") is None:  # it was deleted while the statement read it
        properties = {}
    if not is_legacy:
        properties = manual_values.typed(row["key"], properties, labels)
        passages = stored_values.passages(passages)
    return Stored(row["key"], properties, labels, tuple(passages))
