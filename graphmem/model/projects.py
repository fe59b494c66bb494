"""Projects as wholes: what they hold, and what became of one that was moved or deleted."""

from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.json_object import OPTIONAL, JsonObject
from graphmem.model.report import Item


@dataclass(frozen=True, slots=True)
class ProjectSummary(JsonObject):
    """What a project holds, the forgotten included.

    Args:
        project: Its name.
        entities: How many entities.
        relations: How many relations start at them.
        passages: How many passages they have.
        updated_at: The moment of the last change; None where it holds nothing.
    """

    project: str
    entities: int
    relations: int
    passages: int
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class ProjectList(JsonObject):
    """The projects that a caller may name.

    Args:
        projects: What they hold, last changed first.
        omitted: How many more there are; None if these are all.
        notes: Sentences for the caller, such as the next step.
    """

    projects: tuple[ProjectSummary, ...]
    omitted: int | None = field(default=None, metadata=OPTIONAL)
    notes: tuple[str, ...] = field(default=(), metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class ProjectChange(JsonObject):
    """What became of the entities of a project that was renamed, merged or deleted.

    Args:
        project: The project as it was called.
        into: Where its entities are now; None if they were deleted.
        entities: How many entities were moved or deleted, those that were joined included.
        joined: How many of them had their like there, and were joined with it.
        relations: How many relations moved with them or were deleted with them.
        refused: Entities that could not be joined, and stay where they were, with the reason.
        notes: Sentences for the caller, such as how many passages wait for the model.
    """

    project: str
    into: str | None
    entities: int
    joined: int
    relations: int
    refused: tuple[Item, ...] = field(default=(), metadata=OPTIONAL)
    notes: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
