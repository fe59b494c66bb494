"""One entity as it was at a moment, with the relations that were there."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import read, text
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph
from graphmem.memory.past.beginning import require_history
from graphmem.memory.past.names import names_at
from graphmem.memory.past.steps import Step, steps_back
from graphmem.memory.past.walk_back import creation, stored_entity
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import iso
from graphmem.model.page import Direction, Neighbour, Page
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write.assertions import entity_changes, states
from graphmem.write.assertions.shape import Stored

# The most revisions that are taken back of an entity, and of others that changed links to it.
MOST_REVISIONS = 50_000


def page_at(graph: Graph, key: str, moment: datetime) -> Page:
    """An entity as it was at a moment, with the relations that were there.

    Raises:
        NotFound: It was not there yet, or a part of another one then.
        InvalidInput: It or links to it have changed too often since.
    """
    stored = stored_entity(graph, key)
    require_history(graph, moment, stored.properties.get("graphmem_history_from"))
    rows = graph.read("read/revisions", keys=[key], limit=MOST_REVISIONS + 1)
    later = list(
        itertools.takewhile(lambda step: step.row["at"] > moment, steps_back(stored, rows))
    )
    _require_few(later, moment, "of it")
    state = later[-1].earlier if later else states.stored_state(stored)
    created_at = _created_at(graph, stored, later)
    _require_existence(stored.properties["name"], later, created_at, moment)
    links = _relations(graph, key)
    for step in later:
        _overlay_relations(links, key, step.noted)
    for other, before in _of_others(graph, key, moment):
        _overlay_relations(links, other, before, end=key)
    earlier_entity = entity_changes.of_state(
        replace(stored, passages=()), state, project=text.project_of(key)
    )
    earlier_rows = rows[len(later) :]
    updated_at = earlier_rows[0]["at"] if earlier_rows else created_at
    properties = {**earlier_entity.properties, "updated_at": updated_at}
    entity = read.entity(properties, earlier_entity.passages, ids=True)
    number = earlier_rows[0]["revision"] if earlier_rows else 1
    return Page(
        entity=replace(entity, revision=number),
        neighbours=_neighbours(graph, key, links, moment),
    )


def _created_at(graph: Graph, stored: Stored, later: Sequence[Step]) -> datetime | None:
    """When the entity was created that was there before some revisions; None where not recorded."""
    maker = later[-1].maker if later else stored.properties.get(CREATED_BY)
    created = creation(graph, maker)
    return None if created is None else created.at


def _require_existence(
    name: str, later: Sequence[Step], created_at: datetime | None, moment: datetime
) -> None:
    """Refuse a moment at which an entity was not there.

    Raises:
        NotFound: It was created later, or a part of another one at the time.
    """
    if later and not later[-1].earlier:
        raise NotFound(
            f"{name} was not there at {iso(moment)}: it had been merged into another entity, and "
            f"came back at {iso(later[-1].row['at'])}"
        )
    if created_at is not None and created_at > moment:
        raise NotFound(
            f"{name} was not there yet at {iso(moment)}; it was created at {iso(created_at)}"
        )


def _of_others(graph: Graph, key: str, moment: datetime) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What other entities noted since a moment of their links to this one, the newest first.

    Raises:
        InvalidInput: That is too much.
    """
    written_key = json.dumps(key, ensure_ascii=False)[1:-1]
    rows = graph.read(
        "read/link_revisions",
        project=text.project_of(key), key=key, moment=moment, limit=MOST_REVISIONS + 1,
        # No key has two spaces side by side, which separate it from when a relation begins.
        endings=[f' {written_key}":', f" {written_key}  "],
    )  # fmt: skip
    _require_few(rows, moment, "of links to it")
    for row in rows:
        yield row["key"], json.loads(row["before"])


def _require_few(revisions: Sequence[object], moment: datetime, owner: str) -> None:
    if len(revisions) > MOST_REVISIONS:
        raise InvalidInput(
            "moment",
            iso(moment),
            f"must be later: since then more than {MOST_REVISIONS:,} revisions {owner} were made, "
            "and at most as many are taken back",
        )


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
    for path, value in before.items():
        if not path.startswith(states.RELATION):
            continue
        identity = RelationIdentity.of_token(key, path.removeprefix(states.RELATION))
        if end is not None and identity.end != end:
            continue
        if value is None:
            links.pop(identity, None)
        else:
            links[identity] = states.decoded_relation(key, value)[1]


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
