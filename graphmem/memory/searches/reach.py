"""The projects that a memory may read, by their names."""

from collections.abc import Iterator

from graphmem import project as projects
from graphmem import read
from graphmem.graph import Graph
from graphmem.memory.access import Access


def in_reach(graph: Graph, access: Access) -> Iterator[str]:
    """The projects that may be read, by name, without the layers.

    Those that a caller is limited to are given without a look at the store, also if they are empty.
    """
    known = access.projects
    for name in read.projects(graph) if known is None else sorted(known):
        if access.readable(name) and name not in projects.LAYERS:
            yield name
