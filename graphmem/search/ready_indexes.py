"""Searches while an index is still being filled: without the legs that would ask that index.

| index that is being filled | what is searched |
|---|---|
| the vector index | words, names and links |
| a text index | meaning and links |
| both, or a text index and the query has no embedding | nothing: it fails |
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from graphmem.errors import (
    DatabaseError,
    DatabaseUnavailable,
    EmbeddingsReplaced,
    IndexNotReady,
)
from graphmem.graph import Reader, Row
from graphmem.search.request import SearchRequest

# Runs the statement of a search.
RunSearch = Callable[[SearchRequest], list[Row]]


@dataclass(frozen=True, slots=True)
class ReadyRows:
    """The rows of a search that left out what is not ready.

    Args:
        rows: Those of the statement.
        degraded: Which index is being filled, and what was searched without it; None if all are
            ready.
    """

    rows: list[Row]
    degraded: str | None = None


def search_ready_indexes(graph: Reader, request: SearchRequest, run: RunSearch) -> ReadyRows:
    """Run a search, and if an index is still being filled, again without it.

    Args:
        graph: The store, whose indexes are looked at if the search fails.
        request: What is asked.
        run: Runs it.

    Raises:
        IndexNotReady: Nothing can be searched until an index is filled.
        DatabaseError: What `run` raises for any other reason.
    """
    try:
        return ReadyRows(run(request))
    except IndexNotReady as error:
        if request.vector is None:
            raise
        reason = str(error)
        try:
            return _search_by_words(request, run, reason)
        except IndexNotReady:
            return _search_by_meaning(request, run, reason)
    except (DatabaseUnavailable, EmbeddingsReplaced):
        raise
    except DatabaseError as error:
        # The server reports a vector index that is not ready, but waits for a text index until the
        # statement times out or, after half a minute, fails in some other way.
        if not _is_text_index_filling(graph):
            raise
        reason = "an index is still being filled"
        if request.vector is None:
            raise IndexNotReady(f"{reason}; try again soon") from error
        return _search_by_meaning(request, run, reason)


def _search_by_words(request: SearchRequest, run: RunSearch, reason: str) -> ReadyRows:
    rows = run(replace(request, vector=None))
    return ReadyRows(rows, f"{reason}; searched by words and links only")


def _search_by_meaning(request: SearchRequest, run: RunSearch, reason: str) -> ReadyRows:
    rows = run(replace(request, plan=replace(request.plan, mode="semantic")))
    return ReadyRows(rows, f"{reason}; searched by meaning and links only")


def _is_text_index_filling(graph: Reader) -> bool:
    return any(
        index["state"] == "POPULATING" and index["type"] == "FULLTEXT"
        for index in graph.read("read/indexes")
    )
