"""The creation of an entity's relations, each with the fields that it had then."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.graph import Graph, Row
from graphmem.model.history import Difference, Revision
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import RELATION
from graphmem.model.period import dated
from graphmem.model.relation_fields import CREATED_BY
from graphmem.model.reserved import PREFIX
from graphmem.write.assertions import states
from graphmem.write.assertions.noted import noted

# Fields of a relation that its line of history already names, or that graphmem keeps for itself.
_UNWRITTEN = frozenset({"created_at", "valid_from", "asserted_by"})


def creations_of_relations(graph: Graph, key: str, *, limit: int) -> Iterator[Revision]:
    """A revision without a number for each relation of an entity, the newest first.

    Its fields are those that the first change of it since then has noted; if there was none, those
    that it has.

    Args:
        graph: The store.
        key: The entity's.
        limit: The most relations.
    """
    rows = graph.read("read/made_relations", key=key, limit=limit)
    paths = [RELATION + RelationIdentity.of_row(row).token for row in rows]
    notes = graph.read(
        "read/first_notes",
        rows=[
            {
                "start": row["start"],
                # A merge notes nothing at the path of a relation that it carries over.
                "path": f"{json.dumps(path, ensure_ascii=False)}:{{",
                "change": row["change"]["id"],
            }
            for row, path in zip(rows, paths, strict=True)
        ],
        prefix=json.dumps(RELATION).removesuffix('"'),
    )
    noted_states = {note["place"]: noted(note["before"]) or {} for note in notes}
    for place, (row, path) in enumerate(zip(rows, paths, strict=True)):
        identity = RelationIdentity.of_row(row)
        relation = noted_states.get(place, {}).get(path)
        if not relation or relation["properties"].get(CREATED_BY) != row["change"]["id"]:
            relation = states.encoded_relation(identity, row["stored"])
        yield _creation(row, key, identity, relation)


def _creation(
    row: Row, key: str, identity: RelationIdentity, relation: Mapping[str, Any]
) -> Revision:
    change = row["change"]
    other = f"to {row['end_name']}" if identity.start == key else f"from {row['start_name']}"
    name = f"the relation {identity.relation} {other}{dated(identity.since)}"
    return Revision(
        revision=None,
        change=change["id"],
        at=change["at"],
        differences=(Difference(name, None, relation_fields(relation)),),
        **caller_fields(change),
    )


def caller_fields(change: Row) -> dict[str, Any]:
    """The fields that describe the call of a change: who, what, why, and the record's source."""
    fields = {name: change.get(name) for name in ("note", "author", "source")}
    return fields | {name: change.get(name) or "unknown" for name in ("by", "verb")}


def relation_fields(value: Mapping[str, Any] | None) -> object:
    """The fields and custom attributes of a relation, without those that graphmem keeps."""
    if value is None:
        return None
    return {
        name: _day(field_value) if name == "valid_until" else field_value
        for name, field_value in value["properties"].items()
        if name not in _UNWRITTEN and not name.startswith(PREFIX)
    }


def _day(value: object) -> object:
    """A day or moment as answers have it, from the form that custom attributes have."""
    return next(iter(value.values())) if isinstance(value, dict) else value
