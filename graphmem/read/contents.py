"""Reading whole entities and relations, in batches that fit into one answer of the server."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.graph import Graph, Reader, Row
from graphmem.model import Entity, Observation, Relation, stored_values
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.entity_fields import ENTITY_FIELDS
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.provenance import UNKNOWN, Provenance
from graphmem.model.relation_fields import CREATED_BY, FIELD_NAMES, RESERVED_RELATION_ATTRIBUTES
from graphmem.model.reserved import RESERVED_ATTRIBUTES, USE, ReservedNames
from graphmem.model.status import ACTIVE
from graphmem.model.stored_values import moment, number, texts

PAGE = 500
# The names of projects that are read at once.
PROJECTS = 200
# Bytes that a passage or a relation takes in an answer beside its texts.
PASSAGE_BYTES = 256
RELATION_BYTES = 256


def projects(graph: Graph) -> Iterator[str]:
    """Every project and layer of a store, by name."""
    names = [""]
    while names:
        (row,) = graph.read("read/next_projects", after=names[-1], limit=PROJECTS)
        names = row["projects"]
        yield from names
        if len(names) < PROJECTS:
            return


def whole(
    graph: Graph, keys: Sequence[str], *, provenance: bool = False, history: bool = False
) -> Iterator[Entity]:
    """The entities of some keys, as far as they exist, with their texts, in the order of the keys.

    Args:
        graph: The store.
        keys: Of the entities.
        provenance: Whether each says who asserted what.
        history: Whether the provenance also has the revision and the change that created it.
    """
    for batch in readable(graph, keys):
        for row in graph.read("read/whole_entities", keys=batch):
            record = entity(row["entity"], row["passages"], provenance=provenance)
            if history and record.provenance is not None:
                history_fields = _history_fields(row["entity"])
                record = replace(record, provenance=replace(record.provenance, **history_fields))
            yield record


def readable(graph: Reader, keys: Sequence[str]) -> Iterator[list[str]]:
    """Keys of entities that exist, in batches whose entities fit into one answer."""
    for page in batches(keys, most=PAGE):
        rows = graph.read("read/sizes", keys=page)
        sizes = {row["key"]: row["characters"] + row["passages"] * PASSAGE_BYTES for row in rows}
        existing_keys = [key for key in page if key in sizes]
        yield from batches(existing_keys, sizes.__getitem__, most=PAGE, most_bytes=STATEMENT_BYTES)


def all_entities(
    graph: Graph, project: str, *, provenance: bool = False, history: bool = False
) -> Iterator[Entity]:
    """Every entity of a project, in the order of their keys, a few at a time."""
    after = ""
    while rows := graph.read("read/export_keys", project=project, after=after, limit=PAGE):
        keys = [row["key"] for row in rows]
        yield from whole(graph, keys, provenance=provenance, history=history)
        after = rows[-1]["key"]


def all_relations(
    graph: Graph, project: str, *, provenance: bool = False, history: bool = False
) -> Iterator[Relation]:
    """Every relation inside a project, in the order of their starts, a few at a time."""
    after = ""
    while rows := graph.read("read/relation_sizes", project=project, after=after, limit=PAGE):
        starts = [(row["key"], [RELATION_BYTES + size for size in row["sizes"]]) for row in rows]
        for batch in batches(
            [start for start in starts if start[1]],
            lambda start: sum(start[1]),
            most=PAGE,
            most_bytes=STATEMENT_BYTES,
        ):
            for relation, properties in _relations(graph, project, batch, provenance=provenance):
                if history and relation.provenance is not None:
                    exported_provenance = replace(
                        relation.provenance, change=properties.get(CREATED_BY) or ""
                    )
                    yield replace(relation, provenance=exported_provenance)
                else:
                    yield relation
        after = rows[-1]["key"]


def _relations(
    graph: Graph, project: str, starts: Sequence[tuple[str, list[int]]], *, provenance: bool
) -> Iterator[tuple[Relation, Row]]:
    """The relations of several starts, or of a single one in as many answers as they need."""
    longest = max((sizes for _, sizes in starts), key=len)
    slices = (
        batches(longest, int, most=len(longest), most_bytes=STATEMENT_BYTES)
        if len(starts) == 1
        else [longest]
    )
    keys = [key for key, _ in starts]
    skip = 0
    for sizes in slices:
        for row in graph.read(
            "read/export_relations", project=project, keys=keys, skip=skip, limit=len(sizes)
        ):
            for link in row["relations"]:
                yield _relation(link, provenance=provenance), link["properties"]
        skip += len(sizes)


def _relation(link: Row, *, provenance: bool) -> Relation:
    properties: Row = link["properties"]
    return Relation(
        start=link["start"],
        relation=link["relation"],
        end=link["end"],
        attributes=_attributes(properties, RESERVED_RELATION_ATTRIBUTES),
        provenance=_provenance(properties) if provenance else None,
        unset=(),
        **{name: properties.get(name) for name in FIELD_NAMES},
    )


def entity(
    properties: Row, passages: Sequence[Row], *, provenance: bool = False, ids: bool = False
) -> Entity:
    """Make an entity of what the database holds of it.

    Args:
        properties: Its properties.
        passages: Its passages, in order.
        provenance: Whether it says who asserted what.
        ids: Whether its observations have their ids.
    """
    passages = stored_values.passages(passages)
    return Entity(
        name=str(properties["name"]),
        observations=tuple(
            _observation(passage, has_id=ids)
            for passage in passages
            if passage["origin"] == "observation"
        ),
        aliases=tuple(texts(properties.get("aliases"))),
        tags=tuple(texts(properties.get("tags"))),
        created_at=moment(properties.get("created_at")),
        attributes=_attributes(properties, RESERVED_ATTRIBUTES),
        key=properties["key"],
        project=text.project_of(properties["key"]),
        updated_at=moment(properties.get("updated_at")),
        provenance=replace(_provenance(properties, passages), key=_other_name(properties))
        if provenance
        else None,
        revision=number(properties.get("graphmem_revision"), 1),
        **_fields(properties, passages),
    )


def _observation(passage: Row, *, has_id: bool) -> Observation:
    fields: dict[str, Any] = {name: passage.get(name) for name in OBSERVATION_FIELDS}
    return Observation(passage["text"], id=passage.get("id") if has_id else None, **fields)


def _fields(properties: Row, passages: Sequence[Row]) -> dict[str, Any]:
    """The fields of `ENTITY_FIELDS`, in the types that graphmem writes."""
    fields = {row.name: row.read(properties.get(row.name)) for row in ENTITY_FIELDS}
    body = "".join(passage["text"] for passage in passages if passage["origin"] == "text")
    return fields | {
        "kind": fields["kind"] or DEFAULT_KIND,
        "status": fields["status"] or ACTIVE,
        "text": body or None,
    }


def _provenance(properties: Row, passages: Sequence[Row] = ()) -> Provenance:
    """Who asserted what; unknown in an older store that is only read."""
    authors = texts(properties.get("asserted_by")) or [UNKNOWN]
    return Provenance(
        asserted_by=tuple(authors),
        record=stored_values.record(properties.get("graphmem_assertions")),
        observed_by=tuple(
            tuple(p.get("asserted_by") or authors) for p in passages if p["origin"] == "observation"
        ),
        unlinked=tuple(properties.get("graphmem_unlinked") or ()),
        updated_at=moment(properties.get("updated_at")),
        use={name: properties[name] for name in sorted(USE) if name in properties},
    )


def _attributes(properties: Row, reserved: ReservedNames) -> dict[str, Any]:
    """The custom attributes among properties, in the order of their names."""
    return {name: properties[name] for name in sorted(properties) if name not in reserved}


def _other_name(properties: Row) -> str | None:
    """The folded name in an entity's key, where the entity has another name by now."""
    name = text.name_of(properties["key"])
    return None if name == text.normalised(str(properties["name"])) else name


def _history_fields(properties: Row) -> dict[str, Any]:
    """The fields of an entity's provenance that an export with history has."""
    return {
        "revision": properties.get("graphmem_revision", 1),
        "change": properties.get("graphmem_change") or "",
        "history_from": properties.get("graphmem_history_from"),
    }
