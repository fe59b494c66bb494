"""What a project holds at a glance: counts, and the names to begin with."""

from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.json_object import OPTIONAL, JsonObject
from graphmem.model.stats import Stats


@dataclass(frozen=True, slots=True)
class Changed(JsonObject):
    """An entity that changed, and when.

    Args:
        name: What it is called.
        kind: What it is.
        updated_at: The moment of its last change.
    """

    name: str
    kind: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Linked(JsonObject):
    """An entity, and how many relations start or end at it.

    Args:
        name: What it is called.
        kind: What it is.
        relations: How many relations start or end at it.
    """

    name: str
    kind: str
    relations: int


@dataclass(frozen=True, slots=True)
class Overview(Stats):
    """What a project holds; only the counts include hidden entities.

    Args:
        undescribed: The number of entities that relations lead to but that have no title, no text
            and no observations.
        recent: The ten entities that changed last, newest first: those that people and agents
            wrote, then those that are only imported, of which one import may change thousands.
        hubs: The ten entities with the most relations, in descending order; code that only imports
            have written comes last.
        stubs: Ten of the undescribed entities, those with the most relations first.
        notes: Of a project without entities, that it has none, and others that may be meant.
    """

    undescribed: int = field(metadata=OPTIONAL)
    recent: tuple[Changed, ...] = field(metadata=OPTIONAL)
    hubs: tuple[Linked, ...] = field(metadata=OPTIONAL)
    stubs: tuple[Linked, ...] = field(metadata=OPTIONAL)
    notes: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
