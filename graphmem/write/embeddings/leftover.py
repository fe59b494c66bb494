"""Embeddings that are not searched any more, or were given up, are removed page by page."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate

from graphmem import statements
from graphmem.embedding import StoredModels
from graphmem.errors import DatabaseError, EmbeddingsReplaced
from graphmem.graph import Graph, Transaction
from graphmem.write.embeddings.searched_set import locked_models, note_models, stored_models

# Entities that are looked at together, and passages that are changed in one transaction; one entity
# alone may have more.
PAGE = 1000
PASSAGES = 2000


def remove_leftover(
    graph: Graph,
    models: StoredModels,
    *,
    stops: Callable[[], bool] = lambda: False,
    advance: Callable[[int], None] = lambda _: None,
) -> None:
    """Remove what is not searched, and have passages without an embedding wait for the model.

    Several processes may do it at once and share the pages. The index goes first: that waits for
    every transaction that has written a passage and may have looked at the store's node before
    another set was searched.

    Args:
        graph: The store.
        models: What it notes: that something is left.
        stops: Asked before each page; True ends the work, which the next call continues.
        advance: Hears how many more entities are finished.
    """
    with suppress(EmbeddingsReplaced):
        _drop_index(graph, models)
    done = False
    while not done and not stops():
        done, entities = graph.write(_remove_page)
        advance(entities)


def _drop_index(graph: Graph, models: StoredModels) -> None:
    """Drop the index of what is left; that another process does so at once is a success.

    Raises:
        EmbeddingsReplaced: Nothing is left any more; the index stays, which by now may be that of
            a set that is being made.
    """
    name = statements.embedding_index(models.number + 1)

    def work(transaction: Transaction) -> None:
        transaction.run("schema/drop_index", name=name)
        # Looked at behind the lock that dropping takes: nobody makes an index until the end.
        current_models = stored_models(transaction)
        if (current_models.leftover, current_models.number) != (True, models.number):
            raise EmbeddingsReplaced

    try:
        graph.alter(work)
    except EmbeddingsReplaced:
        raise
    except DatabaseError:
        if name in {row["name"] for row in graph.read("read/indexes")}:
            raise


def _remove_page(transaction: Transaction) -> tuple[bool, int]:
    """Remove the next page; whether there is none any more, and how many entities are finished."""
    models = locked_models(transaction)
    if not models.leftover:
        return True, 0
    rows = transaction.run("read/passage_counts", after=models.after, limit=PAGE)
    if not rows:
        note_models(transaction, replace(models, leftover=False, after=""))
        return True, 0
    sums = accumulate(row["passages"] for row in rows)
    page = [row for row, passages in zip(rows, sums, strict=True) if passages <= PASSAGES]
    page = page or rows[:1]
    transaction.run(
        "write/clear_embeddings",
        keys=[row["key"] for row in page],
        stale=statements.embedding_property(models.number + 1),
        searched=statements.embedding_property(models.number),
    )
    note_models(transaction, replace(models, after=page[-1]["key"]))
    return False, len(page)
