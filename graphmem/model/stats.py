"""What a project holds, in numbers."""

from dataclasses import dataclass, field

from graphmem.model.json_object import JsonField, JsonObject, as_json


@dataclass(frozen=True, slots=True)
class Stats(JsonObject):
    """What a project holds; the counts by name are in falling order."""

    project: str
    entities: int
    relations: int
    passages: int
    pending: int
    kinds: dict[str, int]
    statuses: dict[str, int]
    tags: dict[str, int]
    types: dict[str, int] = field(metadata=as_json(JsonField(name="relation_types")))
