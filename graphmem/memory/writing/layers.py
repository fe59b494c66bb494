"""Entities of one name in a project and in the layers that stand behind it."""

from collections.abc import Sequence

from graphmem import project as projects
from graphmem import read, text
from graphmem.graph import Graph
from graphmem.model import Entity


def in_layers(graph: Graph, project: str, names: Sequence[str]) -> list[Entity]:
    """Read the entities of some names in a project and the layers, dead ones too, ordered by key.

    Names are taken as they are: no alias or title leads to an entity here.
    """
    layers = dict.fromkeys((project, *projects.LAYERS))
    keys = sorted({text.key(layer, name) for name in names for layer in layers})
    return list(read.whole(graph, keys))
