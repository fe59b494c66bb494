"""Entities of one name in a project and in the layers that stand behind it."""

from collections.abc import Sequence

from graphmem import project as projects
from graphmem import read, text
from graphmem.graph import Graph
from graphmem.model import Entity
from graphmem.write.redirects import targets_of


def in_layers(graph: Graph, project: str, names: Sequence[str]) -> list[Entity]:
    """Read the entities of some names in a project and the layers, hidden ones too, by key.

    Names of today and earlier ones count; no alias or title leads to an entity here.
    """
    layers = dict.fromkeys((project, *projects.LAYERS))
    keys = {text.key(layer, name) for name in names for layer in layers}
    targets = targets_of(graph, keys)
    return list(read.whole(graph, sorted({targets.get(key, key) for key in keys})))
