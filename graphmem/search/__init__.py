"""Searching: one statement finds, ranks, follows the links and says how each hit was reached."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from graphmem import lucene
from graphmem.embedding import Vector
from graphmem.errors import (
    DatabaseError,
    DatabaseMemory,
    DatabaseTimeout,
    DatabaseUnavailable,
    IndexNotReady,
)
from graphmem.graph import Graph, Row
from graphmem.model import Answer
from graphmem.model.language import Language
from graphmem.search import cursor as cursors
from graphmem.search.adaptive_filtering import AdaptiveFiltering
from graphmem.search.concurrency import SearchLimiter
from graphmem.search.plan import Filters, Follow, Plan, Weights
from graphmem.search.request import parameters
from graphmem.search.response import answer

__all__ = [
    "AdaptiveFiltering",
    "Embed",
    "Filters",
    "Follow",
    "Plan",
    "SearchLimiter",
    "Weights",
    "parameters",
    "search",
    "warm",
]

# A query's embedding, or None and the reason why the answer does without.
Embed = Callable[[str], tuple[Vector | None, str | None]]


def search(
    graph: Graph,
    query: str,
    filters: Filters,
    plan: Plan,
    *,
    embed: Embed | None,
    adaptive: AdaptiveFiltering,
    limiter: SearchLimiter,
    cursor: str | None = None,
) -> Answer:
    """Search in one database statement; in two where filters left too little of a pool.

    Args:
        graph: Where.
        query: Any text; no words in it means no hits.
        filters: What an entity must be.
        plan: How it is done.
        embed: Embeds the query or says why not; None where the mode asks for no vector leg.
        adaptive: What earlier searches saw of the scopes' sizes; this one adds to it.
        limiter: Where it waits while others search.
        cursor: Where the page before ended, or None for the first page.

    Raises:
        InvalidInput: The cursor is not one of this search.
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    began = time.perf_counter()
    query = lucene.clean(query)
    asked = lucene.parse(query, default=plan.operator)
    if cursor is not None:
        plan = replace(plan, after=cursors.read(cursor, query, filters, plan))
    vector, degraded = embed(query) if embed else (None, None)
    embedded = time.perf_counter()
    ask = partial(_rows, graph, query, asked, filters=filters, adaptive=adaptive)
    with limiter.slot():
        rows, why = _degrading(graph, ask, vector, plan)
    degraded = why or degraded
    answered = time.perf_counter()
    took = {
        "embed": (embedded - began) * 1000,
        "database": (answered - embedded) * 1000,
        "total": (time.perf_counter() - began) * 1000,
    }
    return answer(query, asked, rows, filters, plan, degraded=degraded, took_ms=took)


def _degrading(
    graph: Graph, ask: Callable[[Vector | None, Plan], list[Row]], vector: Vector | None, plan: Plan
) -> tuple[list[Row], str | None]:
    """The rows, and where an index is still being filled, what was done without it."""
    by_meaning = replace(plan, mode="semantic")
    try:
        return ask(vector, plan), None
    except IndexNotReady as error:
        if vector is None:
            raise
        try:
            return ask(None, plan), f"{error}; searched by words and links only"
        except IndexNotReady:
            return ask(vector, by_meaning), f"{error}; searched by meaning and links only"
    except DatabaseUnavailable:
        raise
    except DatabaseError as error:
        # A text index that is being filled keeps the statement waiting until its time is over, or
        # for half a minute, and then it fails in some other way.
        if not _is_filling(graph):
            raise
        why = "an index is still being filled"
        if vector is None:
            raise IndexNotReady(f"{why}; try again soon") from error
        return ask(vector, by_meaning), f"{why}; searched by meaning and links only"


def _is_filling(graph: Graph) -> bool:
    return any(index["state"] == "POPULATING" for index in graph.read("read/indexes"))


def warm(graph: Graph, languages: tuple[Language, ...] = lucene.DEFAULT_LANGUAGES) -> None:
    """Have the server plan the statement before it matters: once, it takes a second or two."""
    asked = lucene.parse("warm")
    plan = Plan(limit=1, languages=languages)
    made = parameters("warm", asked, None, Filters(projects=("@system",)), plan)
    graph.read("read/search", search=made)


def _rows(
    graph: Graph,
    query: str,
    asked: lucene.Query,
    vector: Vector | None,
    plan: Plan,
    *,
    filters: Filters,
    adaptive: AdaptiveFiltering,
) -> list[Row]:
    """Ask; ask again with wide pools where filters left a leg with too little.

    Where that takes too long or too much, the first answer stands, which says that more may match.
    """
    if asked.tree is None:
        return []
    make = partial(parameters, query, asked, vector, filters, plan)
    scoped = filters == Filters(filters.projects) and not asked.strict
    made = make(tested=adaptive.unfiltered_legs(filters.projects) if scoped else ())
    rows = graph.read("read/search", search=made)
    adaptive.note_shortfall(filters.projects, rows[0]["short"])
    filtered = made["tests"] or made["related"] or made["exact"]
    few = rows[0]["left"] < plan.limit
    if rows[0]["thin"] or (filtered and rows[0]["full"] and few):
        with suppress(DatabaseTimeout, DatabaseMemory):
            rows = graph.read("read/search", search=make(wide=True))
    return rows
