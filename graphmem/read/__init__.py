"""Reading without ranking: names to entities, whole entities, and what a project holds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from graphmem import lucene, text
from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.errors import shortened
from graphmem.graph import Graph, Row
from graphmem.model import Entity, Observation, Relation
from graphmem.model.entity import RESERVED_ATTRIBUTES, RESERVED_RELATION_ATTRIBUTES, USE, iso
from graphmem.model.provenance import Provenance
from graphmem.read.counts import Stats, stats

__all__ = [
    "Neighbour",
    "Page",
    "Resolved",
    "Stats",
    "all_entities",
    "all_relations",
    "entity",
    "existing",
    "not_found",
    "pages",
    "projects",
    "resolve",
    "stats",
    "whole",
]

NAMES_A_QUERY = 400
PAGE = 500
# What a passage or a relation takes in an answer beside its texts.
PASSAGE_BYTES = 256
RELATION_BYTES = 256


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a name leads to: one key, several (`candidates`), or nothing."""

    key: str | None
    name: str | None = None
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A relation of an entity, as seen from it."""

    relation: str
    direction: Literal["out", "in"]
    name: str
    kind: str
    note: str | None
    weight: float

    def to_json(self) -> dict[str, object]:
        """Write the neighbour as JSON values."""
        return {
            "relation": self.relation,
            "direction": self.direction,
            "name": self.name,
            "kind": self.kind,
            "note": self.note,
            "weight": self.weight,
        }


@dataclass(frozen=True, slots=True)
class Page:
    """An entity whole, with the relations that start and end at it (at most 200 each way)."""

    entity: Entity
    neighbours: tuple[Neighbour, ...]

    def to_json(self) -> dict[str, object]:
        """Write the entity in the shape of a JSON line, with key, times and relations."""
        written = self.entity.to_json()
        del written["type"]
        return written | {
            "key": self.entity.key,
            "project": self.entity.project,
            "updated_at": iso(self.entity.updated_at),
            "relations": [neighbour.to_json() for neighbour in self.neighbours],
        }


def resolve(graph: Graph, project: str, names: Sequence[str]) -> dict[str, Resolved]:
    """Find the entities of a project that names lead to.

    A name leads to the entity of that name or key, else to the one entity that has it as alias or
    title. Several of those are an ambiguity, and a living one is preferred to a dead one.
    """
    distinct = list(dict.fromkeys(names))
    found: dict[str, Resolved] = {}
    for start in range(0, len(distinct), NAMES_A_QUERY):
        found |= _resolve_some(graph, project, distinct[start : start + NAMES_A_QUERY])
    return found


def existing(graph: Graph, project: str, names: Iterable[str]) -> set[str]:
    """Those of some names that are the name of an entity, whatever aliases and titles there are."""
    keys = {name: text.key(project, name) for name in names}
    wanted = sorted(set(keys.values()))
    there = {
        row["key"]
        for start in range(0, len(wanted), PAGE)
        for row in graph.read(
            "read/resolve_names", keys=wanted[start : start + PAGE], handles=[], forms=[]
        )
    }
    return {name for name, key in keys.items() if key in there}


def _resolve_some(graph: Graph, project: str, names: Sequence[str]) -> dict[str, Resolved]:
    wanted = {name: text.key(project, name) for name in names}
    literal = [name for name in names if name.startswith(f"{project}#")]
    forms = {name: text.name_form(name) for name in names}
    asked = [form for form in dict.fromkeys(forms.values()) if form]
    query = lucene.handles(asked, required=[[text.token("project", project)]])
    rows = graph.read(
        "read/resolve_names",
        keys=[*wanted.values(), *literal],
        handles=[query] if query else [],
        forms=asked,
    )
    by_key = {row["key"]: row for row in rows}
    by_form: dict[str, list[Row]] = {}
    for row in rows:
        for form in row["forms"]:
            by_form.setdefault(form, []).append(row)
    return {
        name: _resolved(by_key.get(key) or by_key.get(name), by_form.get(forms[name], []))
        for name, key in wanted.items()
    }


def _resolved(exact: Row | None, others: Sequence[Row]) -> Resolved:
    if exact is not None:
        return Resolved(exact["key"], exact["name"])
    living = [row for row in others if row["live"]] or list(others)
    if len(living) == 1:
        return Resolved(living[0]["key"], living[0]["name"])
    return Resolved(None, candidates=tuple(row["name"] for row in living))


def not_found(name: str, resolved: Resolved, project: str) -> str:
    """Say why a name leads to no one entity, and what to do."""
    if resolved.candidates:
        candidates = ", ".join(shortened(one) for one in resolved.candidates[:5])
        return f"{shortened(name)} may mean {candidates}; give one of these names"
    return f"no entity {shortened(name)} in {project}; search for it, or remember it first"


def pages(graph: Graph, keys: Sequence[str], *, relations: int = 200) -> list[Page]:
    """Read entities whole, in the order of their keys."""
    rows = [
        row
        for some in _readable(graph, list(dict.fromkeys(keys)))
        for row in graph.read("read/entities", keys=some, relations=relations)
    ]
    rows.sort(key=lambda row: str(row["entity"]["key"]))
    return [
        Page(
            entity=entity(row["entity"], row["passages"]),
            neighbours=tuple(
                Neighbour(
                    relation=link["relation"],
                    direction=direction,
                    name=link["name"],
                    kind=link["kind"],
                    note=link["note"],
                    weight=1.0 if link["weight"] is None else link["weight"],
                )
                for direction, links in _sides(row)
                for link in links
                if link["live"]
            ),
        )
        for row in rows
    ]


def _sides(row: Row) -> tuple[tuple[Literal["out", "in"], list[Row]], ...]:
    return (("out", row["outgoing"]), ("in", row["incoming"]))


def entity(stored: Row, passages: Sequence[Row], *, provenance: bool = False) -> Entity:
    """Make an entity of what the database holds of it, perhaps with who asserted what."""
    written = "".join(passage["text"] for passage in passages if passage["origin"] == "text")
    return Entity(
        name=stored["name"],
        kind=stored["kind"],
        title=stored.get("title"),
        text=written or None,
        observations=tuple(
            Observation(p["text"], p.get("created_at"), p.get("source"), p.get("confidence"))
            for p in passages
            if p["origin"] == "observation"
        ),
        aliases=tuple(stored.get("aliases") or ()),
        tags=tuple(stored.get("tags") or ()),
        status=stored["status"],
        category=stored.get("category"),
        confidence=stored.get("confidence"),
        source=stored.get("source"),
        created_at=stored.get("created_at"),
        attributes={k: v for k, v in stored.items() if k not in RESERVED_ATTRIBUTES},
        key=stored["key"],
        project=stored["project"],
        updated_at=stored.get("updated_at"),
        provenance=_provenance(stored, passages) if provenance else None,
    )


def _provenance(stored: Row, passages: Sequence[Row] = ()) -> Provenance:
    """Who asserted what; of stores made before authors were noted, whoever brought it in."""
    authors = stored.get("asserted_by") or [stored.get("imported") or "caller"]
    return Provenance(
        asserted_by=tuple(authors),
        record=stored.get("assertions"),
        observed_by=tuple(
            tuple(p.get("asserted_by") or authors) for p in passages if p["origin"] == "observation"
        ),
        unlinked=tuple(stored.get("unlinked") or ()),
        updated_at=stored.get("updated_at"),
        use={name: stored[name] for name in sorted(USE) if name in stored},
    )


def projects(graph: Graph) -> Iterator[str]:
    """Every project and layer of a store, by name."""
    after = ""
    while rows := graph.read("read/next_project", after=after):
        after = rows[0]["project"]
        yield after


def whole(graph: Graph, keys: Sequence[str], *, provenance: bool = False) -> Iterator[Entity]:
    """Those of some entities that are there, with their texts, in the order of the keys."""
    for some in _readable(graph, keys):
        for row in graph.read("read/whole_entities", keys=some):
            yield entity(row["entity"], row["passages"], provenance=provenance)


def _readable(graph: Graph, keys: Sequence[str]) -> Iterator[list[str]]:
    """Keys of what is there, cut by what one answer may hold of their entities."""
    for start in range(0, len(keys), PAGE):
        rows = graph.read("read/sizes", keys=list(keys[start : start + PAGE]))
        sizes = {row["key"]: row["characters"] + row["passages"] * PASSAGE_BYTES for row in rows}
        there = [key for key in keys[start : start + PAGE] if key in sizes]
        yield from batches(there, sizes.__getitem__, most=PAGE, most_bytes=STATEMENT_BYTES)


def all_entities(graph: Graph, project: str, *, provenance: bool = False) -> Iterator[Entity]:
    """Every entity of a project, in the order of their keys, a few at a time."""
    after = ""
    while rows := graph.read("read/export_keys", project=project, after=after, limit=PAGE):
        yield from whole(graph, [row["key"] for row in rows], provenance=provenance)
        after = rows[-1]["key"]


def all_relations(graph: Graph, project: str, *, provenance: bool = False) -> Iterator[Relation]:
    """Every relation inside a project, in the order of their starts, a few at a time."""
    after = ""
    while rows := graph.read("read/relation_sizes", project=project, after=after, limit=PAGE):
        starts = [(row["key"], [RELATION_BYTES + size for size in row["sizes"]]) for row in rows]
        for some in batches(
            [one for one in starts if one[1]],
            lambda one: sum(one[1]),
            most=PAGE,
            most_bytes=STATEMENT_BYTES,
        ):
            yield from _relations(graph, project, some, provenance=provenance)
        after = rows[-1]["key"]


def _relations(
    graph: Graph, project: str, starts: Sequence[tuple[str, list[int]]], *, provenance: bool
) -> Iterator[Relation]:
    """The relations of several starts, or of one that may have more than an answer holds."""
    longest = max((sizes for _, sizes in starts), key=len)
    slices = (
        batches(longest, int, most=len(longest), most_bytes=STATEMENT_BYTES)
        if len(starts) == 1
        else [longest]
    )
    keys = [key for key, _ in starts]
    skip = 0
    for some in slices:
        for row in graph.read(
            "read/export_relations", project=project, keys=keys, skip=skip, limit=len(some)
        ):
            for link in row["relations"]:
                yield _relation(link, provenance=provenance)
        skip += len(some)


def _relation(link: Row, *, provenance: bool) -> Relation:
    stored: dict[str, Any] = link["properties"]
    created_at = stored.get("created_at")
    return Relation(
        start=link["start"],
        relation=link["relation"],
        end=link["end"],
        note=stored.get("note"),
        weight=stored.get("weight"),
        confidence=stored.get("confidence"),
        source=stored.get("source"),
        created_at=created_at if isinstance(created_at, datetime) else None,
        attributes={k: v for k, v in stored.items() if k not in RESERVED_RELATION_ATTRIBUTES},
        provenance=_provenance(stored) if provenance else None,
    )
