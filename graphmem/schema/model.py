"""The embedding models that a store's embeddings were made with, as its own node notes them."""

from graphmem.embedding import ModelIdentity, StoredModels
from graphmem.graph import Graph, Transaction


def note_model(graph: Graph, identity: ModelIdentity) -> ModelIdentity:
    """Note the model a store is made with, the first time; gives the model that is noted."""
    properties = StoredModels(current=identity).properties()

    def work(transaction: Transaction) -> ModelIdentity | None:
        rows = transaction.run("write/note_model", properties=properties)
        return StoredModels.of(rows[0]["store"]).current

    return graph.write(work) or identity


def stored_models(graph: Graph) -> StoredModels:
    """What a store notes of its models."""
    return StoredModels.of_rows(graph.read("read/store"))
