"""What the tools that write do with entities, observations and relations."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graphmem import text
from graphmem.adapters.memory_server.profile.nodes import (
    existing,
    form,
    is_deleted,
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
from graphmem.batches import batches
from graphmem.calls import recorded
from graphmem.errors import NOT_SHOWN, InvalidInput, NotFound
from graphmem.model import Entity, Relation, Report, limits
from graphmem.model.entity_fields import FIELD_NAMES
from graphmem.model.identity import RelationIdentity
from graphmem.model.page import Page
from graphmem.model.status import ACTIVE

if TYPE_CHECKING:
    from graphmem.memory import Memory


def create_entities(memory: "Memory", requested: Sequence[EntityGiven]) -> list[Node]:
    """Create the entities whose names are no node's; gives these.

    A deleted entity starts empty. One that is hidden with another status keeps what it has.

    Raises:
        InvalidInput: One of them is not allowed, and nothing is written; or the store refuses one.
    """
    project = memory.project_name(writes=True)
    entities = [_entity(request, f"entities[{index}]") for index, request in enumerate(requested)]
    pages = existing(memory, project, (entity.name for entity in entities))
    new: dict[str, tuple[Entity, EntityGiven]] = {}
    for entity, request in zip(entities, requested, strict=True):
        if entity.name not in pages or not is_node(pages[entity.name]):
            new.setdefault(text.normalised(entity.name), (entity, request))
    deleted = {name: page for name, page in pages.items() if is_deleted(page)}
    additions = [
        _addition(entity, pages.get(entity.name))
        for entity, _ in new.values()
        if entity.name not in deleted
    ]
    revived = [entity for entity, _ in new.values() if entity.name in deleted]
    with recorded("remember"):
        if additions:
            _check(memory.remember(additions), "entities")
        _revive(memory, [(deleted[entity.name], entity.to_json()) for entity in revived])
    return [
        Node(name=entity.name, entity_type=request.entity_type, observations=texts_of(entity))
        for entity, request in new.values()
    ]


def create_relations(memory: "Memory", requested: Sequence[RelationGiven]) -> list[Link]:
    """Create the relations that are not there; gives these. An end may be no node.

    A deleted end lives again without what it had. One that is hidden with another status stays so.

    Raises:
        InvalidInput: One of them is not allowed, and nothing is written; or the store refuses one.
    """
    project = memory.project_name(writes=True)
    links = [_relation(request, f"relations[{index}]") for index, request in enumerate(requested)]
    links_by_identity: dict[tuple[str, str, str], Link] = {}
    for link in links:
        links_by_identity.setdefault(
            (text.normalised(link.start), link.relation_type, text.normalised(link.end)), link
        )
    distinct_links = list(links_by_identity.values())
    pages = existing(
        memory, project, (end for link in distinct_links for end in (link.start, link.end))
    )
    relations = [
        {"from": link.start, "relation": link.relation_type, "to": link.end}
        for link in distinct_links
    ]
    deleted = {page.key: page for page in pages.values() if is_deleted(page)}
    with recorded("remember"):
        _revive(memory, [(page, {"name": page.name}) for page in deleted.values()])
        report = memory.remember(relations=relations, stubs=True)
    _check(report, "relations")
    items = report.items[: len(distinct_links)]
    return [
        link.model_copy(
            update={"start": _called(pages, link.start), "end": _called(pages, link.end)}
        )
        for link, item in zip(distinct_links, items, strict=True)
        if item.outcome == "created"
    ]


def add_observations(memory: "Memory", requested: Sequence[ObservationsGiven]) -> list[Added]:
    """Add what entities do not say yet; gives that, for each entity in the order given.

    Raises:
        NotFound: A name is no node's; nothing is written then.
        InvalidInput: An observation cannot be stored.
    """
    project = memory.project_name(writes=True)
    pages = existing(memory, project, (request.entity_name for request in requested))
    for index, request in enumerate(requested):
        for number, content in enumerate(request.contents):
            limits.text(f"observations[{index}].contents[{number}]", content)
        if request.entity_name not in pages or not is_node(pages[request.entity_name]):
            raise NotFound(f"Entity with name {request.entity_name} not found")
    known_forms = {page.key: set(map(form, texts_of(page.entity))) for page in pages.values()}
    results: list[Added] = []
    for request in requested:
        new = _new(request.contents, known_forms[pages[request.entity_name].key])
        results.append(Added(entity_name=request.entity_name, added_observations=new))
    entities = [
        Entity.from_json(
            {"name": pages[addition.entity_name].name, "observations": addition.added_observations},
            argument="observations",
        )
        for addition in results
        if addition.added_observations
    ]
    if entities:
        _check(memory.remember(entities), "observations")
    return results


def delete_entities(memory: "Memory", names: Iterable[str]) -> None:
    """Hide entities, and with them their relations; a name that is none's is passed over."""
    pages = existing(memory, memory.project_name(writes=True), names)
    keys = list(dict.fromkeys(page.key for page in pages.values() if lives(page)))
    if keys:
        memory.forget(keys)


def delete_observations(memory: "Memory", requested: Sequence[Deletion]) -> None:
    """Take observations from entities; what is not there is passed over."""
    project = memory.project_name(writes=True)
    pages_by_name = existing(memory, project, (request.entity_name for request in requested))
    deleted_forms: dict[str, set[str]] = {}
    pages: dict[str, Page] = {}
    for request in requested:
        page = pages_by_name.get(request.entity_name)
        if page is not None and is_node(page):
            pages[page.key] = page
            deleted_forms.setdefault(page.key, set()).update(map(form, request.observations))
    corrections = [
        correction
        for key, page in pages.items()
        for correction in _without(page.entity, deleted_forms[key])
    ]
    if corrections:
        _check(memory.remember(corrections), "deletions")


def delete_relations(memory: "Memory", requested: Sequence[RelationGiven]) -> None:
    """Delete relations; what is not there is passed over."""
    memory.project_name(writes=True)
    with recorded("unlink"):
        for request in requested:
            # What cannot be a name or a type is not there.
            with suppress(NotFound, InvalidInput):
                memory.unlink(request.start, request.end, request.relation_type)


def _entity(request: EntityGiven, argument: str) -> Entity:
    # Imported here for weight: what reads Markdown comes with it.
    from graphmem.adapters.memory_server.importer import fields_of  # noqa: PLC0415

    fields = fields_of(request.name, request.entity_type, list(request.observations), {})
    return Entity.from_json(fields, argument=argument)


def _relation(request: RelationGiven, argument: str) -> Link:
    fields = {"from": request.start, "relation": request.relation_type, "to": request.end}
    try:
        relation = Relation.from_json(fields, argument=argument)
    except InvalidInput as error:
        is_type = error.argument.endswith(".relation")
        raise error.renamed(f"{error.argument}Type" if is_type else error.argument) from error
    return Link(start=relation.start, end=relation.end, relation_type=relation.relation)


def _addition(entity: Entity, page: Page | None) -> Entity:
    """What is new of an entity that was not deleted; one that is hidden lives again."""
    if page is None or lives(page):
        return entity
    known_forms = set(map(form, texts_of(page.entity)))
    observations = tuple(
        observation
        for observation in entity.observations
        if form(observation.text) not in known_forms
    )
    return replace(entity, observations=observations, status=ACTIVE)


def _revive(memory: "Memory", entities: Sequence[tuple[Page, dict[str, Any]]]) -> None:
    """Have deleted entities live again with nothing but what is given."""
    # Imported here for weight: the driver comes with it.
    from graphmem import write  # noqa: PLC0415

    if not entities:
        return
    keys = [page.key for page, _ in entities]
    for row in memory.graph.read("read/incident_relations", keys=keys):
        identity = RelationIdentity.of_row(row)
        if memory.access.writable(identity.start):
            write.delete_relations(
                memory.graph, identity.start, identity.end, identity.relation, identity.since
            )
    entity_fields = [
        {**fields, "name": page.name, "status": ACTIVE, "unset": _unset(page.entity, fields)}
        for page, fields in entities
    ]
    _check(memory.remember(entity_fields, overwrite=True), "entities")


def _unset(entity: Entity, new_fields: Collection[str]) -> list[str]:
    """The fields of an entity that were not given again."""
    return [
        name
        for name in FIELD_NAMES
        if name != "status" and name not in new_fields and getattr(entity, name) is not None
    ]


def _new(contents: Iterable[str], known_forms: set[str]) -> list[str]:
    """What is not said yet, each once; it is said from now on."""
    new: list[str] = []
    for content in contents:
        if form(content) and form(content) not in known_forms:
            known_forms.add(form(content))
            new.append(content)
    return new


def _without(entity: Entity, deleted_forms: set[str]) -> list[dict[str, object]]:
    """What takes texts from an entity: objects as `remember` takes them."""
    ids = [
        observation.id
        for observation in entity.observations
        if observation.id and form(observation.text) in deleted_forms
    ]
    corrections: list[dict[str, object]] = [
        {"name": entity.name, "remove": {"observations": some_ids}}
        for some_ids in batches(ids, most=limits.LIST_ITEMS)
    ]
    if entity.text and form(entity.text) in deleted_forms:
        corrections.append({"name": entity.name, "unset": ["text"]})
    return corrections


def _called(pages: dict[str, Page], name: str) -> str:
    return pages[name].name if name in pages else name


def _check(report: Report, argument: str) -> None:
    for item in report.refused:
        raise InvalidInput(argument, NOT_SHOWN, f"cannot be stored: {item.name}: {item.reason}")
