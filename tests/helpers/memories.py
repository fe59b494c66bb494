"""Memories with a model of one's choosing, of which nothing runs beside later tests."""

from graphmem.embedding import Embedder
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store.model import StoreModel


def memory_with(embedder: Embedder, graph: Graph, project: str | None) -> Memory:
    """A memory that embeds nothing in the background, so that its statements can be counted."""
    model = StoreModel(graph, embedder, wait_for_model=True, read_only=False)
    model.close()
    return Memory(graph, model, project)
