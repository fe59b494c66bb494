"""The embedding model that a store was made with, as the store's own node notes it."""

from dataclasses import asdict

from graphmem.embedding import ModelIdentity
from graphmem.graph import Graph, Row


def note_model(graph: Graph, identity: ModelIdentity) -> ModelIdentity:
    """Note the model a store is made with, the first time; gives the model that is noted."""
    properties = {f"model_{name}": value for name, value in asdict(identity).items()}
    rows = graph.write(
        lambda transaction: transaction.run("write/note_model", properties=properties)
    )
    noted = _identity(rows[0]["store"])
    return identity if noted is None else noted


def noted_model(graph: Graph) -> ModelIdentity | None:
    """The model a store was made with, or None when nothing was embedded yet."""
    rows = graph.read("read/store")
    return _identity(rows[0]["store"]) if rows else None


def _identity(store: Row) -> ModelIdentity | None:
    if store.get("model_name") is None:
        return None
    return ModelIdentity(
        name=store["model_name"],
        revision=store["model_revision"],
        dimensions=store["model_dimensions"],
        template=store["model_template"],
    )
