"""What changed, when, and by whom."""

from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.json_object import OPTIONAL, JsonObject

# Of an answer: the changes of a project, or the revisions of an entity.
MOST_CHANGES = 1000
# In the place of what a change did, where somebody damaged the record of it.
UNREADABLE = "what it changed cannot be read, so what earlier changes are shown to do may be wrong"


@dataclass(frozen=True, slots=True)
class Change(JsonObject):
    """A call that changed something in a project.

    Args:
        id: What `undo` takes.
        at: The moment.
        by: Who called: a user of this machine, or an agent by the name of its token or client.
        verb: What was called, such as `remember`.
        note: The caller's reason, or None.
        author: The import that wrote it, as `format:path`, or None.
        undoes: The id of the change that it undid, or None.
        source: The file whose import brought the record; None for a change that was made here.
        created: How many entities it created that are still there.
        changed: How many entities it changed.
        relations: How many relations it created that are still there.
        names: Some of those entities, then of those where such relations start, by name.
        links: Some of those relations, as `A -[DEPENDS_ON]-> B`.
    """

    id: str
    at: datetime | None
    by: str
    verb: str
    note: str | None = field(default=None, metadata=OPTIONAL)
    author: str | None = field(default=None, metadata=OPTIONAL)
    undoes: str | None = field(default=None, metadata=OPTIONAL)
    source: str | None = field(default=None, metadata=OPTIONAL)
    created: int = 0
    changed: int = 0
    relations: int = 0
    names: tuple[str, ...] = ()
    links: tuple[str, ...] = field(default=(), metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class Difference(JsonObject):
    """A field of an entity that a change set, changed or cleared.

    Args:
        field: What changed, such as `title`, `tag infra` or `the relation USES to redis`; or a
            sentence that says that this cannot be read.
        before: The value before the change; None if there was none.
        after: The value after it; None if there is none.
    """

    field: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class Revision(JsonObject):
    """What a change did to an entity.

    Args:
        revision: The number of the entity's revision, 1 for its creation; None if only a relation
            was created, which is no revision of the entity.
        change: The id of the change.
        at: The moment; None if an older version of graphmem did not record it.
        by: Who called.
        verb: What was called.
        differences: What changed, by field.
        note: The caller's reason, or None.
        author: The import that wrote it, as `format:path`, or None.
        source: The file whose import brought the record; None for a change that was made here.
    """

    revision: int | None
    change: str | None
    at: datetime | None
    by: str
    verb: str
    differences: tuple[Difference, ...]
    note: str | None = field(default=None, metadata=OPTIONAL)
    author: str | None = field(default=None, metadata=OPTIONAL)
    source: str | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class History(JsonObject):
    """The history of an entity, newest first.

    Args:
        key: The entity's key.
        name: Its name.
        project: Its project.
        revisions: What each change did to it.
        truncated: Whether there are older ones, beyond the limit.
    """

    key: str
    name: str
    project: str
    revisions: tuple[Revision, ...]
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Changes(JsonObject):
    """The changes of a project, newest first.

    Args:
        project: The project.
        changes: The changes.
        truncated: Whether there are older ones in that time, beyond the limit.
    """

    project: str
    changes: tuple[Change, ...]
    truncated: bool = False
