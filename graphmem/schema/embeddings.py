"""The vector index of the set of embeddings that is being made."""

from collections.abc import Callable

from graphmem.embedding import StoredModels
from graphmem.errors import DatabaseError, EmbeddingsReplaced, SchemaMismatch
from graphmem.graph import Graph, Transaction
from graphmem.progress import SILENT, Progress
from graphmem.schema.definitions import Definition, of_embeddings
from graphmem.schema.indexes import await_filled, difference


def index_next(graph: Graph, models: StoredModels, *, progress: Progress = SILENT) -> None:
    """Make the index of the next set of embeddings, and wait until it is filled.

    Idempotent. An index that failed or has another definition is dropped and made again.

    Args:
        graph: The store.
        models: What the store noted when the set was begun.
        progress: Receives the progress of the filling.

    Raises:
        EmbeddingsReplaced: The set is not made any more.
        SchemaMismatch: The index cannot be filled.
    """
    definition = of_embeddings(models.number + 1)
    for _ in range(2):
        _alter(graph, lambda transaction: _define(transaction, models), definition, exists=True)
        problem = difference(definition, await_filled(graph, progress).get(definition.name))
        if problem is None:
            return
        _alter(graph, lambda transaction: _drop(transaction, models), definition, exists=False)
    raise SchemaMismatch(problem)


def _alter(
    graph: Graph,
    work: Callable[[Transaction], None],
    definition: Definition,
    *,
    exists: bool,
) -> None:
    """Make or drop an index; that another process did so at the same moment is a success."""
    try:
        graph.alter(work)
    except EmbeddingsReplaced:
        raise
    except DatabaseError:
        names = {row["name"] for row in graph.read("read/indexes")}
        if (definition.name in names) != exists:
            raise


def _define(transaction: Transaction, models: StoredModels) -> None:
    transaction.run(of_embeddings(models.number + 1).statement)
    _check(transaction, models)


def _drop(transaction: Transaction, models: StoredModels) -> None:
    transaction.run("schema/drop_index", name=of_embeddings(models.number + 1).name)
    _check(transaction, models)


def _check(transaction: Transaction, models: StoredModels) -> None:
    """Look at the store while the lock of an index change is held.

    Raises:
        EmbeddingsReplaced: The set is not made any more.
    """
    if not StoredModels.of_rows(transaction.run("read/store")).makes_the_same_as(models):
        raise EmbeddingsReplaced
