"""Searching: one statement finds, ranks, follows the links and says how each hit was reached."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from graphmem.embedding import Vector
from graphmem.errors import (
    DatabaseError,
    DatabaseMemory,
    DatabaseTimeout,
    DatabaseUnavailable,
    EmbeddingsReplaced,
    IndexNotReady,
)
from graphmem.graph import Reader, Row
from graphmem.lucene import DEFAULT_LANGUAGES
from graphmem.model import Answer
from graphmem.model.language import Language
from graphmem.model.period import ANY_TIME
from graphmem.search.adaptive_filtering import AdaptiveFiltering
from graphmem.search.concurrency import SearchLimiter
from graphmem.search.passage_samples import PassageSamples
from graphmem.search.plan import MOST_NAMED, Filters, Follow, Plan, Weights
from graphmem.search.request import Rewritten, SearchRequest
from graphmem.search.response import response
from graphmem.search.shared_state import SharedState
from graphmem.search.statement import may_pass_elsewhere, parameters
from graphmem.search.target import Present, SearchTarget

__all__ = [
    "AdaptiveFiltering",
    "Embed",
    "Filters",
    "Follow",
    "PassageSamples",
    "Plan",
    "SearchLimiter",
    "SearchRequest",
    "SearchTarget",
    "SharedState",
    "Weights",
    "first_search",
    "later_searches",
    "parameters",
    "search",
    "warm",
]

# A query's embedding, or None and the reason why the answer does without.
Embed = Callable[[str], tuple[Vector | None, str | None]]


def search(
    graph: Reader,
    request: SearchRequest,
    *,
    embed: Embed | None,
    shared: SharedState,
    target: SearchTarget | None = None,
) -> Answer:
    """Search in one database statement; in two where filters left too little of a pool.

    Args:
        graph: Where.
        request: What is asked; no words in its query means no hits.
        embed: Embeds the query or says why not; None where the mode asks for no vector leg.
        shared: What it shares with other searches of the connection; this one adds to it.
        target: Where the statement runs; by default in the store as it is. Nothing but statements
            happens there: what it holds may be locked meanwhile.

    Raises:
        EmbeddingsReplaced: Another set of embeddings than the request's is searched by now.
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    began = time.perf_counter()
    vector, degraded = embed(request.text) if embed else (None, None)
    request = replace(request, vector=vector)
    embedded = time.perf_counter()
    target = target or Present(graph)
    with target.turn(), shared.limiter.slot():
        request = _with_sample(request, shared.samples)
        rows, index_missing = _rows_of_ready_indexes(graph, target, request, shared.adaptive)
    ended = time.perf_counter()
    durations = {
        "embed": (embedded - began) * 1000,
        "database": (ended - embedded) * 1000,
        "total": (ended - began) * 1000,
    }
    return response(request, rows, degraded=index_missing or degraded, took_ms=durations)


def first_search(
    languages: tuple[Language, ...] = DEFAULT_LANGUAGES, *, embedding_set: int = 0
) -> tuple[str, dict[str, Any]]:
    """Give a plain search that has the server plan it: the statement's name, its parameter.

    The parameter can be written as JSON, which knows no dates.
    """
    plan = Plan(limit=1, languages=languages, at=ANY_TIME)
    scope = Filters(projects=("@system",))
    request = SearchRequest.parsed("warm", scope, plan, embedding_set=embedding_set)
    return request.statement, parameters(request)


def later_searches() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Give a search with a filter and one with an operator, as `first_search` gives a plain one."""
    plan = Plan(limit=1, at=ANY_TIME)
    scope = Filters(projects=("@system",))
    requests = (
        SearchRequest.parsed("warm", replace(scope, tags=("warm",)), plan),
        SearchRequest.parsed("warm AND up", scope, plan),
    )
    return tuple((request.statement, parameters(request)) for request in requests)


def warm(
    graph: Reader,
    languages: tuple[Language, ...] = DEFAULT_LANGUAGES,
    *,
    embedding_set: int = 0,
) -> None:
    """Have the server plan the plain statement before it matters: it takes a second or two."""
    statement, parameter = first_search(languages, embedding_set=embedding_set)
    graph.read(statement, search=parameter)


def _with_sample(request: SearchRequest, samples: PassageSamples) -> SearchRequest:
    """The request with what a sample of the scope tells: its words, and what is usually near."""
    weighs_words = request.by_words and not request.strict
    if request.query.tree is None or (request.vector is None and not weighs_words):
        return request
    sample = samples.of(request.filters.projects[:MOST_NAMED], request.embedding_set)
    request = replace(request, word_weights=sample.word_weights)
    if request.vector is None:
        return request
    from graphmem.embedding.cosines import background  # noqa: PLC0415 - brings numpy

    measurement = background(request.vector, sample.embeddings, request.plan.calibration)
    return replace(request, background=measurement)


def _rows_of_ready_indexes(
    graph: Reader, target: SearchTarget, request: SearchRequest, adaptive: AdaptiveFiltering
) -> tuple[list[Row], str | None]:
    """The rows, and where an index is still being filled, what was done without it."""
    try:
        return _rows(target, request, adaptive), None
    except IndexNotReady as error:
        if request.vector is None:
            raise
        try:
            rows = _rows(target, request.without_vector(), adaptive)
        except IndexNotReady:
            rows = _rows(target, request.without_words(), adaptive)
            return rows, f"{error}; searched by meaning and links only"
        return rows, f"{error}; searched by words and links only"
    except (DatabaseUnavailable, EmbeddingsReplaced):
        raise
    except DatabaseError as error:
        # A text index that is being filled keeps the statement waiting until its time is over, or
        # for half a minute, and then it fails in some other way.
        if not _is_filling(graph):
            raise
        reason = "an index is still being filled"
        if request.vector is None:
            raise IndexNotReady(f"{reason}; try again soon") from error
        rows = _rows(target, request.without_words(), adaptive)
        return rows, f"{reason}; searched by meaning and links only"


def _is_filling(graph: Reader) -> bool:
    """Whether a text index is being filled; a vector index that is not ready has its own error."""
    return any(
        index["state"] == "POPULATING" and index["type"] == "FULLTEXT"
        for index in graph.read("read/indexes")
    )


def _rows(target: SearchTarget, request: SearchRequest, adaptive: AdaptiveFiltering) -> list[Row]:
    """Run the statement, and again with wide pools where filters left a leg with too little.

    Where that takes too long or too much, the first rows stand, which say that more may match.
    """
    if request.query.tree is None:
        return []
    first_rows: list[list[Row]] = []

    def run(reader: Reader, rewritten: Rewritten | None) -> list[Row]:
        attempt = replace(request, rewritten=rewritten)
        first_rows[:] = [_first_rows(reader, attempt, adaptive)]
        if not _is_short(attempt, first_rows[0][0]):
            return first_rows[0]
        second_parameters = parameters(attempt, second_pass=True)
        return _check_embedding_set(
            attempt, reader.read(attempt.statement, search=second_parameters)
        )

    try:
        return target.run(run)
    except (DatabaseTimeout, DatabaseMemory):
        if not first_rows:
            raise
        return first_rows[0]


def _first_rows(reader: Reader, request: SearchRequest, adaptive: AdaptiveFiltering) -> list[Row]:
    projects = request.filters.projects
    unfiltered = (
        adaptive.unfiltered_legs(projects) if not request.strict and request.is_plain else ()
    )
    search_parameters = parameters(request, unfiltered_legs=unfiltered)
    rows = _check_embedding_set(request, reader.read(request.statement, search=search_parameters))
    adaptive.note_shortfall(projects, rows[0]["refilled_legs"])
    return rows


def _check_embedding_set(request: SearchRequest, rows: list[Row]) -> list[Row]:
    """The rows, unless what was compared with the query's embedding is not searched any more.

    Raises:
        EmbeddingsReplaced: It is not.
    """
    if request.vector is not None and rows[0]["embedding_set"] != request.embedding_set:
        raise EmbeddingsReplaced
    return rows


def _is_short(request: SearchRequest, row: Row) -> bool:
    """Whether the pools were too small: the page is short, and more entities may match."""
    short_page = row["remaining"] < request.plan.limit
    is_truncated = bool(row["truncated_legs"]) and short_page and may_pass_elsewhere(request)
    return bool(row["starved_legs"]) or is_truncated
