"""A note on a project that holds nothing, which may be a misspelt name of another one."""

from collections.abc import Sequence
from itertools import islice

from graphmem import text
from graphmem.graph import Graph
from graphmem.memory.access import Access
from graphmem.memory.searches.reach import in_reach
from graphmem.search.suggestions import near_projects

# What a note says of a project that holds nothing, not even what is hidden.
NO_ENTITIES = "has no entities"
# Projects that are compared: as many as one statement reads.
COMPARED = 200
# Projects that are named where no name is near.
OTHERS = 3


def empty_project_note(
    graph: Graph, access: Access, project: str, predicate: str = NO_ENTITIES
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
    return next(iter(empty_project_notes(graph, access, [project], predicate)), None)


def empty_project_notes(
    graph: Graph, access: Access, projects: Sequence[str], predicate: str = NO_ENTITIES
) -> tuple[str, ...]:
    """A sentence on each of some projects that has no entities; see `empty_project_note`.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    ranges = {name: text.key_range(name) for name in projects}
    places = [
        {"name": name, "first": first, "last": last} for name, (first, last) in ranges.items()
    ]
    empty_names = {row["name"] for row in graph.read("read/empty_projects", projects=places)}
    if not empty_names:
        return ()
    compared = islice(in_reach(graph, access), COMPARED)
    others = [name for name in compared if name not in ranges]
    return tuple(_note(name, others, predicate) for name in projects if name in empty_names)


def says_empty(notes: Sequence[str], project: str) -> bool:
    """Whether the notes of an answer say that a project has no entities."""
    return any(note.startswith(_beginning(project, NO_ENTITIES)) for note in notes)


def _beginning(project: str, predicate: str) -> str:
    return f"the project `{project}` {predicate}"


def _note(project: str, others: list[str], predicate: str) -> str:
    note = _beginning(project, predicate)
    if near_names := near_projects(project, others):
        return f"{note}; did you mean {_quoted(near_names, ' or ')}?"
    return f"{note}; others are {_quoted(others[:OTHERS], ', ')}" if others else note


def _quoted(names: list[str], joint: str) -> str:
    return joint.join(f"`{name}`" for name in names)
