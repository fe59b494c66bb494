"""Following several relations in the store as it was at a moment."""

from dataclasses import replace
from datetime import datetime

from graphmem import arguments
from graphmem.graph import Graph, Reader
from graphmem.memory.past.as_of import Past
from graphmem.memory.past.entity_then import entity_at
from graphmem.memory.searches.explorations import ARGUMENTS, ExplorationRequest, explored_from
from graphmem.model.exploration import Exploration


def explored_then(
    graph: Graph, past: Past, project: str, request: ExplorationRequest, moment: datetime
) -> Exploration:
    """Do what `explored` does in the store as it was at a moment, under the names of that time.

    Raises:
        NotFound: A name leads to no entity, or to one that was not there then, or history of that
            time was deleted.
        InvalidInput: Too much has changed since.
        DatabaseError: Nothing may be written, or the database does not answer, is too slow or
            refuses.
    """
    for argument, name in zip(ARGUMENTS, request.names, strict=False):
        arguments.name_given(argument, name)
    past.require_writing("an exploration")
    with arguments.renaming_arguments(moment="as_of"):
        keys = [entity_at(graph, project, name, moment).stored.key for name in request.names]

    def run(reader: Reader) -> Exploration:
        return explored_from(reader, project, request, keys)

    exploration = past.read([project], moment, run)
    notes = () if exploration.entities else past.early_notes([project], moment)
    return replace(exploration, notes=(*exploration.notes, *notes))
