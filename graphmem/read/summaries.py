"""What the projects of a store hold."""

from collections.abc import Iterable

from graphmem.batches import batches
from graphmem.graph import Graph
from graphmem.model.projects import ProjectSummary

PAGE = 100


def summaries(graph: Graph, projects: Iterable[str]) -> list[ProjectSummary]:
    """Count what some projects hold, by name; one that holds nothing has zeros."""
    return [
        ProjectSummary(**row)
        for names in batches(sorted(set(projects)), most=PAGE)
        for row in graph.read("read/project_summaries", projects=names)
    ]
