"""Runs the statement of a search, and a second time with wider pools if filters left too few."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from graphmem.errors import DatabaseMemory, DatabaseTimeout, EmbeddingsReplaced
from graphmem.graph import Reader, Row
from graphmem.search.adaptive_filtering import AdaptiveFiltering
from graphmem.search.plan import SecondPass
from graphmem.search.request import Rewritten, SearchRequest
from graphmem.search.statement import may_pass_elsewhere, parameters
from graphmem.search.target import SearchTarget

# A field of the rows of the second pass, where it begins; those of the first one lack it.
SECOND_PASS = "second_pass"  # noqa: S105 - no password


def run_passes(
    target: SearchTarget, request: SearchRequest, adaptive: AdaptiveFiltering
) -> list[Row]:
    """Give the rows of the second pass if it is needed and possible, otherwise of the first.

    If the second pass takes too long or too much memory, the rows of the first one stand, which say
    that more entities may match. A page that follows one of the second pass is made by it, too. The
    second pass has another order than the first one, and leaves out what pages of that had.

    Args:
        target: Where the statement runs.
        request: What is asked; without words there are no rows.
        adaptive: Which legs are first asked without all filters; learns from the first pass.

    Raises:
        EmbeddingsReplaced: Another set of embeddings than the request's is searched by now.
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    if request.query.tree is None:
        return []
    # A target may run the work more than once: the last rows count.
    first_passes: list[list[Row]] = []

    def work(reader: Reader, rewritten: Rewritten | None) -> list[Row]:
        target_request = replace(request, rewritten=rewritten)
        unfiltered_legs = _unfiltered_legs(request, adaptive)
        plan = request.plan
        if plan.after is not None and plan.after.second_pass is not None:
            return _second_pass(reader, target_request, plan.after.second_pass, unfiltered_legs)
        rows = _read(
            reader, target_request, parameters(target_request, unfiltered_legs=unfiltered_legs)
        )
        first_row = rows[0]
        adaptive.note_shortfall(request.filters.projects, first_row["refilled_legs"])
        first_passes.append(rows)
        if not _is_short(target_request, first_row):
            return rows
        begins = SecondPass(first_row["total"] - first_row["remaining"], plan.limit)
        target_request = replace(target_request, plan=replace(plan, after=None))
        rows = _second_pass(reader, target_request, begins, unfiltered_legs)
        return [row | {"moved": first_row["moved"]} for row in rows]

    try:
        return target.run(work)
    except (DatabaseTimeout, DatabaseMemory):
        if not first_passes:
            raise
        return first_passes[-1]


def _unfiltered_legs(request: SearchRequest, adaptive: AdaptiveFiltering) -> Collection[str]:
    return adaptive.unfiltered_legs(request.filters.projects) if request.is_plain else ()


def _second_pass(
    reader: Reader, request: SearchRequest, begins: SecondPass, unfiltered_legs: Collection[str]
) -> list[Row]:
    shown = _shown(reader, request, begins, unfiltered_legs) if begins.hits_before else []
    rows = _read(reader, request, parameters(request, second_pass=True, shown=shown))
    return [row | {SECOND_PASS: begins} for row in rows]


def _shown(
    reader: Reader, request: SearchRequest, begins: SecondPass, unfiltered_legs: Collection[str]
) -> list[str]:
    """The keys of the hits of the first pass on the pages before the second pass began."""
    plan = replace(request.plan, after=None, limit=begins.limit, passages=0)
    first_pass = parameters(replace(request, plan=plan), unfiltered_legs=unfiltered_legs)
    rows = _read(reader, request, first_pass | {"limit": begins.hits_before})
    return [row["entity"]["key"] for row in rows if row["entity"] is not None]


def _read(reader: Reader, request: SearchRequest, search: dict[str, Any]) -> list[Row]:
    """Run the statement, which gives at least one row.

    Raises:
        EmbeddingsReplaced: The query's embedding was compared with those of another model.
    """
    rows = reader.read(request.statement, search=search)
    if request.vector is not None and rows[0]["embedding_set"] != request.embedding_set:
        raise EmbeddingsReplaced
    return rows


def _is_short(request: SearchRequest, row: Row) -> bool:
    """Whether the pools were too small: the page is short, and more entities may match."""
    short_page = row["remaining"] < request.plan.limit
    is_truncated = bool(row["truncated_legs"]) and short_page and may_pass_elsewhere(request)
    return bool(row["starved_legs"]) or is_truncated
