"""What the tools that write do with entities, observations and relations."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from graphmem.adapters.memory_server.profile.nodes import (
    existing,
    folded,
    form,
    is_node,
    lives,
    texts_of,
)
from graphmem.adapters.memory_server.profile.parameters import (
    Deletion,
    EntityGiven,
    ObservationsGiven,
    RelationGiven,
)
from graphmem.adapters.memory_server.profile.replies import Added, Link, Node
from graphmem.calls import recorded
from graphmem.errors import InvalidInput, NotFound
from graphmem.model import Entity, Relation, Report, limits
from graphmem.model.entity_fields import FIELD_NAMES
from graphmem.model.page import Page
from graphmem.model.status import ACTIVE

if TYPE_CHECKING:
    from graphmem.memory import Memory

# The tools' arguments by what `Relation` calls them.
_OF_A_RELATION = {"relation": "relationType"}


def create_entities(memory: "Memory", given: Sequence[EntityGiven]) -> list[Node]:
    """Create the entities whose names are no node's; gives these.

    Raises:
        InvalidInput: One of them cannot be stored; nothing is written then.
    """
    project = memory.project_name(writes=True)
    checked = [_entity(entity, f"entities[{index}]") for index, entity in enumerate(given)]
    there = existing(memory, project, (entity.name for entity in checked))
    new: dict[str, tuple[Entity, EntityGiven]] = {}
    for entity, asked in zip(checked, given, strict=True):
        if entity.name not in there or not is_node(there[entity.name]):
            new.setdefault(folded(entity.name), (entity, asked))
    hidden = {name: page for name, page in there.items() if not lives(page)}
    plain = [entity for entity, _ in new.values() if entity.name not in hidden]
    again = [entity for entity, _ in new.values() if entity.name in hidden]
    with recorded("remember"):
        if plain:
            _check(memory.remember(plain), "entities")
        _revive(memory, [(hidden[entity.name], entity.to_json()) for entity in again])
    return [
        Node(name=entity.name, entity_type=asked.entity_type, observations=texts_of(entity))
        for entity, asked in new.values()
    ]


def create_relations(memory: "Memory", given: Sequence[RelationGiven]) -> list[Link]:
    """Create the relations that are not there; gives these. An end may be no node.

    Raises:
        InvalidInput: One of them cannot be stored; nothing is written then.
    """
    project = memory.project_name(writes=True)
    asked = [_relation(relation, f"relations[{index}]") for index, relation in enumerate(given)]
    distinct: dict[tuple[str, str, str], Link] = {}
    for link in asked:
        distinct.setdefault((folded(link.start), link.relation_type, folded(link.end)), link)
    checked = list(distinct.values())
    there = existing(memory, project, (end for link in checked for end in (link.start, link.end)))
    relations = [
        {"from": link.start, "relation": link.relation_type, "to": link.end} for link in checked
    ]
    hidden = {page.key: page for page in there.values() if not lives(page)}
    with recorded("remember"):
        _revive(memory, [(page, {"name": page.name}) for page in hidden.values()])
        report = memory.remember(relations=relations, stubs=True)
    _check(report, "relations")
    items = report.items[: len(checked)]
    return [
        link.model_copy(
            update={"start": _called(there, link.start), "end": _called(there, link.end)}
        )
        for link, item in zip(checked, items, strict=True)
        if item.outcome == "created"
    ]


def add_observations(memory: "Memory", given: Sequence[ObservationsGiven]) -> list[Added]:
    """Add what entities do not say yet; gives that, for each entity in the order given.

    Raises:
        NotFound: A name is no node's; nothing is written then.
        InvalidInput: An observation cannot be stored.
    """
    project = memory.project_name(writes=True)
    there = existing(memory, project, (one.entity_name for one in given))
    for index, one in enumerate(given):
        for number, content in enumerate(one.contents):
            limits.text(f"observations[{index}].contents[{number}]", content)
        if one.entity_name not in there or not is_node(there[one.entity_name]):
            raise NotFound(f"Entity with name {one.entity_name} not found")
    said = {page.key: set(map(form, texts_of(page.entity))) for page in there.values()}
    results: list[Added] = []
    for one in given:
        new = _new(one.contents, said[there[one.entity_name].key])
        results.append(Added(entity_name=one.entity_name, added_observations=new))
    entities = [
        Entity.from_json(
            {"name": there[one.entity_name].name, "observations": one.added_observations},
            argument="observations",
        )
        for one in results
        if one.added_observations
    ]
    if entities:
        _check(memory.remember(entities), "observations")
    return results


def delete_entities(memory: "Memory", names: Iterable[str]) -> None:
    """Hide entities, and with them their relations; a name that is none's is passed over."""
    there = existing(memory, memory.project_name(writes=True), names)
    keys = list(dict.fromkeys(page.key for page in there.values() if lives(page)))
    if keys:
        memory.forget(keys)


def delete_observations(memory: "Memory", given: Sequence[Deletion]) -> None:
    """Take observations from entities; what is not there is passed over."""
    project = memory.project_name(writes=True)
    there = existing(memory, project, (one.entity_name for one in given))
    gone: dict[str, set[str]] = {}
    pages: dict[str, Page] = {}
    for one in given:
        page = there.get(one.entity_name)
        if page is not None and is_node(page):
            pages[page.key] = page
            gone.setdefault(page.key, set()).update(map(form, one.observations))
    corrections = [
        correction for key, page in pages.items() for correction in _without(page.entity, gone[key])
    ]
    if corrections:
        _check(memory.remember(corrections), "deletions")


def delete_relations(memory: "Memory", given: Sequence[RelationGiven]) -> None:
    """Delete relations; what is not there is passed over."""
    memory.project_name(writes=True)
    with recorded("unlink"):
        for one in given:
            # What cannot be a name or a type is not there.
            with suppress(NotFound, InvalidInput):
                memory.unlink(one.start, one.end, one.relation_type)


def _entity(given: EntityGiven, argument: str) -> Entity:
    # Imported here for weight: what reads Markdown comes with it.
    from graphmem.adapters.memory_server.importer import fields_of  # noqa: PLC0415

    fields = fields_of(given.name, given.entity_type, list(given.observations), {})
    return Entity.from_json(fields, argument=argument)


def _relation(given: RelationGiven, argument: str) -> Link:
    fields = {"from": given.start, "relation": given.relation_type, "to": given.end}
    try:
        relation = Relation.from_json(fields, argument=argument)
    except InvalidInput as error:
        place, _, field = error.argument.rpartition(".")
        raise error.renamed(f"{place}.{_OF_A_RELATION.get(field, field)}") from error
    return Link(start=relation.start, end=relation.end, relation_type=relation.relation)


def _revive(memory: "Memory", entities: Sequence[tuple[Page, dict[str, Any]]]) -> None:
    """Have hidden entities live again with nothing but what is given."""
    # Imported here for weight: the driver comes with it.
    from graphmem.model.identity import RelationIdentity  # noqa: PLC0415
    from graphmem.write import delete_relations as delete  # noqa: PLC0415

    if not entities:
        return
    keys = [page.key for page, _ in entities]
    for row in memory.graph.read("read/incident_relations", keys=keys):
        one = RelationIdentity.of_row(row)
        if memory.access.writable(one.start):
            delete(memory.graph, one.start, one.end, one.relation, one.since)
    given = [
        {**fields, "name": page.name, "status": ACTIVE, "unset": _unset(page.entity, fields)}
        for page, fields in entities
    ]
    _check(memory.remember(given, overwrite=True), "entities")


def _unset(entity: Entity, given: Collection[str]) -> list[str]:
    """The fields of an entity that were not given again."""
    return [
        name
        for name in FIELD_NAMES
        if name != "status" and name not in given and getattr(entity, name) is not None
    ]


def _new(contents: Iterable[str], said: set[str]) -> list[str]:
    """What is not said yet, each once; it is said from now on."""
    new: list[str] = []
    for content in contents:
        if form(content) and form(content) not in said:
            said.add(form(content))
            new.append(content)
    return new


def _without(entity: Entity, gone: set[str]) -> list[dict[str, object]]:
    """What takes texts from an entity: objects as `remember` takes them."""
    ids = [one.id for one in entity.observations if one.id and form(one.text) in gone]
    corrections: list[dict[str, object]] = [
        {"name": entity.name, "remove": {"observations": ids[start : start + limits.LIST_ITEMS]}}
        for start in range(0, len(ids), limits.LIST_ITEMS)
    ]
    if entity.text and form(entity.text) in gone:
        corrections.append({"name": entity.name, "unset": ["text"]})
    return corrections


def _called(there: dict[str, Page], name: str) -> str:
    return there[name].name if name in there else name


def _check(report: Report, argument: str) -> None:
    for item in report.refused:
        raise InvalidInput(argument, None, f"cannot be stored: {item.name}: {item.reason}")
