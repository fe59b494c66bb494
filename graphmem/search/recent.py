"""A search without a question: the entities that pass the filters, last changed first."""

import time
from dataclasses import dataclass, replace
from typing import Any

from graphmem.graph import Reader, Row
from graphmem.model import Answer, Hit
from graphmem.model.filters import Filters
from graphmem.search import cursor as cursors
from graphmem.search.compiled_filters import compile_filters
from graphmem.search.plan import Plan
from graphmem.search.response import entity_hit, passages_of
from graphmem.search.statement import time_of


@dataclass(frozen=True, slots=True)
class RecentListing:
    """What is listed.

    Args:
        filters: What an entity must be.
        plan: How many entities make a page, and with how many passages each.
        cursor: The `cursor` of the page before, or None.
    """

    filters: Filters
    plan: Plan
    cursor: str | None = None


def recent(graph: Reader, listing: RecentListing) -> Answer:
    """List entities in one statement, by their last change; ties by key.

    Every hit is direct and scores 0, for nothing was asked of it.

    Raises:
        InvalidInput: The cursor is not one of this listing.
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    began = time.perf_counter()
    rows = graph.read("read/recent", search=_parameters(listing))
    milliseconds = (time.perf_counter() - began) * 1000
    hits = tuple(_hit(row) for row in rows if row["entity"] is not None)
    return Answer(
        query="",
        project=listing.filters.projects[0],
        projects=listing.filters.several,
        mode="keyword",
        hits=hits,
        total=rows[0]["total"],
        degraded=None,
        took_ms={"embed": 0.0, "database": milliseconds, "total": milliseconds},
        cursor=None if rows[0]["is_last"] else _cursor(listing, rows[-1]),
    )


def _parameters(listing: RecentListing) -> dict[str, Any]:
    filters, plan = listing.filters, listing.plan
    compiled_filters = compile_filters(filters)
    is_plain = filters.is_unfiltered
    position = None
    if listing.cursor is not None:
        position = cursors.decode_change(listing.cursor, filters, plan)
    return {
        "filter_queries": [] if is_plain else [compiled_filters.query],
        "live": [True, False] if filters.statuses else [True],
        "whole_projects": list(filters.projects) if is_plain else [],
        "required": compiled_filters.required,
        "forbidden": compiled_filters.forbidden,
        "comparisons": compiled_filters.comparisons,
        "relations": compiled_filters.relations,
        "after": [] if position is None else [{"changed": position.changed, "key": position.key}],
        "limit": plan.limit,
        "passages": plan.passages,
        "strict": False,
        "stems": [],
        "passage_pool": plan.passage_pool,
        **time_of(plan),
    }


def _cursor(listing: RecentListing, last_row: Row) -> str:
    position = cursors.ChangePosition(last_row["changed"], last_row["entity"]["key"])
    return cursors.encode_change(listing.filters, listing.plan, position)


def _hit(row: Row) -> Hit:
    return replace(entity_hit(row["entity"]), passages=passages_of(row["passages"]))
