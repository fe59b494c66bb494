"""Searches of the past with a plan of a test's own, which no public option gives."""

from datetime import datetime

from graphmem import search as searching
from graphmem.memory import Memory
from graphmem.memory.past import as_of
from graphmem.model import Answer
from graphmem.model.filters import Filters
from graphmem.search import Plan, SearchRequest


def search_as_of(
    memory: Memory, moment: datetime, query: str, filters: Filters, plan: Plan
) -> Answer:
    """The answer of a search of the projects that the filters name, as of a moment."""

    def run(target: searching.SearchTarget) -> Answer:
        return searching.search(
            memory.graph,
            SearchRequest.parsed(query, filters, plan),
            embed=memory.model.query,
            shared=memory._searches,
            target=target,
        )

    return as_of.Past(memory.graph, memory.model).search(filters.projects, moment, run)
