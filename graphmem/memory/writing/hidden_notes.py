"""Notes on entities that were written to or linked, and that searches leave out."""

from collections.abc import Iterator, Sequence

from graphmem import read
from graphmem.errors import shortened
from graphmem.graph import Graph
from graphmem.model import Entity, Relation, Report


def hidden_notes(graph: Graph, project: str, values: Sequence[object], report: Report) -> list[str]:
    """A sentence for each hidden entity that was written to, or that a relation was written to.

    An entity whose status was given, or that was made, is as the caller wants it.

    Args:
        graph: The store.
        project: Where they were written.
        values: What was written: entities, then relations; a value of another type gets no note.
        report: What became of them, item by item.
    """
    names = dict.fromkeys(_names(values, report))
    entities = read.resolve(graph, project, list(names)).values() if names else ()
    statuses = {entity.name: entity.hidden for entity in entities if entity.hidden}
    return [
        f"{shortened(name)} is {status}: searches leave it out, and follow no relation to it"
        for name, status in statuses.items()
    ]


def _names(values: Sequence[object], report: Report) -> Iterator[str]:
    for value, item in zip(values, report.items, strict=False):
        if item.outcome == "refused":
            continue
        if isinstance(value, Entity) and value.status is None and item.outcome != "created":
            yield value.name
        elif isinstance(value, Relation):
            yield from (value.start, value.end)
