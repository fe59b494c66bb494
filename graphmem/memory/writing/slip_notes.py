"""Notes on new entities whose names may be misspelt, since others are called nearly so."""

from collections.abc import Iterator, Sequence

from graphmem.errors import DatabaseError, shortened
from graphmem.graph import Graph
from graphmem.model import Entity, Report
from graphmem.search.suggestions import is_nearly, similar_names
from graphmem.write import are_alike

# Entities of one call that are looked at, placeholders first.
MOST_COMPARED = 20


def slip_notes(
    graph: Graph, project: str, values: Sequence[object], report: Report
) -> Iterator[str]:
    """A sentence for each new entity whose name is nearly that of another one.

    A placeholder is compared by letters as well. An entity that was given in full is only compared
    by what it says without case, spaces and punctuation: a name with a letter more is another one.

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
    given = [
        value.name
        for value, item in zip(values, report.items, strict=False)
        if isinstance(value, Entity) and item.outcome == "created"
    ]
    own_names = {*placeholders, *given}
    for name in [*placeholders, *given][:MOST_COMPARED]:
        try:
            near_names = [
                other
                for other in similar_names(graph, project, name)
                if other not in own_names
                and (are_alike(name, other) or (name in placeholders and is_nearly(name, other)))
            ]
        except DatabaseError:  # what was written stands without the notes
            return
        if near_names:
            sort = "a new placeholder" if name in placeholders else "new"
            yield (
                f"{shortened(name)} is {sort} and called nearly like "
                f"{' and '.join(map(shortened, near_names))}; `merge` merges two entities that are "
                "the same thing"
            )
