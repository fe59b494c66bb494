"""What a project holds at a glance."""

from dataclasses import fields
from datetime import datetime

from graphmem.graph import Graph
from graphmem.model.overview import Changed, Linked, Overview
from graphmem.model.provenance import CALLER, CODE, FIRST_LINE, LAST_LINE
from graphmem.read.counts import stats

# Entities of each list.
ENTITIES_PER_LIST = 10


def overview(graph: Graph, project: str) -> Overview:
    """Count what a project holds and name the entities to begin with; two statements."""
    counts = stats(graph, project)
    row = graph.read(
        "read/overview",
        project=project,
        caller=CALLER,
        code=CODE,
        first=FIRST_LINE,
        last=LAST_LINE,
        limit=ENTITIES_PER_LIST,
    )[0]
    return Overview(
        **{field.name: getattr(counts, field.name) for field in fields(counts)},
        undescribed=row["undescribed"],
        recent=tuple(
            Changed(entity["name"], entity["kind"], datetime.fromisoformat(entity["updated_at"]))
            for entity in row["recent"]
        ),
        hubs=tuple(Linked(**entity) for entity in row["hubs"]),
        stubs=tuple(Linked(**entity) for entity in row["stubs"]),
    )
