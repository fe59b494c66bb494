"""What a project holds, in numbers: the answer of `Memory.stats`."""

from dataclasses import dataclass, field

from graphmem.model.json_object import JsonField, JsonObject, as_json


@dataclass(frozen=True, slots=True)
class Stats(JsonObject):
    """What a project holds; counts by name are in descending order.

    Args:
        project: Its name.
        entities: How many entities, including hidden ones.
        relations: How many relations start at them.
        passages: How many passages they have.
        pending: How many passages have no embedding yet, and are found by keyword only.
        kinds: How many entities are of each kind.
        statuses: How many entities have each status.
        tags: How many entities have each tag.
        types: How many relations are of each type; `relation_types` in JSON.
    """

    project: str
    entities: int
    relations: int
    passages: int
    pending: int
    kinds: dict[str, int]
    statuses: dict[str, int]
    tags: dict[str, int]
    types: dict[str, int] = field(metadata=as_json(JsonField(name="relation_types")))
