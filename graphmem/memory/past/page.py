"""One entity as it was at a moment, with the relations that were there."""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import read, text
from graphmem.graph import Graph
from graphmem.memory.past import entity_then
from graphmem.memory.past.entity_then import EntityThen
from graphmem.memory.past.names import NameThen, names_at
from graphmem.model.identity import RelationIdentity
from graphmem.model.page import Neighbour, Page
from graphmem.model.relation_fields import RelationDirection
from graphmem.model.status import REMOVED, SUPERSEDED
from graphmem.write.assertions import entity_changes
from graphmem.write.assertions.noted import required
from graphmem.write.assertions.states import relations_in
from graphmem.write.reshaping import SUPERSEDES
from graphmem.write.time_travel.apply import changes_entity


def page_of(graph: Graph, then: EntityThen) -> Page:
    """An entity that was there at a moment, with the relations that were there.

    As in a page of today, those of entities that searches left out are missing, except those that
    lead to what the entity had superseded and to what had been removed. Beyond the most of a
    direction they are only counted.

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
    changes = (row["at"] for row in then.earlier_rows if changes_entity(row["before"]))
    # What came back from a merge was changed before by the merge, when it went.
    moments = filter(None, (next(changes, None), then.created_at))
    updated_at = max(moments, default=None)
    properties = {**earlier_entity.properties, "updated_at": updated_at}
    entity = read.entity(properties, earlier_entity.passages, ids=True)
    number = then.earlier_rows[0]["revision"] if then.earlier_rows else 1
    directions = _neighbours(graph, key, links, moment)
    shown = [some[: read.RELATIONS] for some in directions]
    return Page(
        entity=replace(entity, revision=number),
        neighbours=tuple(itertools.chain(*shown)),
        omitted_relations=sum(map(len, directions)) - sum(map(len, shown)) or None,
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
        yield row["key"], required(row["before"], row["key"])


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
) -> tuple[list[Neighbour], list[Neighbour]]:
    """Relations that were there at a moment: those that began at the entity, and that ended there.

    One that leads from the entity to itself is in both.
    """
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
    names = names_at(graph, keys, moment)
    outward = [
        (identity, identity.end, stored)
        for identity, stored in relations.items()
        if identity.start == key
    ]
    inward = [
        (identity, identity.start, stored)
        for identity, stored in relations.items()
        if identity.end == key
    ]
    return _shown(outward, "out", names), _shown(inward, "in", names)


def _shown(
    links: Iterable[tuple[RelationIdentity, str, Mapping[str, Any]]],
    direction: RelationDirection,
    names: Mapping[str, NameThen],
) -> list[Neighbour]:
    """Relations in the order of a page of today, without those that it leaves out.

    Args:
        links: Relations, each with the key of its other end and its properties.
        direction: As seen from the entity.
        names: What the other ends were called.
    """
    ordered = sorted(links, key=lambda link: (link[0].relation, link[1], link[0].since))
    return [
        Neighbour.of_stored(
            stored,
            identity.relation,
            direction,
            {"name": other.name, "kind": other.kind, "status": other.hidden},
        )
        for identity, other_key, stored in ordered
        if (other := names[other_key]).hidden is None
        or (direction == "out" and _is_shown(identity.relation, other.hidden))
    ]


def _is_shown(relation: str, status: str) -> bool:
    """Whether a relation to a hidden entity of some status is shown."""
    folded_status = text.normalised(status)
    is_superseded = relation == SUPERSEDES and folded_status == SUPERSEDED
    return is_superseded or folded_status == REMOVED
