"""The parameter of the statements of a search: filters, words and bounds."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from dataclasses import fields as fields_of
from datetime import UTC, date, datetime
from typing import Any

from graphmem import statements, text
from graphmem.model.filters import Filters
from graphmem.model.period import ANY_TIME, Time, time_parameter
from graphmem.search.compiled_filters import CompiledFilters, compile_filters
from graphmem.search.plan import Plan
from graphmem.search.possible_names import possible_names
from graphmem.search.request import SearchRequest
from graphmem.search.text_query import scope_queries, text_queries

TOP = "\U0010ffff"
MOST_RANGES = 8
MOST_LINKS = 5
# The index gives no more, whatever it is asked for.
MOST_OF_VECTOR_INDEX = 10_000


def parameters(
    request: SearchRequest,
    *,
    second_pass: bool = False,
    unfiltered_legs: Collection[str] = (),
    shown: Sequence[str] = (),
) -> dict[str, Any]:
    """The fields that the request's statement declares; public for benchmarks of it alone.

    Args:
        request: What is asked.
        second_pass: Whether the pools are as wide as they go and few eligible entities are compared
            one by one, since the filters left too little of the usual pools.
        unfiltered_legs: Legs, of `text` and `vector`, that first ask their index without all
            filters; only `read/search_plain` knows them.
        shown: Keys of hits that pages before had, if those were of the first pass.
    """
    filters, plan = request.filters, request.plan
    compiled_filters = compile_filters(filters)
    ranges = _vector_ranges(filters)
    weights = request.weights
    names = possible_names(request) if request.by_words else []
    fields = {
        "vector": request.vector,
        "strict": request.strict,
        "passage_pool": plan.passage_pool,
        "unfiltered_legs": sorted(unfiltered_legs),
        "vector_scoped": request.has_vector_leg and not ranges,
        "vector_ranges": ranges if request.has_vector_leg else [],
        "projects": list(filters.projects),
        "live": [True, False] if filters.statuses else [True],
        **text_queries(
            request, compiled_filters, names=names, unfiltered="text" in unfiltered_legs
        ),
        **scope_queries(request, names),
        **_exact(request, compiled_filters, second_pass=second_pass),
        "required": compiled_filters.required,
        "passage_required": compiled_filters.of_passages,
        "forbidden": compiled_filters.forbidden,
        "comparisons": compiled_filters.comparisons,
        "relations": compiled_filters.relations,
        **_pools(request, compiled_filters, second_pass=second_pass),
        **_following(plan),
        **time_of(plan),
        # `asdict` would copy every number in a way of its own.
        "weights": {field.name: getattr(weights, field.name) for field in fields_of(weights)},
        "rrf": plan.rrf_k if plan.ranking == "rrf" else None,
        "min_score": plan.min_score,
        "sort": plan.sort,
        "after": [] if plan.after is None else [asdict(plan.after)],
        "shown": list(shown),
        "limit": plan.limit,
        "passages": plan.passages,
        "max_links": MOST_LINKS,
    }
    return {name: fields[name] for name in statements.load(request.statement).fields}


def may_pass_elsewhere(request: SearchRequest) -> bool:
    """Whether some filters are tested after the pools, so that what passes may not be in them."""
    compiled_filters = compile_filters(request.filters)
    return compiled_filters.tested_by_statement or (
        request.has_vector_leg and _tests_vector_leg(request.filters, compiled_filters)
    )


def _exact(
    request: SearchRequest, compiled_filters: CompiledFilters, *, second_pass: bool
) -> dict[str, Any]:
    """The fields for passages that are compared with the vector one by one, without its index."""
    plan, filters = request.plan, request.filters
    scans_projects = request.has_vector_leg and second_pass and compiled_filters.tested_by_statement
    lists = (
        request.has_vector_leg
        and _tests_vector_leg(filters, compiled_filters)
        and not scans_projects
    )
    rewritten = request.rewritten.keys if request.rewritten and request.has_vector_leg else ()
    return {
        "exact_queries": [compiled_filters.passage_query] if lists else [],
        "exact_entity_queries": compiled_filters.entity_queries if lists else [],
        "scanned_projects": list(filters.projects) if scans_projects else [],
        "compared_entities": list(rewritten),
        "exact_limit": plan.second_pass_exact_limit if second_pass else plan.exact_limit,
    }


def _pools(
    request: SearchRequest, compiled_filters: CompiledFilters, *, second_pass: bool
) -> dict[str, int]:
    plan = request.plan
    if second_pass:
        pool, vector_pool = plan.second_pass_pool, plan.second_pass_vector_pool
    else:
        deep = request.strict or plan.sort != "score"
        pool = plan.deep_pool if deep else max(plan.pool, 2 * plan.limit)
        vector_pool = pool * 10 if _tests_vector_leg(request.filters, compiled_filters) else pool
    if request.rewritten is not None:
        vector_pool = min(vector_pool + request.rewritten.passages, MOST_OF_VECTOR_INDEX)
    return {
        "pool": pool,
        "vector_pool": vector_pool,
        "unfiltered_text_pool": pool + pool // 4,
        "unfiltered_vector_pool": pool + pool // 4,
    }


def _following(plan: Plan) -> dict[str, Any]:
    return {
        "seeds": plan.seeds if plan.expand else 0,
        "scope_pool": plan.scope_pool,
        "scan": plan.scan,
        "most_counted": plan.most_counted,
        "max_relations": plan.follow.max_relations,
        "types": list(plan.follow.types),
        "exclude_types": list(plan.follow.exclude_types),
        "direction": plan.follow.direction,
    }


def time_of(plan: Plan) -> dict[str, Any]:
    """When what is found holds, as the statements have it: all null for any time."""
    if plan.at == ANY_TIME:
        return time_parameter(None)
    at = plan.at if isinstance(plan.at, date) else plan.as_of or datetime.now(UTC)
    return time_parameter(Time.of(at))


def _vector_ranges(filters: Filters) -> list[dict[str, str]]:
    """Kinds and statuses as ranges, since the index knows neither OR nor an absent filter.

    Each is a search of its own; where they are too many, some are left to the filter tokens of what
    they let through. None where no kinds or statuses are asked for.
    """
    if not filters.kinds and not filters.statuses:
        return []
    kinds, statuses = _ranges(filters.kinds), _ranges(filters.statuses)
    if len(kinds) * len(statuses) > MOST_RANGES:
        statuses = _ranges(())
        kinds = kinds if len(kinds) <= MOST_RANGES else _ranges(())
    return [
        {"kind_from": kind[0], "kind_to": kind[1], "status_from": status[0], "status_to": status[1]}
        for kind in kinds
        for status in statuses
    ]


def _tests_vector_leg(filters: Filters, compiled_filters: CompiledFilters) -> bool:
    """Whether the vector index lacks filter tokens, so that its results are tested for them."""
    ranges = len(_ranges(filters.kinds)) * len(_ranges(filters.statuses))
    return ranges > MOST_RANGES or compiled_filters.unknown_to_vector_index


def _ranges(values: Sequence[str]) -> list[tuple[str, str]]:
    names = list(dict.fromkeys(text.normalised(value) for value in values))
    return [(value, value) for value in names] or [("", TOP)]
