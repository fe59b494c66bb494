"""Searches that only have the server plan their statements, so that users do not wait for that."""

from dataclasses import replace
from typing import Any

from graphmem.graph import Reader
from graphmem.lucene import DEFAULT_LANGUAGES
from graphmem.model.filters import Filters
from graphmem.model.language import Language
from graphmem.model.period import ANY_TIME
from graphmem.search.plan import Plan
from graphmem.search.request import SearchRequest
from graphmem.search.statement import parameters

_FILTERS = Filters(projects=("@system",))


def first_search(
    languages: tuple[Language, ...] = DEFAULT_LANGUAGES, *, embedding_set: int = 0
) -> tuple[str, dict[str, Any]]:
    """Give the statement of a plain search and its parameter `search`.

    The parameter can be written as JSON: it contains no dates.

    Args:
        languages: Those of the store, whose text indexes are asked.
        embedding_set: The number of the set of embeddings that is searched.
    """
    plan = Plan(limit=1, languages=languages, at=ANY_TIME)
    request = SearchRequest.parsed("warm", _FILTERS, plan, embedding_set=embedding_set)
    return request.statement, parameters(request)


def later_searches() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Give likewise a search with a filter and one with an operator, of the first embeddings."""
    plan = Plan(limit=1, at=ANY_TIME)
    requests = (
        SearchRequest.parsed("warm", replace(_FILTERS, tags=("warm",)), plan),
        SearchRequest.parsed("warm AND up", _FILTERS, plan),
    )
    return tuple((request.statement, parameters(request)) for request in requests)


def warm(graph: Reader, languages: tuple[Language, ...], *, embedding_set: int) -> None:
    """Have the server plan the plain statement, which takes a second or two.

    Args:
        graph: The store.
        languages: As of `first_search`.
        embedding_set: As of `first_search`.
    """
    statement, parameter = first_search(languages, embedding_set=embedding_set)
    graph.read(statement, search=parameter)
