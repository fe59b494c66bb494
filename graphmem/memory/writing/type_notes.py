"""Notes on relation types that are spelled almost like others of the project."""

from collections.abc import Sequence

from graphmem.graph import Graph
from graphmem.model import Relation, Report
from graphmem.write import relation_types_like


def type_notes(graph: Graph, project: str, values: Sequence[object], report: Report) -> list[str]:
    """A sentence for each type of a new relation that the project spells in another way, too.

    Args:
        graph: The store.
        project: Where they were written.
        values: What was written: entities, then relations; a value of another type gets no note.
        report: What became of them, item by item.
    """
    types = dict.fromkeys(
        value.relation
        for value, item in zip(values, report.items, strict=False)
        if isinstance(value, Relation) and item.outcome == "created"
    )
    similar_types = relation_types_like(graph, types)
    asked_types = sorted({name for names in similar_types.values() for name in names})
    rows = (
        graph.read("read/linking_types", project=project, types=asked_types) if asked_types else ()
    )
    linking_types = {row["relation"] for row in rows}
    return [
        f"`{name}` and `{other}` are two relation types, since case, spaces and punctuation "
        "matter; if one is meant, link by it and unlink the other"
        for name, names in similar_types.items()
        for other in names
        if other in linking_types
    ]
