"""Notes on kinds and relation types that are spelled almost like others of the project."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from graphmem.graph import Graph
from graphmem.model import Entity, Relation, Report
from graphmem.write import names_like


def spelling_notes(
    graph: Graph, project: str, values: Sequence[object], report: Report
) -> list[str]:
    """A sentence for each kind or relation type that the project spells in another way, too.

    Those of entities that changed and of new relations are looked at.

    Args:
        graph: The store.
        project: Where they were written.
        values: What was written: entities, then relations; a value of another type gets no note.
        report: What became of them, item by item.
    """
    written = list(zip(values, report.items, strict=False))
    kinds = dict.fromkeys(
        value.kind
        for value, item in written
        if isinstance(value, Entity) and value.kind and item.outcome in {"created", "updated"}
    )
    types = dict.fromkeys(
        value.relation
        for value, item in written
        if isinstance(value, Relation) and item.outcome == "created"
    )

    def kinds_of_project(_: list[str]) -> Iterable[str]:
        rows = graph.read("read/field_values", projects=[project], field="kind")
        return (row["value"] for row in rows)

    def types_of_project(asked_types: list[str]) -> Iterable[str]:
        rows = graph.read("read/linking_types", project=project, types=asked_types)
        return (row["relation"] for row in rows)

    return [
        *_notes(
            names_like(graph, "kinds", kinds), kinds_of_project,
            "`{}` and `{}` are two kinds, since case, spaces and punctuation matter; if one is "
            "meant, remember the entities with that kind",
        ),
        *_notes(
            names_like(graph, "relations", types), types_of_project,
            "`{}` and `{}` are two relation types, since case, spaces and punctuation matter; if "
            "one is meant, link by it and unlink the other",
        ),
    ]  # fmt: skip


def _notes(
    similar: Mapping[str, Sequence[str]],
    used_of: Callable[[list[str]], Iterable[str]],
    sentence: str,
) -> list[str]:
    """A sentence for each name and each of those like it that the project uses."""
    similar_names = sorted({name for names in similar.values() for name in names})
    used_names = set(used_of(similar_names)) if similar_names else set()
    return [
        sentence.format(name, other)
        for name, others in similar.items()
        for other in others
        if other in used_names
    ]
