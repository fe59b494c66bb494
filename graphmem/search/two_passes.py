"""Runs the statement of a search, and a second time with wider pools if filters left too few."""

from dataclasses import replace
from typing import Any

from graphmem.errors import DatabaseMemory, DatabaseTimeout, EmbeddingsReplaced
from graphmem.graph import Reader, Row
from graphmem.search.adaptive_filtering import AdaptiveFiltering
from graphmem.search.request import Rewritten, SearchRequest
from graphmem.search.statement import may_pass_elsewhere, parameters
from graphmem.search.target import SearchTarget

# A field of the rows of the second pass, true; those of the first one lack it.
SECOND_PASS = "second_pass"  # noqa: S105 - no password


def run_passes(
    target: SearchTarget, request: SearchRequest, adaptive: AdaptiveFiltering
) -> list[Row]:
    """Give the rows of the second pass if it is needed and possible, otherwise of the first.

    If the second pass takes too long or too much memory, the rows of the first one stand, which say
    that more entities may match. A page that follows one of the second pass is made by it, too.

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
        if request.plan.after is not None and request.plan.after.second_pass:
            return _second_pass(reader, target_request)
        rows = _first_pass(reader, target_request, adaptive)
        first_passes.append(rows)
        return _second_pass(reader, target_request) if _is_short(target_request, rows[0]) else rows

    try:
        return target.run(work)
    except (DatabaseTimeout, DatabaseMemory):
        if not first_passes:
            raise
        return first_passes[-1]


def _first_pass(reader: Reader, request: SearchRequest, adaptive: AdaptiveFiltering) -> list[Row]:
    projects = request.filters.projects
    unfiltered_legs = adaptive.unfiltered_legs(projects) if request.is_plain else ()
    rows = _read(reader, request, parameters(request, unfiltered_legs=unfiltered_legs))
    adaptive.note_shortfall(projects, rows[0]["refilled_legs"])
    return rows


def _second_pass(reader: Reader, request: SearchRequest) -> list[Row]:
    rows = _read(reader, request, parameters(request, second_pass=True))
    return [row | {SECOND_PASS: True} for row in rows]


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
