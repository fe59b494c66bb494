"""Searching: one statement finds, ranks, follows the links and says how each hit was reached."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from graphmem import lucene, text
from graphmem.embedding import Vector
from graphmem.graph import Graph, Row
from graphmem.model import (
    Answer,
    Explanation,
    Hit,
    LegPart,
    LinkPart,
    Matched,
    Passage,
    Via,
)
from graphmem.model.answer import Mode, Ranking

TOP = "\U0010ffff"

# A query's embedding, or None and the reason why the answer does without.
Embed = Callable[[str], tuple[Vector | None, str | None]]


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the ranking; what was tried stands in `benchmarks/tuning.md`.

    Args:
        text: Most evidence the text leg gives.
        saturation: The BM25 score that gives half of it.
        vector: Most evidence the vector leg gives.
        cosine_low: The cosine that gives none; a constant of the model.
        cosine_high: The cosine that gives all; a constant of the model.
        name: Evidence of a name found whole in the query.
        link: λ, what a link passes on of its seed's evidence.
        damping: d, how much a seed's degree weakens each of its links.
    """

    text: float = 0.7
    saturation: float = 40.0
    vector: float = 0.5
    cosine_low: float = 0.3
    cosine_high: float = 0.9
    name: float = 0.8
    link: float = 0.85
    damping: float = 0.25


@dataclass(frozen=True, slots=True)
class Filters:
    """What an entity must be to be found; an empty tuple asks for nothing.

    `statuses` empty means the living: not forgotten, superseded or deprecated. Kinds, statuses and
    tags compare without case; any of the tags is enough.
    """

    projects: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """How a search is done; every count is an upper bound."""

    mode: Mode = "hybrid"
    ranking: Ranking = "evidence"
    expand: bool = True
    limit: int = 10
    skip: int = 0
    min_score: float = 0.0
    passages: int = 2
    explain: bool = False
    pool: int = 100
    seeds: int = 30
    scan: int = 400
    fanout: int = 50
    exact_limit: int = 1000
    rrf_k: float = 60.0
    weights: Weights = field(default_factory=Weights)


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
    tree = lucene.parse(query)
    vector, degraded = embed(query) if embed else (None, None)
    embedded = time.perf_counter()
    rows: list[Row] = []
    if tree.nodes:
        rows = graph.read("read/search", search=parameters(query, tree, vector, filters, plan))
    answered = time.perf_counter()
    notes = []
    if tree.cut:
        notes.append(f"only the first {lucene.TERMS} distinct words were used, {tree.cut} were not")
    if cut := (rows[0]["cut"] if rows else 0):
        notes.append(f"{cut} relations of hubs were not followed")
    hits = tuple(_hit(row, plan) for row in rows)
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


def parameters(
    query: str, tree: lucene.AnyOf, vector: Vector | None, filters: Filters, plan: Plan
) -> dict[str, Any]:
    """The fields of `read/search`'s parameter; public for benchmarks of the statement alone."""
    required = _required(filters)
    by_words = plan.mode != "semantic"
    grams = text.grams(query) if by_words else []
    names = lucene.handles(grams, required=required)
    selective = bool(filters.tags)
    return {
        "vector": vector,
        "vector_filters": _vector_filters(filters) if vector is not None else [],
        "projects": list(filters.projects),
        "live": [True, False] if filters.statuses else [True],
        "texts": _texts(tree, required) if by_words else [],
        "names": [names] if names else [],
        "grams": grams,
        "exact": [lucene.filters(required)] if selective and vector is not None else [],
        "exact_limit": plan.exact_limit,
        "required": required,
        "pool": plan.pool,
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


def _texts(tree: lucene.AnyOf, required: list[list[str]]) -> list[dict[str, str]]:
    """The text indexes that can add something, and what each is asked.

    Cyrillic words are asked for by their Russian stems and others by their English ones; words that
    English leaves out are asked for as they stand, where there are no others.
    """
    said = [word for word in tree.nodes if word.written.casefold() not in lucene.ENGLISH_STOP_WORDS]
    if not said:
        return _asked("exact", tree.nodes, required)
    cyrillic = [word for word in said if lucene.is_cyrillic(word.written)]
    if not cyrillic:
        return _asked("english", said, required)
    latin = [word for word in said if not lucene.is_cyrillic(word.written)]
    return [*_asked("english", latin, required), *_asked("russian", said, required)]


def _asked(
    language: str, words: Sequence[lucene.Word], required: list[list[str]]
) -> list[dict[str, str]]:
    written = lucene.write(lucene.AnyOf(tuple(words)), required=required)
    return [{"index": f"graphmem_passage_{language}", "query": written}] if written else []


def _hit(row: Row, plan: Plan) -> Hit:
    entity = row["entity"]
    evidence = {leg["leg"]: leg["evidence"] for leg in row["legs"]}
    links = tuple(_via(link) for link in row["via"])
    return Hit(
        key=entity["key"],
        name=entity["name"],
        title=entity["title"],
        kind=entity["kind"],
        project=entity["project"],
        status=entity["status"],
        tags=tuple(entity["tags"] or ()),
        score=row["score"],
        origin="direct" if row["legs"] else "expanded",
        matched=Matched(
            text=evidence.get("text", 0.0),
            vector=evidence.get("vector", 0.0),
            name=evidence.get("name", 0.0),
            link=row["link"],
        ),
        via=() if row["legs"] else links,
        passages=tuple(
            Passage(p["text"].strip(), p["created_at"], p["source"]) for p in row["passages"]
        ),
        created_at=entity["created_at"],
        updated_at=entity["updated_at"],
        explanation=_explanation(row, links, plan) if plan.explain else None,
    )


def _via(link: Row) -> Via:
    return Via(
        seed=link["seed"],
        relation=link["relation"],
        direction="out" if link["outgoing"] else "in",
        note=link["note"],
        weight=link["weight"],
        evidence=link["evidence"],
    )


def _explanation(row: Row, links: Sequence[Via], plan: Plan) -> Explanation:
    best = row["via"][0] if row["via"] else None
    rrf = plan.ranking == "rrf"
    legs = "Σ 1/(k + rank)" if rrf else "1 - Π(1 - leg)"
    return Explanation(
        legs=tuple(
            LegPart(leg["leg"], leg["rank"], leg["raw"], leg["evidence"], leg["found"].strip())
            for leg in row["legs"]
        ),
        link=None
        if best is None
        else LinkPart(via=links[0], degree=best["degree"], seed_direct=best["seed_direct"]),
        direct=row["direct"],
        formula=f"direct = {legs}; score = 1 - (1 - direct)(1 - link)",
    )
