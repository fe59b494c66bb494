"""A context: a search wide enough to fill a budget of tokens, and the best of it as one text."""

from collections.abc import Mapping
from typing import cast

from graphmem import arguments, packing
from graphmem.graph import Graph, Row
from graphmem.memory.searches.options import SearchOptions
from graphmem.model import Answer, Context, stored_values
from graphmem.model.answer import MOST_HITS
from graphmem.model.context import BUDGETS

FEWEST_HITS = 10
# Fewer tokens than most entities take with a heading and a passage.
TOKENS_A_HIT = 60


def widened(budget: int, options: SearchOptions) -> SearchOptions:
    """The options of a search that fills a budget; those that are given stay, but `highlight`.

    Raises:
        InvalidInput: The budget is not allowed.
    """
    arguments.number("budget", budget, *BUDGETS)
    limit = min(MOST_HITS, max(FEWEST_HITS, budget // TOKENS_A_HIT))
    wide: SearchOptions = {"limit": limit, "detail": "full"}
    given_options = {name: value for name, value in options.items() if value is not None}
    # Where a passage is cut is found by its snippet, and marks are in no text.
    return cast("SearchOptions", {**wide, **given_options, "highlight": False})


def packed(graph: Graph, answer: Answer, budget: int) -> Context:
    """Pack an answer; what it lacks of its entities is read in one statement."""
    return packing.pack(answer, _origins(graph, answer), budget)


def _origins(graph: Graph, answer: Answer) -> Mapping[str, packing.PassageOrigin]:
    hit_rows = [
        {"key": hit.key, "texts": [passage.text for passage in hit.passages]} for hit in answer.hits
    ]
    rows = graph.read("read/passage_places", rows=hit_rows) if hit_rows else []
    return {
        row["key"]: packing.PassageOrigin(
            stored_values.optional_text(row["source"]), _positions(row["passages"])
        )
        for row in rows
    }


def _positions(passages: list[Row]) -> dict[str, tuple[int, str]]:
    """The positions of the passages of a text; observations have none."""
    positions: dict[str, tuple[int, str]] = {}
    for passage in stored_values.passages(passages):
        if passage["origin"] == "text":
            positions.setdefault(passage["text"].strip(), (passage["position"], passage["text"]))
    return positions
