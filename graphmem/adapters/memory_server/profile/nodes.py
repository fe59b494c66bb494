"""From names to entities, and from entities to nodes and their relations."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphmem import text
from graphmem.adapters.memory_server.profile.replies import Link, Node
from graphmem.model import Entity, limits
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.page import Page
from graphmem.model.status import FORGOTTEN, HIDDEN_STATUSES

if TYPE_CHECKING:
    from graphmem.memory import Memory

# The most relations of an entity that are read each way.
RELATIONS = 500
# Entities that are read at once of a whole project.
PAGE = 100
TYPE = "entityType"


def existing(
    memory: "Memory", project: str, names: Iterable[str], *, relations: int = 0
) -> dict[str, Page]:
    """What is there of some names, hidden and undescribed entities too, by the names given.

    Args:
        memory: Where to look.
        project: The project.
        names: Names of today or earlier ones; what cannot be a name is not there.
        relations: The most relations of each entity and direction.
    """
    # Imported here for weight: the driver comes with it.
    from graphmem import read  # noqa: PLC0415
    from graphmem.write import Redirects  # noqa: PLC0415

    possible_names = [name for name in dict.fromkeys(names) if limits.or_none(limits.name, name)]
    redirects = Redirects.of(memory.graph, project, possible_names).names
    keys = {
        name: text.key(project, redirects.get(text.normalised(name), name))
        for name in possible_names
    }
    pages = read.pages(memory.graph, list(keys.values()), relations=relations)
    by_key = {page.key: page for page in pages}
    return {name: by_key[key] for name, key in keys.items() if key in by_key}


def all_pages(memory: "Memory", project: str, after: str, *, relations: int) -> Iterator[Page]:
    """The living entities of a project, undescribed ones too, in the order of their keys.

    Args:
        memory: Where to look.
        project: The project.
        after: What the key of the last one before them holds behind the project, or blank.
        relations: The most relations of each entity and direction.
    """
    from graphmem import read  # noqa: PLC0415 - for weight, as above

    last = text.key(project, after) if after.strip() else ""
    while rows := memory.graph.read("read/export_keys", project=project, after=last, limit=PAGE):
        keys = [row["key"] for row in rows]
        for page in read.pages(memory.graph, keys, relations=relations):
            if lives(page):
                yield page
        last = keys[-1]


def lives(page: Page) -> bool:
    """Whether an entity is not hidden."""
    return page.status.casefold() not in HIDDEN_STATUSES


def is_deleted(page: Page) -> bool:
    """Whether an entity was forgotten; what is hidden with another status was not deleted."""
    return page.status.casefold() == FORGOTTEN


def is_node(page: Page) -> bool:
    """Whether an entity lives and is more than the end of relations."""
    entity = page.entity
    is_described = entity.kind != DEFAULT_KIND or any(
        (entity.text, entity.observations, entity.title, entity.category, entity.tags,
         entity.attributes)
    )  # fmt: skip
    return is_described and lives(page)


def node_of(page: Page) -> Node:
    """An entity as the memory server writes it; its text is its first observation."""
    return Node(
        name=page.name, entity_type=_type_of(page.entity), observations=texts_of(page.entity)
    )


def texts_of(entity: Entity) -> list[str]:
    """What an entity says: its text, then its observations."""
    texts = [entity.text] if entity.text else []
    return [*texts, *(observation.text for observation in entity.observations)]


def links_of(page: Page) -> list[Link]:
    """The relations of an entity, those that start at it first, without those of hidden ones."""
    return [
        Link(
            start=page.name if link.direction == "out" else link.name,
            end=link.name if link.direction == "out" else page.name,
            relation_type=link.relation,
        )
        for link in page.neighbours
        if link.status is None
    ]


def form(observation: str) -> str:
    """What makes an observation the same one."""
    return " ".join(observation.replace("\0", "").split())


def _type_of(entity: Entity) -> str:
    """The type as it was given, unless the kind was changed since."""
    original_type = entity.attributes.get(TYPE)
    kind = limits.or_none(limits.kind, original_type) or DEFAULT_KIND
    if isinstance(original_type, str) and kind == entity.kind:
        return original_type
    return entity.kind or DEFAULT_KIND
