"""What is around an entity, or the path to another one: the answer of `Memory.explore`."""

from dataclasses import dataclass, field

from graphmem.model.json_object import OPTIONAL, JsonField, JsonObject, as_json
from graphmem.model.period import Day
from graphmem.model.relation_fields import RelationDirection

# How many relations away an exploration goes: the default, and the most.
DEPTH, MOST_DEPTH = 2, 5
PATH_DEPTH, MOST_PATH_DEPTH = 6, 10
# The most entities around one.
MOST_ENTITIES = 200
# What a note advises where there are more; agents cannot do it.
RAISE_LIMIT = "raise `limit`"


@dataclass(frozen=True, slots=True)
class ExploredEntity(JsonObject):
    """An entity, and the relation that leads to it from the one before it.

    Args:
        name: Its name.
        kind: Its kind.
        depth: How many relations it is away from where the exploration began.
        previous: Name of the entity that the relation comes from; `from` in JSON.
        relation: The type of the relation.
        direction: `out` where the relation starts at `previous`, `in` where it ends there.
        note: Why the two are linked, or None.
        weight: The relation's weight, 0 to 1.
        valid_from: The day or moment from which the relation holds, or None.
        valid_until: The last day, or the moment, until which it holds, or None.
    """

    name: str
    kind: str
    depth: int
    previous: str = field(metadata=as_json(JsonField(name="from")))
    relation: str
    direction: RelationDirection = field(
        metadata=as_json(JsonField(description="Seen from `from`"))
    )
    note: str | None
    weight: float
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class Exploration(JsonObject):
    """The entities around one, nearest first; or those on the shortest path to another one.

    Args:
        project: The project.
        name: Name of the entity where it begins.
        to: Name of the entity where the path ends, or None.
        entities: Those that are reached, without the first one. On a path each is linked to the one
            before it; if there is no path, there are none.
        notes: What the caller should know, such as that there are more.
    """

    project: str
    name: str
    to: str | None
    entities: tuple[ExploredEntity, ...]
    notes: tuple[str, ...] = ()
