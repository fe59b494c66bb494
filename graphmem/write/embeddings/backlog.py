"""The backlog: passages that were written without the model are embedded later, batch by batch."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.embedding import DocumentEmbedder, ModelIdentity, Vector, document
from graphmem.errors import EmbeddingError, EmbeddingsReplaced, ModelUnavailable
from graphmem.graph import Graph, Transaction, vector_value
from graphmem.progress import SILENT, Progress
from graphmem.write.embeddings.searched_set import Embeddings, searched_set

log = logging.getLogger("graphmem")

# Read at once; and embedded, then written at once: what is lost when the process ends.
PAGE = 512
BATCH = 32

_Row = dict[str, Any]


def fill_pending(
    graph: Graph,
    embedder: DocumentEmbedder,
    *,
    at_once: int = BATCH,
    stops: Callable[[], bool] = lambda: False,
    progress: Progress = SILENT,
) -> int:
    """Embed the passages that wait for the model; gives how many were.

    Each batch is written before the next is embedded. A passage that the model fails on is passed
    over and goes on waiting.

    Args:
        graph: The store.
        embedder: The model, ready.
        at_once: How many texts the model is given; a question waits for so many at most.
        stops: Asked before each batch; True ends the work.
        progress: Hears how many are done.

    Raises:
        EmbeddingError: The model fails on everything, or is unavailable.
        EmbeddingsReplaced: The store searches the embeddings of another model since a moment ago.
        DatabaseError: The database does not answer or refuses; batches before it stay.
    """
    filled = 0
    failed: set[tuple[str, str]] = set()
    while True:
        page = graph.read("read/pending_passages", limit=PAGE, characters=STATEMENT_BYTES)
        rows = [row for row in page if (row["key"], row["id"]) not in failed]
        written = 0
        for batch_rows in batches(rows, most=BATCH):
            if stops():
                return filled
            batch = list(embedded(embedder, batch_rows, at_once))
            failed |= {(row["key"], row["id"]) for row, vector in batch if vector is None}
            written += _write(graph, batch, embedder.identity())
            filled += sum(vector is not None for _, vector in batch)
            progress.advance("Embedding passages", filled, filled)
        # Passages that are deleted or changed while they are embedded shall not go round for ever.
        if written == 0:
            return filled


def embedded(
    embedder: DocumentEmbedder,
    rows: Sequence[_Row],
    at_once: int,
    *,
    advance: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[_Row, Vector | None]]:
    """Embed passages, given with the name, title and lead-in of their entities.

    Args:
        embedder: The model, ready.
        rows: The passages.
        at_once: How many texts the model is given.
        advance: Hears how many more are embedded.

    Yields:
        Each with its embedding; None for one that the model fails on, alone too.

    Raises:
        EmbeddingError: The model fails on every one.
    """
    texts = [document(row["name"], row["title"], row["text"], row["lead_in"]) for row in rows]
    try:
        vectors = [
            vector
            for batch in batches(texts, most=at_once)
            for vector in embedder.documents(batch, advance=advance)
        ]
    except ModelUnavailable:
        raise
    except EmbeddingError as error:
        log.info("%d passages are embedded alone: %s", len(texts), error)
    else:
        yield from zip(rows, vectors, strict=True)
        return
    failures: list[EmbeddingError] = []
    for row, text in zip(rows, texts, strict=True):
        try:
            alone = embedder.documents([text])[0]
        except ModelUnavailable:
            raise
        except EmbeddingError as error:
            failures.append(error)
            log.warning("a passage of %s cannot be embedded: %s", row["name"], error)
            yield row, None
        else:
            yield row, alone
    if len(failures) == len(rows):
        raise failures[0]


def rows_of(batch: Sequence[tuple[_Row, Vector | None]]) -> list[_Row]:
    """What a statement is given of passages that are embedded."""
    return [
        {
            "key": row["key"],
            "id": row["id"],
            "digest": row["digest"],
            "embedding": vector_value(vector),
        }
        for row, vector in batch
        if vector is not None
    ]


def _write(graph: Graph, batch: Sequence[tuple[_Row, Vector | None]], model: ModelIdentity) -> int:
    rows = rows_of(batch)
    if not rows:
        return 0
    vectors = {row["digest"]: vector for row, vector in batch if vector is not None}
    embeddings = Embeddings(vectors, model)

    def work(transaction: Transaction) -> int:
        searched = searched_set(transaction, embeddings)
        if not searched.vectors:
            raise EmbeddingsReplaced
        answer = transaction.run("write/embed_passages", rows=rows, property=searched.own_property)
        searched.check(answer)
        return int(answer[0]["written"])

    return graph.write(work)
