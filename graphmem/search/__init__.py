"""Searching: one statement finds, ranks, follows the links and says how each hit was reached."""

import time
from collections.abc import Callable

from graphmem import lucene
from graphmem.embedding import Vector
from graphmem.graph import Graph, Row
from graphmem.model import Answer
from graphmem.search.answering import hit
from graphmem.search.asking import parameters
from graphmem.search.plan import Filters, Plan, Weights

__all__ = ["Embed", "Filters", "Plan", "Weights", "parameters", "search"]

# A query's embedding, or None and the reason why the answer does without.
Embed = Callable[[str], tuple[Vector | None, str | None]]


def search(
    graph: Graph,
    query: str,
    filters: Filters,
    plan: Plan,
    *,
    embed: Embed | None,
) -> Answer:
    """Search in exactly one database statement.

    Args:
        graph: Where.
        query: Any text; no words in it means no hits.
        filters: What an entity must be.
        plan: How it is done.
        embed: Embeds the query or says why not; None where the mode asks for no vector leg.
    """
    began = time.perf_counter()
    query = lucene.clean(query)
    asked = lucene.parse(query, default=plan.operator)
    vector, degraded = embed(query) if embed else (None, None)
    embedded = time.perf_counter()
    rows: list[Row] = []
    if asked.tree is not None:
        made = parameters(query, asked, vector, filters, plan)
        rows = graph.read("read/search", search=made)
    answered = time.perf_counter()
    notes = list(asked.notes)
    if cut := (rows[0]["cut"] if rows else 0):
        notes.append(f"{cut} relations of hubs were not followed")
    hits = tuple(hit(row, plan) for row in rows)
    return Answer(
        query=query,
        project=filters.projects[0],
        mode=plan.mode,
        hits=hits,
        total=rows[0]["total"] if rows else 0,
        degraded=degraded,
        took_ms={
            "embed": (embedded - began) * 1000,
            "database": (answered - embedded) * 1000,
            "total": (time.perf_counter() - began) * 1000,
        },
        notes=tuple(notes),
    )
