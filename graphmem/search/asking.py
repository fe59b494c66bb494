"""What the statement is asked: filters, Lucene text for each index, names, bounds."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from graphmem import lucene, text
from graphmem.embedding import Vector
from graphmem.search.plan import Filters, Plan

TOP = "\U0010ffff"


def parameters(
    query: str, asked: lucene.Query, vector: Vector | None, filters: Filters, plan: Plan
) -> dict[str, Any]:
    """The fields of `read/search`'s parameter; public for benchmarks of the statement alone."""
    required = _required(filters)
    by_words = plan.mode != "semantic"
    grams = text.grams(query) if by_words else []
    names = lucene.handles(grams, required=required)
    strict = asked.strict and by_words
    selective = bool(filters.tags) and not strict
    return {
        "vector": vector,
        "strict": strict,
        "ordered": plan.ordered,
        "vector_filters": _vector_filters(filters) if vector is not None and not strict else [],
        "projects": list(filters.projects),
        "live": [True, False] if filters.statuses else [True],
        "texts": _texts(asked, required) if by_words else [],
        "names": [names] if names else [],
        "grams": grams,
        "exact": [lucene.filters(required)] if selective and vector is not None else [],
        "exact_limit": plan.exact_limit,
        "required": required,
        "pool": plan.strict_pool if strict else plan.pool,
        "vector_pool": plan.pool * 10 if selective else plan.pool,
        "weights": asdict(plan.weights),
        "rrf": plan.rrf_k if plan.ranking == "rrf" else None,
        "seeds": plan.seeds if plan.expand else 0,
        "scan": plan.scan,
        "fanout": plan.fanout,
        "min_score": plan.min_score,
        "skip": plan.skip,
        "limit": plan.limit,
        "passages": plan.passages,
    }


def _required(filters: Filters) -> list[list[str]]:
    groups = [[text.token("project", project) for project in filters.projects]]
    if not filters.statuses:
        groups.append([text.token("live", "True")])
    for facet, values in (
        ("kind", filters.kinds),
        ("status", filters.statuses),
        ("tag", filters.tags),
    ):
        if values:
            groups.append([text.token(facet, text.normalised(value)) for value in values])
    return groups


def _vector_filters(filters: Filters) -> list[dict[str, str]]:
    """Ranges, since the index knows neither OR nor an absent filter."""
    kinds = _ranges(filters.kinds)
    statuses = _ranges(filters.statuses)
    return [
        {"kind_from": kind[0], "kind_to": kind[1], "status_from": status[0], "status_to": status[1]}
        for kind in kinds
        for status in statuses
    ]


def _ranges(values: Sequence[str]) -> list[tuple[str, str]]:
    folded = list(dict.fromkeys(text.normalised(value) for value in values))
    return [(value, value) for value in folded] or [("", TOP)]


def _texts(asked: lucene.Query, required: list[list[str]]) -> list[dict[str, str]]:
    """The text indexes that can add something, and what each is asked."""
    if asked.tree is None:
        return []
    leaves = lucene.leaves(asked.tree)
    if asked.strict:
        return [_strict(asked.tree, leaves, required)]
    words = [leaf for leaf in leaves if isinstance(leaf, lucene.Word)]
    said = [word for word in words if not lucene.is_stop_word(word.written)]
    if not said:
        return _ranked("exact", words, required)
    latin = [word for word in said if not lucene.is_cyrillic(word.written)]
    if len(latin) == len(said):
        return _ranked("english", said, required)
    return [*_ranked("english", latin, required), *_ranked("russian", said, required)]


def _strict(
    tree: lucene.Node, leaves: Sequence[lucene.Node], required: list[list[str]]
) -> dict[str, str]:
    """One index alone decides what matches: in two, NOT would let through what the other stems.

    Words alone are looked for by their stems. Patterns, fuzzy words and phrases need words as they
    stand; there a plain word also matches what begins with its stem.
    """
    if not all(isinstance(leaf, lucene.Word) for leaf in leaves):
        written = lucene.write(tree, required=required, widen=lucene.stem)
        return {"index": "graphmem_passage_exact", "query": written}
    cyrillic = any(
        lucene.is_cyrillic(leaf.written) for leaf in leaves if isinstance(leaf, lucene.Word)
    )
    language = "russian" if cyrillic else "english"
    if all(isinstance(leaf, lucene.Word) and lucene.is_stop_word(leaf.written) for leaf in leaves):
        language = "exact"
    return {
        "index": f"graphmem_passage_{language}",
        "query": lucene.write(tree, required=required),
    }


def _ranked(
    language: str, words: Sequence[lucene.Word], required: list[list[str]]
) -> list[dict[str, str]]:
    if not words:
        return []
    written = lucene.write(lucene.AnyOf(tuple(words)), required=required)
    return [{"index": f"graphmem_passage_{language}", "query": written}]
