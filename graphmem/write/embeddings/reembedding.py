"""Another set of embeddings: begun, made page by page, put in the place of the one before.

Every transaction locks the store's node first and looks there which set is made, of which model. So
several processes share the pages instead of making the same embeddings, and a kill loses the page
in hand and no more: whoever comes next finds what was made and makes the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from graphmem import statements
from graphmem.batches import STATEMENT_BYTES, batches, size
from graphmem.embedding import DocumentEmbedder, ModelIdentity, StoredModels, Vector
from graphmem.errors import EmbeddingError, ModelUnavailable
from graphmem.graph import Graph, Transaction
from graphmem.write.embeddings.backlog import embedded, rows_of
from graphmem.write.embeddings.searched_set import locked_models, note_models

# Entities that are looked at together, and passages of those of them that are taken on; one entity
# alone may have more. Many put texts of one length side by side, and few commits cost little.
PAGE = 1000
PASSAGES = 512
# What a model that fails on whole pages is tried with.
_PROBE = "graphmem"

_Row = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """What one process has made of a set.

    Args:
        embedded: Passages.
        failed: Passages that the model failed on, by the keys of their entities and their ids.
    """

    embedded: int = 0
    failed: set[tuple[str, str]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Page:
    """Entities that a process takes on.

    Args:
        keys: Those of them that have passages without an embedding of the next set.
        is_behind_last: Whether there was none left to look at.
    """

    keys: tuple[str, ...]
    is_behind_last: bool


def begin(graph: Graph, model: ModelIdentity) -> StoredModels:
    """Note the model of the next set; returns what the store notes afterwards.

    Nothing changes if the store has these embeddings or makes them already. A set that was begun
    with another model is abandoned. Embeddings that are to be removed come first; see `leftover`.
    """

    def work(transaction: Transaction) -> StoredModels:
        models = locked_models(transaction)
        if models.current is None:
            return note_models(transaction, replace(models, current=model))
        if models.next is not None and not models.makes(model):
            return note_models(transaction, replace(models, next=None, leftover=True, after=""))
        if models.leftover or models.searches(model) or models.makes(model):
            return models
        return note_models(transaction, replace(models, next=model, after=""))

    return graph.write(work)


def make(
    graph: Graph,
    embedder: DocumentEmbedder,
    models: StoredModels,
    tally: Tally,
    *,
    advance: Callable[[int], None],
) -> int | None:
    """Embed the passages that the next set lacks, from the page that is next to the last.

    Args:
        graph: The store.
        embedder: The model of the next set, ready.
        models: What the store noted when the set was begun.
        tally: What this process has made of it so far.
        advance: Hears how many more are embedded.

    Returns:
        How many passages were taken on, of which some may have failed or changed meanwhile; None
        where the set is not made any more: it is searched by now, or was given up.

    Raises:
        EmbeddingError: The model fails on everything.
    """
    passage_count = 0
    while True:
        page = graph.write(lambda transaction: _take_on(transaction, models))
        if page is None:
            return None
        if page.is_behind_last:
            return passage_count
        rows = [row for row in _passages(graph, models, page.keys) if _id(row) not in tally.failed]
        for passages in batches(rows, most=PASSAGES):
            batch = _embedded(embedder, passages, advance)
            tally.failed |= {_id(row) for row, vector in batch if vector is None}
            for batch_rows in batches(
                rows_of(batch), size, most=PASSAGES, most_bytes=STATEMENT_BYTES
            ):
                written_count = _write(graph, batch_rows, models)
                if written_count is None:
                    return None
                tally.embedded += written_count
        passage_count += len(rows)


def start_again(graph: Graph, models: StoredModels) -> None:
    """Have the next page be the first one, for what was written since and what was lost."""

    def work(transaction: Transaction) -> None:
        current_models = locked_models(transaction)
        if current_models.makes_the_same_as(models):
            note_models(transaction, replace(current_models, after=""))

    graph.write(work)


def search_next(graph: Graph, models: StoredModels) -> StoredModels:
    """Make searches use the next set, in one transaction; returns what the store notes afterwards.

    Nothing changes if another process did so before, or abandoned the set.
    """

    def work(transaction: Transaction) -> StoredModels:
        current_models = locked_models(transaction)
        if not current_models.makes_the_same_as(models):
            return current_models
        return note_models(
            transaction,
            StoredModels(
                number=current_models.number + 1, current=current_models.next, leftover=True
            ),
        )

    return graph.write(work)


def _take_on(transaction: Transaction, models: StoredModels) -> _Page | None:
    """Take on the next page, so that no other process does; None where the set is not made."""
    current_models = locked_models(transaction)
    if not current_models.makes_the_same_as(models):
        return None
    rows = transaction.run(
        _of_next(models, "read/unembedded_entities"), after=current_models.after, limit=PAGE
    )
    passages = accumulate(row["passages"] for row in rows)
    characters = accumulate(row["characters"] for row in rows)
    page_rows = [
        row
        for row, passage_total, character_total in zip(rows, passages, characters, strict=True)
        if passage_total <= PASSAGES and character_total <= STATEMENT_BYTES
    ]
    page_rows = page_rows or rows[:1]
    if page_rows:
        note_models(transaction, replace(current_models, after=page_rows[-1]["key"]))
    return _Page(
        tuple(row["key"] for row in page_rows if row["passages"]), is_behind_last=not page_rows
    )


def _passages(graph: Graph, models: StoredModels, keys: Sequence[str]) -> list[_Row]:
    if not keys:
        return []
    return graph.read(_of_next(models, "read/unembedded_passages"), keys=list(keys))


def _embedded(
    embedder: DocumentEmbedder, rows: Sequence[_Row], advance: Callable[[int], None]
) -> list[tuple[_Row, Vector | None]]:
    """Embed passages; where the model fails on every one, make sure that it works at all.

    Raises:
        EmbeddingError: It does not, or is unavailable.
    """
    batch: list[tuple[_Row, Vector | None]] = []
    try:
        batch.extend(embedded(embedder, rows, PASSAGES, advance=advance))
    except ModelUnavailable:
        raise
    except EmbeddingError:
        embedder.documents([_PROBE])
    return batch


def _write(graph: Graph, rows: Sequence[_Row], models: StoredModels) -> int | None:
    """Write embeddings of the next set; None where that is not made any more."""

    def work(transaction: Transaction) -> int | None:
        if not locked_models(transaction).makes_the_same_as(models):
            return None
        answer = transaction.run(
            "write/stage_embeddings",
            rows=list(rows),
            property=statements.embedding_property(models.number + 1),
        )
        return int(answer[0]["written"])

    return graph.write(work)


def _of_next(models: StoredModels, name: str) -> str:
    """The name of a statement about the next set."""
    return statements.of_embeddings(name, models.number + 1)


def _id(row: _Row) -> tuple[str, str]:
    return row["key"], row["id"]
