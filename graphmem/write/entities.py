"""Writes entities with their passages: embedded outside the transaction, merged inside it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, TRANSACTION_BYTES, batches
from graphmem.embedding import Embedder, Vector, document
from graphmem.graph import Graph, Transaction
from graphmem.model import Entity, Item
from graphmem.model.report import Outcome
from graphmem.progress import SILENT, Progress
from graphmem.write import changes
from graphmem.write.bounds import refusal
from graphmem.write.merge import (
    OWN_LABELS,
    WHOLE,
    Stored,
    Wanted,
    merged,
    texts_to_embed,
    unchanged,
    with_status,
)
from graphmem.write.weight import said_weight, stored_weights
from graphmem.write.writing import Writing

BATCH = 500

# What became of an entity, and why it was refused.
Result = tuple[Outcome, str | None]


class DryRun(Exception):
    """Carries the outcomes out of a transaction that is rolled back."""

    def __init__(self, outcomes: dict[str, Result]) -> None:
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
        embedder: Makes the embeddings; without one the passages wait for it.
        entities: Checked entities. One named twice is written twice, in order.
        how: Project, overwriting, dry run.
        progress: Hears of the embedding and of the writing.

    Returns:
        An item for each entity, in the order given.
    """
    outcomes: dict[int, Result] = {}
    rounds = _rounds(entities, how.project)
    vectors: dict[str, Vector] = {}
    if not how.dry_run and embedder is not None:
        vectors = _embedded(graph, embedder, entities, how.project, progress)
    for batch in rounds:
        by_key = {text.key(how.project, entities[index].name): index for index in batch}
        for keys in _transactions(graph, {key: entities[by_key[key]] for key in by_key}):
            said = {key: entities[by_key[key]] for key in keys}
            for key, outcome in _write_batch(graph, said, how, vectors).items():
                outcomes[by_key[key]] = outcome
            progress.advance("Writing entities", len(outcomes), len(entities))
    return [Item("entity", entity.name, *outcomes[index]) for index, entity in enumerate(entities)]


def change_status(graph: Graph, keys: Sequence[str], status: str) -> list[str]:
    """Write another status to entities that exist; gives the keys of those that changed."""
    ordered = sorted(set(keys))
    return [
        changed
        for start in range(0, len(ordered), BATCH)
        for some in _transactions(graph, dict.fromkeys(ordered[start : start + BATCH]))
        for changed in _changed_status(graph, some, status)
    ]


def _changed_status(graph: Graph, keys: Sequence[str], status: str) -> list[str]:
    def work(transaction: Transaction) -> list[str]:
        pairs = [(one, with_status(one, status)) for one in _locked(transaction, keys)]
        changed = [(stored, wanted) for stored, wanted in pairs if not unchanged(stored, wanted)]
        changes.put(transaction, changed, vectors={}, now=datetime.now(UTC))
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
    cut: list[list[int]] = []
    for found in rounds:
        ordered = sorted(found, key=lambda index: text.key(project, entities[index].name))
        cut.extend(ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH))
    return cut


def _transactions(graph: Graph, said: Mapping[str, Entity | None]) -> Iterator[list[str]]:
    """Keys in their order, cut by what a transaction holds of what is stored and what is said."""
    stored = stored_weights(graph, list(said)) if len(said) > 1 else {}

    def weight(key: str) -> int:
        entity = said[key]
        return stored.get(key, 0) + (0 if entity is None else said_weight(entity))

    return batches(said, weight, most=BATCH, most_bytes=TRANSACTION_BYTES)


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
    made = embedder.documents(list(wanted.values()), advance=advance)
    return dict(zip(wanted, made, strict=True))


def _write_batch(
    graph: Graph, said: Mapping[str, Entity], how: Writing, vectors: Mapping[str, Vector]
) -> dict[str, Result]:
    now = datetime.now(UTC)

    def work(transaction: Transaction) -> dict[str, Result]:
        outcomes: dict[str, Result] = {}
        changed: list[tuple[Stored, Wanted]] = []
        for stored in _locked(transaction, sorted(said)):
            wanted = merged(stored, said[stored.key], how=how, now=now)
            outcomes[stored.key] = _result(stored, wanted)
            if outcomes[stored.key][0] in {"created", "updated"}:
                changed.append((stored, wanted))
        if how.dry_run:
            raise DryRun(outcomes)
        changes.put(transaction, changed, vectors=vectors, now=now)
        return outcomes

    try:
        return graph.write(work)
    except DryRun as found:
        return found.outcomes


def _result(stored: Stored, wanted: Wanted) -> Result:
    if not stored.properties:
        return "created", None
    if unchanged(stored, wanted):
        return "unchanged", None
    reason = refusal(stored, wanted)
    return ("updated", None) if reason is None else ("refused", reason)


def _locked(transaction: Transaction, keys: Sequence[str]) -> list[Stored]:
    return [
        Stored(
            key=row["key"],
            properties={k: v for k, v in (row["stored"] or {}).items() if k not in WHOLE},
            labels=tuple(label for label in row["labels"] if label not in OWN_LABELS),
            passages=tuple(row["passages"]),
        )
        for row in transaction.run("write/lock_entities", keys=list(keys))
    ]


def fill_pending(graph: Graph, embedder: Embedder, *, progress: Progress = SILENT) -> int:
    """Embed the passages that wait for the model; gives how many there were.

    Raises:
        EmbeddingError: The model is not ready.
    """
    filled = 0
    while rows := graph.read("read/pending_passages", limit=BATCH, characters=STATEMENT_BYTES):
        vectors = embedder.documents(
            [document(row["name"], row["title"], row["text"]) for row in rows]
        )
        made = [
            {"key": r["key"], "id": r["id"], "digest": r["digest"], "embedding": vector}
            for r, vector in zip(rows, vectors, strict=True)
        ]
        written = graph.write(lambda t, made=made: t.run("write/embed_passages", rows=made))  # type: ignore[misc]
        filled += len(rows)
        progress.advance("Embedding passages", filled, filled)
        if not written or written[0]["written"] == 0:
            break
    return filled
