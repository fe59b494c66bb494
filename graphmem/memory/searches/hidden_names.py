"""Notes on hidden entities that a query names."""

from graphmem import read
from graphmem.graph import Graph
from graphmem.model.filters import Filters
from graphmem.model.status import FORGOTTEN, REMOVED

# Projects that are looked into.
PROJECTS = 3
# Why an entity has a status, and what to do.
_REASONS = {
    FORGOTTEN: ", and `restore` brings it back",
    REMOVED: ", since its source has it no more",
}


def hidden_name_notes(graph: Graph, query: str, filters: Filters) -> tuple[str, ...]:
    """A sentence on each hidden entity whose name, title or alias is the whole query.

    Args:
        graph: The store.
        query: That of a search of which no hit is named.
        filters: Those of the search; one that asks for a status knows what is hidden.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    name = query.strip().strip("`'\"")
    if not name or filters.statuses:
        return ()
    notes: dict[str, None] = {}
    for project in filters.projects[:PROJECTS]:
        # A symbol of one word is found by its parentheses.
        resolved_names = read.resolve(graph, project, [name, f"{name}()"])
        for resolved in resolved_names.values():
            if resolved.hidden is not None:
                notes[_note(str(resolved.name), resolved.hidden)] = None
    return tuple(notes)


def _note(name: str, status: str) -> str:
    reason = _REASONS.get(status, "")
    return (
        f"the entity `{name}` is {status}{reason}; to find it, search with `status` as `{status}` "
        f"(in the terminal `--status {status}`)"
    )
