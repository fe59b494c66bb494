"""A note on a project that holds nothing, which may be a misspelt name of another one."""

from itertools import islice

from graphmem import text
from graphmem.graph import Graph
from graphmem.memory.access import Access
from graphmem.memory.searches.reach import in_reach
from graphmem.search.suggestions import near_projects

# Projects that are compared: as many as one statement reads.
COMPARED = 200
# Projects that are named where no name is near.
OTHERS = 3


def empty_project_note(
    graph: Graph, access: Access, project: str, predicate: str = "has no entities"
) -> str | None:
    """A sentence on a project without entities, which names others that may be meant.

    Those are the projects with nearly its name, or if there are none, the first ones by name.

    Args:
        graph: The store.
        access: The projects that may be read; no other is named.
        project: The name of the project.
        predicate: What the sentence says of it.

    Returns:
        The sentence, or None if the project has an entity, also a hidden one.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    first, last = text.key_range(project)
    if graph.read("read/project_keys", first=first, last=last, after="", limit=1):
        return None
    others = [name for name in islice(in_reach(graph, access), COMPARED) if name != project]
    note = f"the project `{project}` {predicate}"
    if near_names := near_projects(project, others):
        return f"{note}; did you mean {_quoted(near_names, ' or ')}?"
    return f"{note}; others are {_quoted(others[:OTHERS], ', ')}" if others else note


def _quoted(names: list[str], joint: str) -> str:
    return joint.join(f"`{name}`" for name in names)
