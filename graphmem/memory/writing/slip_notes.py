"""Notes on placeholders whose names may be misspelt, since others are called nearly so."""

from collections.abc import Iterator, Sequence

from graphmem.errors import DatabaseError, shortened
from graphmem.graph import Graph
from graphmem.model import Report
from graphmem.search.suggestions import is_nearly, similar_names
from graphmem.write import are_alike

# Placeholders of one call that are compared, each in a read of its own.
MOST_COMPARED = 20


def slip_notes(
    graph: Graph, project: str, values: Sequence[object], report: Report
) -> Iterator[str]:
    """A sentence for each new placeholder whose name is nearly that of another entity.

    It differs by spaces and punctuation, or by a letter or two. What was given in full is not
    compared: that takes a read for each.

    Args:
        graph: The store.
        project: Where they were written.
        values: What was written: entities, then relations.
        report: What became of them, item by item; placeholders stand behind them.
    """
    placeholders = [
        item.name
        for item in report.items[len(values) :]
        if item.what == "entity" and item.outcome == "created"
    ]
    for name in placeholders[:MOST_COMPARED]:
        try:
            near_names = [
                other
                for other in similar_names(graph, project, name)
                if other not in placeholders and (are_alike(name, other) or is_nearly(name, other))
            ]
        except DatabaseError:  # what was written stands without the notes
            return
        if near_names:
            yield (
                f"{shortened(name)} is a new placeholder and called nearly like "
                f"{' and '.join(map(shortened, near_names))}; `merge` merges two entities that are "
                "the same thing"
            )
