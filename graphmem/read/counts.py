"""Counting what projects hold."""

from collections.abc import Iterable

from graphmem.batches import batches
from graphmem.graph import Graph
from graphmem.model.projects import ProjectSummary
from graphmem.model.stats import Stats

# The most entities and relations that are counted; a larger store is judged by these.
COUNTED = 100_000
# Projects that one statement counts.
PROJECTS = 100


def commonest(graph: Graph, *, most: int) -> tuple[list[str], list[str]]:
    """The commonest kinds and types of relations of a store, all projects together."""
    row = graph.read("read/commonest", counted=COUNTED, most=most)[0]
    return row["kinds"], row["types"]


def stats(graph: Graph, project: str) -> Stats:
    """Count what a project holds; `pending` are the passages that wait for the model."""
    row = graph.read("read/stats", project=project)[0]
    counted = {
        name: {count["name"]: count["count"] for count in row[name]}
        for name in ("kinds", "statuses", "tags", "types")
    }
    return Stats(
        project=project,
        entities=row["entities"],
        relations=row["relations"],
        passages=row["passages"],
        pending=row["pending"],
        **counted,
    )


def summaries(graph: Graph, projects: Iterable[str]) -> list[ProjectSummary]:
    """Count what some projects hold, by name; one that holds nothing has zeros."""
    return [
        ProjectSummary(**row)
        for names in batches(sorted(set(projects)), most=PROJECTS)
        for row in graph.read("read/project_summaries", projects=names)
    ]
