"""Searching: one statement finds, ranks, follows the links and says how each hit was reached."""

import time
from collections.abc import Callable
from dataclasses import replace

from graphmem.embedding import Vector
from graphmem.errors import DatabaseError, DatabaseUnavailable
from graphmem.graph import Reader, Row
from graphmem.model import Answer
from graphmem.model.filters import MOST_PROJECTS_BY_NAME
from graphmem.search.code.lines import note_on_other_lines, symbols_at_lines
from graphmem.search.code.symbols import (
    NamedSymbols,
    modules_named,
    symbols_in_files,
)
from graphmem.search.concurrency import SearchLimiter
from graphmem.search.literal_names import with_literal_names
from graphmem.search.passage_samples import PassageSamples
from graphmem.search.plan import Follow, Plan, Weights
from graphmem.search.ready_indexes import search_ready_indexes
from graphmem.search.request import SearchRequest
from graphmem.search.response import response
from graphmem.search.shared_state import SharedState
from graphmem.search.statement import parameters
from graphmem.search.target import Present, SearchTarget
from graphmem.search.two_passes import run_passes
from graphmem.search.warming import first_search, later_searches, warm

__all__ = [
    "Follow",
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
    """Search in one database statement, or in two if filters leave too few candidates.

    If pages before had hits of the first of these two, another statement finds out which. Of a
    query that names places in code, or what may be an attribute, short statements before it find
    out what is meant.

    Args:
        graph: The store.
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
    request = with_literal_names(graph, request)
    parsed = time.perf_counter()
    vector, degraded = embed(request.wanted_text) if embed else (None, None)
    embedded = time.perf_counter()
    request = _with_symbols(graph, replace(request, vector=vector))
    target = target or Present(graph)

    def run(request: SearchRequest) -> list[Row]:
        return run_passes(target, request, shared.adaptive)

    with target.turn(), shared.limiter.slot():
        request = _with_sample(request, shared.samples)
        ready = search_ready_indexes(graph, request, run)
    ended = time.perf_counter()
    durations = {
        "embed": (embedded - parsed) * 1000,
        "database": (ended - embedded + parsed - began) * 1000,
        "total": (ended - began) * 1000,
    }
    return response(request, ready.rows, degraded=ready.degraded or degraded, took_ms=durations)


def _with_symbols(graph: Reader, request: SearchRequest) -> SearchRequest:
    """The request with the symbols of code that its query names by their lines or files.

    A search of the past does without: lines are those of today.
    """
    if request.plan.as_of is not None or request.query.tree is None:
        return request
    query, projects = request.text, request.filters.projects
    try:
        lines = symbols_at_lines(graph, query, projects)
        line_note = note_on_other_lines(graph, query, projects, lines)
        if lines:
            symbols = NamedSymbols(modules=modules_named(query))
        else:
            symbols = symbols_in_files(graph, query, projects)
    except DatabaseUnavailable:
        raise
    except DatabaseError:
        # The search answers without them, or says itself what is wrong.
        return request
    return replace(request, lines=lines, line_note=line_note, symbols=symbols)


def _with_sample(request: SearchRequest, samples: PassageSamples) -> SearchRequest:
    """The request with the weights of its words and the background of its vector, as it needs them.

    Both come from a sample of the passages in its projects.
    """
    weighs_words = request.by_words and not request.strict
    if request.query.tree is None or (request.vector is None and not weighs_words):
        return request
    sample = samples.of(request.filters.projects[:MOST_PROJECTS_BY_NAME], request.embedding_set)
    request = replace(request, word_weights=sample.word_weights)
    if request.vector is None:
        return request
    from graphmem.embedding.cosines import cosine_distribution  # noqa: PLC0415 - brings numpy

    background = cosine_distribution(request.vector, sample.embeddings, request.plan.calibration)
    return replace(request, background=background)
