"""Writes entities with their passages: embedded outside the transaction, merged inside it."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from graphmem import text
from graphmem.embedding import Embedder, Vector
from graphmem.errors import EmbeddingError
from graphmem.graph import Graph, Transaction
from graphmem.model import Entity, Item
from graphmem.model.report import Outcome
from graphmem.progress import SILENT, Progress
from graphmem.write.merge import (
    OWN_LABELS,
    Stored,
    Wanted,
    merged,
    texts_to_embed,
    unchanged,
    with_status,
)
from graphmem.write.writing import Writing

log = logging.getLogger("graphmem")

BATCH = 500


class DryRun(Exception):
    """Carries the outcomes out of a transaction that is rolled back."""

    def __init__(self, outcomes: dict[str, Outcome]) -> None:
        super().__init__()
        self.outcomes = outcomes


def write_entities(
    graph: Graph,
    embedder: Embedder | None,
    entities: Sequence[Entity],
    how: Writing,
    *,
    progress: Progress = SILENT,
) -> list[Item]:
    """Create or update entities, in batches that each happen whole or not at all.

    Args:
        graph: Where to.
        embedder: Makes the embeddings; without one, or where it fails, the passages wait for it.
        entities: Checked entities. One named twice is written twice, in order.
        how: Project, overwriting, dry run.
        progress: Hears of the embedding and of the writing.

    Returns:
        An item for each entity, in the order given.
    """
    outcomes: dict[int, Outcome] = {}
    rounds = _rounds(entities, how.project)
    vectors: dict[str, Vector] = {}
    if not how.dry_run and embedder is not None:
        vectors = _embedded(graph, embedder, entities, how.project, progress)
    done = 0
    for batch in rounds:
        by_key = {text.key(how.project, entities[index].name): index for index in batch}
        said = {key: entities[index] for key, index in by_key.items()}
        for key, outcome in _write_batch(graph, said, how, vectors).items():
            outcomes[by_key[key]] = outcome
        done += len(batch)
        progress.advance("Writing entities", done, len(entities))
    return [Item("entity", entity.name, outcomes[index]) for index, entity in enumerate(entities)]


def change_status(graph: Graph, keys: Sequence[str], status: str) -> list[str]:
    """Write another status to entities that exist; gives the keys of those that changed."""

    def work(transaction: Transaction) -> list[str]:
        there = _locked(transaction, sorted(set(keys)))
        pairs = [(stored, with_status(stored, status)) for stored in there]
        changed = [(stored, wanted) for stored, wanted in pairs if not unchanged(stored, wanted)]
        _put(transaction, changed, vectors={}, now=datetime.now(UTC))
        return [stored.key for stored, _ in changed]

    return graph.write(work)


def _rounds(entities: Sequence[Entity], project: str) -> list[list[int]]:
    """Indexes in batches of at most 500, sorted by key, no key twice in a batch."""
    rounds: list[list[int]] = []
    seen: dict[str, int] = {}
    for index, entity in enumerate(entities):
        key = text.key(project, entity.name)
        turn = seen.get(key, -1) + 1
        seen[key] = turn
        while len(rounds) <= turn:
            rounds.append([])
        rounds[turn].append(index)
    batches: list[list[int]] = []
    for found in rounds:
        ordered = sorted(found, key=lambda index: text.key(project, entities[index].name))
        batches.extend(ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH))
    return batches


def _embedded(
    graph: Graph,
    embedder: Embedder,
    entities: Sequence[Entity],
    project: str,
    progress: Progress,
) -> dict[str, Vector]:
    """Embeddings by digest of every passage said that is not stored with one already."""
    keys = sorted({text.key(project, entity.name) for entity in entities})
    titles: dict[str, str | None] = {}
    known: set[str] = set()
    for start in range(0, len(keys), BATCH):
        for row in graph.read("read/stored_passages", keys=keys[start : start + BATCH]):
            titles[row["key"]] = row["title"]
            known.update(row["digests"])
    wanted: dict[str, str] = {}
    for entity in entities:
        title = entity.title or titles.get(text.key(project, entity.name))
        for written in texts_to_embed(entity, title):
            digest = text.digest(written)
            if digest not in known:
                wanted[digest] = written
    total = len(wanted)
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        progress.advance("Embedding passages", done, total)

    if not wanted:
        return {}
    try:
        made = embedder.documents(list(wanted.values()), advance=advance)
    except EmbeddingError as error:
        log.warning("passages are written without embeddings: %s", error)
        return {}
    return dict(zip(wanted, made, strict=True))


def _write_batch(
    graph: Graph, said: Mapping[str, Entity], how: Writing, vectors: Mapping[str, Vector]
) -> dict[str, Outcome]:
    now = datetime.now(UTC)

    def work(transaction: Transaction) -> dict[str, Outcome]:
        outcomes: dict[str, Outcome] = {}
        changed: list[tuple[Stored, Wanted]] = []
        for stored in _locked(transaction, sorted(said)):
            wanted = merged(stored, said[stored.key], how=how, now=now)
            if not stored.properties:
                outcomes[stored.key] = "created"
            elif unchanged(stored, wanted):
                outcomes[stored.key] = "unchanged"
                continue
            else:
                outcomes[stored.key] = "updated"
            changed.append((stored, wanted))
        if how.dry_run:
            raise DryRun(outcomes)
        _put(transaction, changed, vectors=vectors, now=now)
        return outcomes

    try:
        return graph.write(work)
    except DryRun as found:
        return found.outcomes


def _locked(transaction: Transaction, keys: Sequence[str]) -> list[Stored]:
    return [
        Stored(
            key=row["key"],
            properties=row["stored"] or {},
            labels=tuple(label for label in row["labels"] if label not in OWN_LABELS),
            passages=tuple(row["passages"]),
        )
        for row in transaction.run("write/lock_entities", keys=list(keys))
    ]


def _put(
    transaction: Transaction,
    changed: Sequence[tuple[Stored, Wanted]],
    *,
    vectors: Mapping[str, Vector],
    now: datetime,
) -> None:
    if not changed:
        return
    entities: list[dict[str, Any]] = []
    gone: list[dict[str, Any]] = []
    moved: list[dict[str, Any]] = []
    fresh: list[dict[str, Any]] = []
    for stored, wanted in changed:
        entities.append(
            {
                "key": wanted.key,
                "properties": wanted.properties | {"updated_at": now},
                "add": list(wanted.labels),
                "remove": [label for label in stored.labels if label not in wanted.labels],
            }
        )
        before = {(p["id"], p["digest"], _said(p)): p for p in stored.passages}
        after = {(p["id"], p["digest"], _said(p)): p for p in wanted.passages}
        if lost := [p["id"] for mark, p in before.items() if mark not in after]:
            gone.append({"key": wanted.key, "ids": lost})
        if kept := {p["id"]: p["position"] for mark, p in after.items() if mark in before}:
            moved.append({"key": wanted.key, "shared": wanted.shared, "positions": kept})
        fresh.extend(
            _new_passage(wanted, passage, vectors)
            for mark, passage in after.items()
            if mark not in before
        )
    transaction.run("write/put_entities", rows=entities)
    if gone:
        transaction.run("write/delete_passages", rows=gone)
    if moved:
        transaction.run("write/move_passages", rows=moved)
    for start in range(0, len(fresh), BATCH):
        transaction.run("write/put_passages", rows=fresh[start : start + BATCH])


def _said(passage: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(passage.get(field) for field in ("created_at", "source", "confidence"))


def _new_passage(
    wanted: Wanted, passage: dict[str, Any], vectors: Mapping[str, Vector]
) -> dict[str, Any]:
    embedding = vectors.get(passage["digest"])
    properties = wanted.shared | passage | ({"pending": True} if embedding is None else {})
    return {
        "key": wanted.key,
        "properties": {name: value for name, value in properties.items() if value is not None},
        "embedding": embedding,
    }
