"""What the projects of a store hold."""

from collections.abc import Iterable

from graphmem.graph import Graph
from graphmem.model.projects import ProjectSummary

PAGE = 100


def summaries(graph: Graph, projects: Iterable[str]) -> list[ProjectSummary]:
    """Count what some projects hold, by name; one that holds nothing has zeros."""
    names = sorted(set(projects))
    return [
        ProjectSummary(**row)
        for start in range(0, len(names), PAGE)
        for row in graph.read("read/project_summaries", projects=names[start : start + PAGE])
    ]
