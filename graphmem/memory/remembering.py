"""What is said becomes entities and relations: read, checked, resolved, written, reported."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from graphmem import read, text, transfer
from graphmem.embedding import Embedder
from graphmem.errors import InvalidInput, shortened
from graphmem.graph import Graph
from graphmem.model import Entity, Item, Relation, Report
from graphmem.progress import SILENT, Progress
from graphmem.write import Ends, Writing, refusals, write_entities, write_relations


@dataclass(frozen=True, slots=True)
class Said:
    """Checked entities and relations; an Item stands where one was refused."""

    entities: tuple[Entity | Item, ...]
    relations: tuple[Relation | Item, ...]

    @classmethod
    def read(
        cls,
        entities: Iterable[Entity | Mapping[str, object]],
        relations: Iterable[Relation | Mapping[str, object]],
    ) -> Self:
        """Check values, or objects in the shape of JSON lines."""
        return cls(
            tuple(_entity(one, f"entities[{i}]") for i, one in enumerate(entities)),
            tuple(_relation(one, f"relations[{i}]") for i, one in enumerate(relations)),
        )

    @classmethod
    def sourced(cls, rows: Iterable[transfer.Row]) -> tuple[Self, tuple[str, ...]]:
        """Sort the rows of an import: what is said, and each one's place in that order."""
        entities: list[tuple[Entity | Item, str]] = []
        relations: list[tuple[Relation | Item, str]] = []
        for row in rows:
            if isinstance(row.value, Entity):
                entities.append((row.value, row.place))
            elif isinstance(row.value, Relation):
                relations.append((row.value, row.place))
            elif row.value.what == "entity":
                entities.append((row.value, row.place))
            else:
                relations.append((row.value, row.place))
        said = cls(tuple(one for one, _ in entities), tuple(one for one, _ in relations))
        return said, tuple(place for _, place in (*entities, *relations))


def remember(
    graph: Graph,
    embedder: Embedder | None,
    said: Said,
    how: Writing,
    *,
    stubs: bool = False,
    progress: Progress = SILENT,
) -> Report:
    """Write entities, then the relations between them, and report on each in the order given."""
    said = _with_room(graph, said)
    good = [one for one in said.entities if isinstance(one, Entity)]
    written = iter(write_entities(graph, embedder, good, how, progress=progress))
    items = [next(written) if isinstance(one, Entity) else one for one in said.entities]
    planned = _planned(how.project, good) if how.dry_run else {}
    found = _resolved(graph, how.project, said.relations, planned)
    made: list[Item] = []
    if stubs:
        missing = [
            Entity(name) for name, to in found.items() if to.key is None and not to.candidates
        ]
        made = [
            replace(item, reason="a stub: only a relation names it")
            for item in write_entities(graph, embedder, _distinct(missing), how)
        ]
        planned |= _planned(how.project, missing) if how.dry_run else {}
        found = _resolved(graph, how.project, said.relations, planned)
    items += _relate(graph, said.relations, found, how, planned, progress)
    return Report(how.project, (*items, *made), dry_run=how.dry_run)


def _with_room(graph: Graph, said: Said) -> Said:
    """What is said, with an Item for each thing that the store has no room for."""
    good = [one for one in (*said.entities, *said.relations) if not isinstance(one, Item)]
    reasons = {id(good[place]): reason for place, reason in refusals(graph, good).items()}
    if not reasons:
        return said
    return Said(
        tuple(
            Item("entity", one.name, "refused", reasons[id(one)]) if id(one) in reasons else one
            for one in said.entities
        ),
        tuple(
            Item("relation", _shown(one), "refused", reasons[id(one)])
            if isinstance(one, Relation) and id(one) in reasons
            else one
            for one in said.relations
        ),
    )


def _shown(relation: Relation) -> str:
    return f"{relation.start} -[{relation.relation}]-> {relation.end}"


def _relate(  # noqa: PLR0917 - the steps of one write
    graph: Graph,
    relations: Sequence[Relation | Item],
    found: Mapping[str, read.Resolved],
    how: Writing,
    planned: Mapping[str, str],
    progress: Progress,
) -> list[Item]:
    ends: dict[int, Ends] = {}
    wanted: dict[Ends, Relation] = {}
    for index, one in enumerate(relations):
        if isinstance(one, Relation):
            start, end = found[one.start].key, found[one.end].key
            if start is not None and end is not None:
                ends[index] = Ends(start, end, one.relation)
                wanted[ends[index]] = _joined(wanted.get(ends[index]), one)
    outcomes = write_relations(graph, wanted, how, progress=progress)
    items: list[Item] = []
    for index, one in enumerate(relations):
        if isinstance(one, Item):
            items.append(one)
            continue
        name = _shown(one)
        if index not in ends:
            items.append(Item("relation", name, "refused", _why(one, found, how.project)))
        elif ends[index] in outcomes:
            items.append(Item("relation", name, outcomes[ends[index]]))
        elif {ends[index].start, ends[index].end} & set(planned.values()):
            items.append(Item("relation", name, "created"))
        else:
            items.append(Item("relation", name, "refused", "an end was deleted meanwhile"))
    return items


def _resolved(
    graph: Graph,
    project: str,
    relations: Sequence[Relation | Item],
    planned: Mapping[str, str],
) -> dict[str, read.Resolved]:
    names = [
        name for one in relations if isinstance(one, Relation) for name in (one.start, one.end)
    ]
    found = read.resolve(graph, project, names) if names else {}
    for name in names:
        key = planned.get(text.name_form(name))
        if found[name].key is None and not found[name].candidates and key is not None:
            found[name] = read.Resolved(key, name)
    return found


def _planned(project: str, entities: Sequence[Entity]) -> dict[str, str]:
    """The keys that the names, aliases and titles of entities will lead to."""
    forms: dict[str, str] = {}
    for one in entities:
        for name in filter(None, (one.title, *one.aliases)):
            forms.setdefault(text.name_form(name), text.key(project, one.name))
    return forms | {text.name_form(one.name): text.key(project, one.name) for one in entities}


def _joined(before: Relation | None, said: Relation) -> Relation:
    """A relation said twice in one call: what is said later is added, as in two calls."""
    if before is None:
        return said
    fields = ("note", "weight", "confidence", "source", "created_at")
    kept = {name: getattr(said, name) or getattr(before, name) for name in fields}
    if said.weight is not None:
        kept["weight"] = said.weight
    return replace(said, **kept, attributes={**before.attributes, **said.attributes})


def _why(relation: Relation, found: Mapping[str, read.Resolved], project: str) -> str:
    missing = [name for name in (relation.start, relation.end) if found[name].key is None]
    return "; ".join(read.not_found(name, found[name], project) for name in dict.fromkeys(missing))


def _distinct(entities: Sequence[Entity]) -> list[Entity]:
    return list({text.normalised(one.name): one for one in entities}.values())


def _entity(value: Entity | Mapping[str, object], argument: str) -> Entity | Item:
    try:
        return Entity.from_json(
            value.to_json() if isinstance(value, Entity) else value, argument=argument
        )
    except InvalidInput as error:
        named = value.name if isinstance(value, Entity) else _named(value, "name")
        return Item("entity", named, "refused", str(error))


def _relation(value: Relation | Mapping[str, object], argument: str) -> Relation | Item:
    try:
        return Relation.from_json(
            value.to_json() if isinstance(value, Relation) else value, argument=argument
        )
    except InvalidInput as error:
        if isinstance(value, Relation):
            value = value.to_json()
        names = [_named(value, field) for field in ("from", "relation", "to")]
        return Item("relation", f"{names[0]} -[{names[1]}]-> {names[2]}", "refused", str(error))


def _named(value: object, field: str) -> str:
    found = value.get(field) if isinstance(value, Mapping) else None
    return found[:200] if isinstance(found, str) else shortened(found)
