"""Searches without a query: what passes the filters, by the moment of its last change."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from graphmem import arguments
from graphmem.errors import DatabaseError
from graphmem.graph import Graph
from graphmem.memory.past.as_of import Past
from graphmem.memory.searches.options import ListingOptions, planned, planned_listing
from graphmem.model import Answer
from graphmem.model.filters import Filters
from graphmem.search.recent import RecentListing, recent
from graphmem.search.target import SearchTarget
from graphmem.search.unknown_values import unknown_values

LISTED = "without a query, these are the entities that pass the filters, last changed first"


def listed(
    graph: Graph,
    project_names: Sequence[str],
    options: Mapping[str, Any],
    *,
    is_limited: bool,
) -> Answer:
    """List the entities of some projects that pass the filters among the options of a search.

    Args:
        graph: The store.
        project_names: The projects, without the layers.
        options: As `ListingOptions` has them.
        is_limited: Whether the caller may not read all projects of the store.

    Raises:
        InvalidInput: An option is not allowed.
        TypeError: There is no such option.
    """
    arguments.options_of("recent", options, ListingOptions.__annotations__)
    filters, plan = planned(project_names, options, is_limited=is_limited)
    return _with_note(
        graph, filters, recent(graph, RecentListing(filters, plan, options.get("cursor")))
    )


def search_blank(
    graph: Graph,
    past: Past,
    query: str,
    project_names: Sequence[str],
    options: Mapping[str, Any],
    *,
    is_limited: bool,
) -> Answer:
    """Answer a search whose query is blank: a listing where a filter says of what.

    Args:
        graph: The store.
        past: What searches it as it was.
        query: As it was given.
        project_names: The projects, without the layers.
        options: As `SearchOptions` has them.
        is_limited: Whether the caller may not read all projects of the store.

    Raises:
        InvalidInput: There is no filter, or an option needs a query.
    """
    filters, plan = planned_listing(query, project_names, options, is_limited=is_limited)
    listing = RecentListing(filters, plan, options.get("cursor"))
    if plan.as_of is None:
        answer = _with_note(graph, filters, recent(graph, listing))
    else:

        def run(target: SearchTarget) -> Answer:
            with target.turn():
                return target.run(lambda reader, _: recent(reader, listing))

        answer = past.search(filters.projects, plan.as_of, run)
    return replace(answer, notes=(LISTED, *answer.notes)) if answer.hits else answer


def _with_note(graph: Graph, filters: Filters, answer: Answer) -> Answer:
    """The answer; where nothing passes the filters, with a note on one with unknown values."""
    if answer.total:
        return answer
    with suppress(DatabaseError):  # the answer stands without it
        if (note := unknown_values(graph, filters)) is not None:
            return replace(answer, notes=(*answer.notes, note))
    return answer
