"""What exports yield: objects of JSON lines, which an import reads again."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from graphmem import read
from graphmem.graph import Graph
from graphmem.memory.past.beginning import history_from
from graphmem.model import Entity

Line = dict[str, object]


def plain(graph: Graph, project: str) -> Iterator[Line]:
    """The present content of a project: entities, relations and redirects."""
    for entity in read.all_entities(graph, project):
        yield entity.to_json()
    for relation in read.all_relations(graph, project):
        yield relation.to_json()
    for redirect in read.all_redirects(graph, project):
        yield redirect.to_json()


def whole(graph: Graph, project: str, *, history: bool) -> Iterator[Line]:
    """The content of a project with who asserted what; each line names the project.

    Args:
        graph: The store.
        project: The project.
        history: Whether changes and revisions follow.
    """
    for line in _whole(graph, project, history=history):
        yield {**line, "project": project}


def _whole(graph: Graph, project: str, *, history: bool) -> Iterator[Line]:
    began = history_from(graph) if history else None
    for entity in read.all_entities(graph, project, provenance=True, history=history):
        yield _with_beginning(entity, began).to_json()
    for relation in read.all_relations(graph, project, provenance=True, history=history):
        yield relation.to_json()
    for redirect in read.all_redirects(graph, project, by_key=True):
        yield redirect.to_json()
    if history:
        for change in read.all_changes(graph, project):
            yield change.to_json()
        for revision in read.all_revisions(graph, project):
            yield revision.to_json()


def _with_beginning(entity: Entity, store_beginning: datetime | None) -> Entity:
    """The entity with the later one of two moments: its own, and that of the whole store."""
    if store_beginning is None or entity.provenance is None:
        return entity
    own_beginning = entity.provenance.history_from
    moment = store_beginning if own_beginning is None else max(store_beginning, own_beginning)
    return replace(entity, provenance=replace(entity.provenance, history_from=moment))
