"""From when on the history of a store is kept."""

from datetime import datetime

from graphmem.errors import NotFound
from graphmem.graph import Graph
from graphmem.model.json_object import iso


def history_from(graph: Graph) -> datetime | None:
    """The moment from which on the history of the store is whole; None where all of it is."""
    rows = graph.read("read/store")
    moment: datetime | None = rows[0]["store"].get("history_from") if rows else None
    return moment


def require_history(
    graph: Graph, moment: datetime, entity_history_from: datetime | None = None
) -> None:
    """Refuse a moment whose history was deleted.

    Args:
        graph: The store.
        moment: The moment that is asked about.
        entity_history_from: From when on the history of one entity is whole; None for always.

    Raises:
        NotFound: The moment lies before it.
    """
    first = max(filter(None, (history_from(graph), entity_history_from)), default=None)
    if first is not None and moment < first:
        raise NotFound(f"history before {iso(first)} was deleted by `graphmem db compact`")
