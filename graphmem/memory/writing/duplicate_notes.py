"""Notes on entities that were just created and may exist already under another name."""

from collections.abc import Iterator, Sequence

from graphmem import lucene, text
from graphmem.errors import shortened
from graphmem.graph import Graph
from graphmem.model import Entity, Report

# Entities of one call that are looked at.
ENTITIES_COMPARED = 20


def duplicate_notes(
    graph: Graph, project: str, entities: Sequence[object], report: Report
) -> Iterator[str]:
    """A sentence for each entity that was created though a name of it is another entity's.

    Args:
        graph: The store.
        project: Where they were written.
        entities: What was given; others than entities are passed over.
        report: What became of it, item by item.
    """
    created = [
        entity
        for entity, item in zip(entities, report.items, strict=False)
        if isinstance(entity, Entity) and item.outcome == "created"
    ][:ENTITIES_COMPARED]
    forms = {
        text.name_form(name): (entity, name)
        for entity in created
        for name in (entity.name, entity.title, *entity.aliases)
        if name and text.name_form(name)
    }
    if not forms:
        return
    query = lucene.handles(list(forms), required=[[text.token("project", project)]])
    rows = graph.read("read/resolve_names", keys=[], handles=[query], forms=list(forms))
    for row in rows:
        for form in row["forms"]:
            entity, name = forms[form]
            if row["live"] and row["key"] != text.key(project, entity.name):
                yield (
                    f"{shortened(entity.name)} may be {shortened(row['name'])}, which is called "
                    f"{shortened(name)} as well; `merge` merges two entities that are the same "
                    "thing"
                )
