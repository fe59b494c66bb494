"""What the statement is asked: filters, words, bounds."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from graphmem import lucene, text
from graphmem.embedding import Vector
from graphmem.model.relation_fields import RESERVED_RELATION_ATTRIBUTES
from graphmem.search import text_query
from graphmem.search.compiled_filters import CompiledFilters, compile_filters
from graphmem.search.plan import Filters, Plan

TOP = "\U0010ffff"
MOST_RANGES = 8
VIAS = 5


def parameters(
    query: str,
    asked: lucene.Query,
    vector: Vector | None,
    filters: Filters,
    plan: Plan,
    *,
    wide: bool = False,
    tested: Collection[str] = (),
) -> dict[str, Any]:
    """The fields of `read/search`'s parameter; public for benchmarks of the statement alone.

    Args:
        query: As it was given, cleaned.
        asked: The query as it was read.
        vector: Its embedding, or None.
        filters: What an entity must be.
        plan: How the search is done.
        wide: Whether the pools are as wide as they go and few eligible entities are compared one
            by one, since the filters left too little of the usual pools.
        tested: Legs that first ask their index without all filters and test what it gives, of
            `text` and `vector`; only for a search without operators that asks for nothing but
            projects.
    """
    passing = compile_filters(filters)
    by_words = plan.mode != "semantic" or vector is None
    strict = asked.strict and by_words
    meaning = vector is not None and not strict
    ranges, beside = _vector_filters(filters)
    beside = beside or passing.beside_vector
    return {
        "vector": vector,
        "strict": strict,
        "ordered": plan.ordered,
        "tested": sorted(tested),
        "scoped_vector": [0] if meaning and not ranges else [],
        "vector_filters": ranges if meaning else [],
        "projects": list(filters.projects),
        "live": [True, False] if filters.statuses else [True],
        **text_query.words(query, asked, passing, plan, by_words=by_words, tested="text" in tested),
        **_one_by_one(filters, passing, plan, beside=beside, wide=wide, meaning=meaning),
        "required": passing.required,
        "passage_required": passing.of_passages,
        "forbidden": passing.forbidden,
        "wide_required": passing.repeated,
        "wide_forbidden": passing.forbidden_repeated,
        "tests": passing.tests,
        "related": passing.related,
        **_pools(plan, strict=strict, wide=wide, narrow=beside),
        **_following(plan),
        "weights": asdict(plan.weights.calibrated(plan.calibration)),
        "rrf": plan.rrf_k if plan.ranking == "rrf" else None,
        "min_score": plan.min_score,
        "sort": plan.sort,
        "after": [] if plan.after is None else [asdict(plan.after)],
        "limit": plan.limit,
        "thin": plan.limit,
        "passages": plan.passages,
        "vias": VIAS,
        "reserved": sorted(RESERVED_RELATION_ATTRIBUTES),
    }


def _one_by_one(
    filters: Filters,
    passing: CompiledFilters,
    plan: Plan,
    *,
    beside: bool,
    wide: bool,
    meaning: bool,
) -> dict[str, Any]:
    """What is compared with the vector without its index, where it is not too much."""
    scanned = meaning and wide and passing.after_the_legs
    listed = meaning and beside and not scanned
    return {
        "exact": [passing.written] if listed else [],
        "exact_wide": passing.written_wide if listed else [],
        "brute": list(filters.projects) if scanned else [],
        "exact_limit": plan.wide_exact_limit if wide else plan.exact_limit,
    }


def _pools(plan: Plan, *, strict: bool, wide: bool, narrow: bool) -> dict[str, int]:
    if wide:
        pool, vector_pool = plan.wide_pool, plan.wide_vector_pool
    else:
        deep = strict or plan.sort != "score"
        pool = plan.deep_pool if deep else max(plan.pool, 2 * plan.limit)
        vector_pool = pool * 10 if narrow else pool
    return {
        "pool": pool,
        "vector_pool": vector_pool,
        "open_pool": 2 * pool,
        "open_vector_pool": pool + pool // 4,
    }


def _following(plan: Plan) -> dict[str, Any]:
    return {
        "seeds": plan.seeds if plan.expand else 0,
        "scan": plan.scan,
        "fanout": plan.follow.max_relations,
        "types": list(plan.follow.types),
        "exclude_types": list(plan.follow.exclude_types),
        "direction": plan.follow.direction,
    }


def _vector_filters(filters: Filters) -> tuple[list[dict[str, str]], bool]:
    """Ranges, since the index knows neither OR nor an absent filter; none where nothing is asked.

    Each is a search of its own; where they are too many, the statement tests what they let through,
    and the second value says so.
    """
    if not filters.kinds and not filters.statuses:
        return [], False
    kinds = _ranges(filters.kinds)
    statuses = _ranges(filters.statuses)
    many = len(kinds) * len(statuses) > MOST_RANGES
    if many:
        statuses = _ranges(())
        kinds = kinds if len(kinds) <= MOST_RANGES else _ranges(())
    ranges = [
        {"kind_from": kind[0], "kind_to": kind[1], "status_from": status[0], "status_to": status[1]}
        for kind in kinds
        for status in statuses
    ]
    return ranges, many


def _ranges(values: Sequence[str]) -> list[tuple[str, str]]:
    folded = list(dict.fromkeys(text.normalised(value) for value in values))
    return [(value, value) for value in folded] or [("", TOP)]
