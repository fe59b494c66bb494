"""An item whole, with what it is linked to."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphmem import text
from graphmem.adapters.rye.items import PREFIX, TYPES, ItemType, name_of
from graphmem.adapters.rye.profile.item import Item
from graphmem.adapters.rye.profile.scope import Space
from graphmem.model.status import REMOVED

if TYPE_CHECKING:
    from graphmem.memory import Memory


def load(
    memory: "Memory", project: str, item_type: ItemType, item_id: str, space: Space | None
) -> Mapping[str, object] | None:
    """Read the item of a name from a space, or the first that has it; None where none has.

    Args:
        memory: Where.
        project: The project whose spaces are looked through.
        item_type: What the item is.
        item_id: Its id.
        space: project, user, system, or None for all of them in this order, an item of this name
            before a renamed one.
    """
    name = text.normalised(name_of(item_type, item_id))
    items = (Item(entity, item_type) for entity in memory.in_layers([name], project=project))
    candidates = [
        item
        for item in items
        if item.is_alive
        and space in {None, item.space}
        and text.normalised(item.entity.name).startswith(f"{item_type}/")
    ]
    if not candidates:
        return None
    # What is called so today comes before what was renamed from it.
    item = min(
        candidates,
        key=lambda candidate: (
            text.normalised(candidate.entity.name) != name,
            candidate.precedence,
        ),
    )
    (page,) = memory.get([item.entity.name], project=item.entity.project)
    return {
        "id": item.id,
        "name": item.name,
        "type": item.type,
        "source": item.space,
        "path": item.entity.source or "",
        "metadata": _metadata(item),
        "content": item.entity.text or "",
        "links": [
            {
                "relation": neighbour.relation,
                "direction": neighbour.direction,
                **_end(neighbour.name, neighbour.kind),
            }
            for neighbour in page.neighbours
            if neighbour.status != REMOVED
        ],
    }


def _metadata(item: Item) -> dict[str, object]:
    """What an item says of itself, under the names it says it by."""
    entity = item.entity
    attributes = {name.removeprefix(PREFIX): value for name, value in entity.attributes.items()}
    fields = {"title": entity.title, "category": entity.category, "tags": list(entity.tags)}
    return {name: value for name, value in (fields | attributes).items() if value and name != "id"}


def _end(name: str, kind: str) -> dict[str, str]:
    item_type, _, item_id = name.partition("/")
    is_item = item_id and item_type in TYPES
    return {"type": item_type, "id": item_id} if is_item else {"type": kind, "id": name}
