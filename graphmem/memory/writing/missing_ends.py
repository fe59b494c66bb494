"""Why a relation whose end leads to no entity is refused, and which names may be meant."""

from collections.abc import Mapping

from graphmem import lucene, read
from graphmem.errors import shortened
from graphmem.graph import Graph
from graphmem.memory.names.resolving import SIMILAR_NAMES, layer_with, missing_here
from graphmem.project import LAYERS
from graphmem.write import WriteOptions

# Ends of relations that lead nowhere and are answered with similar names; each is a read or two.
COMPARED_NAMES = 20


def reasons_of(
    graph: Graph, ends: Mapping[str, read.Resolved], options: WriteOptions
) -> dict[str, str]:
    """By name, why each that leads to no one entity does not; a caller is given similar names."""
    missing_names = [name for name, resolved in ends.items() if resolved.key is None]
    compared = () if options.is_import else missing_names[:COMPARED_NAMES]
    return {
        name: _no_end(graph, name, ends[name], options.project, is_compared=name in compared)
        for name in missing_names
    }


def _no_end(
    graph: Graph, name: str, resolved: read.Resolved, project: str, *, is_compared: bool
) -> str:
    owner, is_key, _ = name.partition("#")
    if is_key and (owner in LAYERS or "/" in owner) and owner != project:
        return (
            f"there is no entity {shortened(name)} in {project}: it would be one of {owner}, and "
            f"relations join entities of one project; remember one of that name in {project}"
        )
    if not is_compared:
        return read.not_found(name, resolved, project)
    if (layer := layer_with(graph, project, name, resolved)) is not None:
        return (
            f"there is no entity {shortened(name)} in {project}, but in {layer}, and relations "
            f"join entities of one project; remember one of that name in {project}"
        )
    return _at_place(graph, project, name) or missing_here(graph, project, name, resolved)


def _at_place(graph: Graph, project: str, name: str) -> str | None:
    """Say which code stands at a place such as `app/store.py:120`; None for another name."""
    # Imported here for weight: few calls give a name that leads nowhere.
    from graphmem.memory.names.code_places import code_named  # noqa: PLC0415

    code = code_named(graph, project, lucene.clean(name))
    names = [code.name] if code.name is not None else code.candidates
    if not names:
        return None
    shown_names = " or ".join(map(shortened, names[:SIMILAR_NAMES]))
    return (
        f"there is no entity {shortened(name)} in {project}, but code is at that place: give the "
        f"name {shown_names}"
    )
