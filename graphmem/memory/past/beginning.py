"""From when on the history of a store is kept."""

from datetime import datetime

from graphmem.errors import NotFound
from graphmem.graph import Graph
from graphmem.model.json_object import iso


def require_history(
    graph: Graph, moment: datetime, entity_history_from: datetime | None = None
) -> None:
    """Refuse a moment whose history was deleted.

    Args:
        graph: The store.
        moment: Of which is asked.
        entity_history_from: From when on the history of one entity is whole; None for always.

    Raises:
        NotFound: The moment lies before it.
    """
    (row,) = graph.read("read/store") or [{"store": {}}]
    first = max(filter(None, (row["store"].get("history_from"), entity_history_from)), default=None)
    if first is not None and moment < first:
        raise NotFound(f"history before {iso(first)} was deleted by `graphmem db compact`")
