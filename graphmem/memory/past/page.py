"""One entity as it was at a moment, with the relations that were there."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import read, text
from graphmem.graph import Graph
from graphmem.memory.past import entity_then
from graphmem.memory.past.entity_then import EntityThen
from graphmem.memory.past.names import names_at
from graphmem.model.identity import RelationIdentity
from graphmem.model.page import Direction, Neighbour, Page
from graphmem.write.assertions import entity_changes
from graphmem.write.assertions.states import relations_in


def page_of(graph: Graph, then: EntityThen) -> Page:
    """An entity that was there at a moment, with the relations that were there.

    Raises:
        InvalidInput: Links to it have changed too often since.
    """
    key, moment = then.stored.key, then.moment
    links = _relations(graph, key)
    for step in then.later:
        _overlay_relations(links, key, step.noted)
    for other, before in _of_others(graph, key, moment):
        _overlay_relations(links, other, before, end=key)
    earlier_entity = entity_changes.of_state(
        replace(then.stored, passages=()), then.state, project=text.project_of(key)
    )
    updated_at = then.earlier_rows[0]["at"] if then.earlier_rows else then.created_at
    properties = {**earlier_entity.properties, "updated_at": updated_at}
    entity = read.entity(properties, earlier_entity.passages, ids=True)
    number = then.earlier_rows[0]["revision"] if then.earlier_rows else 1
    return Page(
        entity=replace(entity, revision=number),
        neighbours=_neighbours(graph, key, links, moment),
    )


def _of_others(graph: Graph, key: str, moment: datetime) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What other entities noted since a moment of their links to this one, the newest first.

    Raises:
        InvalidInput: That is too much.
    """
    written_key = json.dumps(key, ensure_ascii=False)[1:-1]
    rows = graph.read(
        "read/link_revisions",
        project=text.project_of(key), key=key, moment=moment, limit=entity_then.MOST_REVISIONS + 1,
        # No key has two spaces side by side, which separate it from when a relation begins.
        endings=[f' {written_key}":', f" {written_key}  "],
    )  # fmt: skip
    entity_then.require_few(rows, moment, "of links to it")
    for row in rows:
        yield row["key"], json.loads(row["before"])


def _relations(graph: Graph, key: str) -> dict[RelationIdentity, Mapping[str, Any]]:
    rows = graph.read("read/incident_relations", keys=[key])
    return {RelationIdentity.of_row(row): row["stored"] for row in rows}


def _overlay_relations(
    links: dict[RelationIdentity, Mapping[str, Any]],
    key: str,
    before: Mapping[str, Any],
    *,
    end: str | None = None,
) -> None:
    """Restore relations that begin at an entity, or only those of them that end at another."""
    for identity, properties in relations_in(before, key):
        if end is not None and identity.end != end:
            continue
        if properties is None:
            links.pop(identity, None)
        else:
            links[identity] = properties


def _neighbours(
    graph: Graph, key: str, links: Mapping[RelationIdentity, Mapping[str, Any]], moment: datetime
) -> tuple[Neighbour, ...]:
    """Relations that were there at a moment, as seen from the entity they are read of."""
    change_ids = sorted(
        {str(p["graphmem_change"]) for p in links.values() if p.get("graphmem_change")}
    )
    moments = (
        {row["id"]: row["at"] for row in graph.read("read/moments", ids=change_ids)}
        if change_ids
        else {}
    )
    relations = {
        identity: properties
        for identity, properties in links.items()
        if moments.get(str(properties.get("graphmem_change")), moment) <= moment
    }
    keys = {end for identity in relations for end in (identity.start, identity.end)}
    return tuple(_as_neighbours(key, relations, names_at(graph, keys, moment)))


def _as_neighbours(
    key: str,
    links: Mapping[RelationIdentity, Mapping[str, Any]],
    names: Mapping[str, Mapping[str, str]],
) -> Iterator[Neighbour]:
    for identity, properties in sorted(links.items()):
        outward = identity.start == key
        other = names[identity.end if outward else identity.start]
        direction: Direction = "out" if outward else "in"
        yield Neighbour.of_stored(properties, identity.relation, direction, other)
