"""What an export holds beside entities and relations: redirects of names, and history."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.json_object import OPTIONAL, JsonObject
from graphmem.model.parsing import object_of, optional
from graphmem.model.paths import checked_before, own_key
from graphmem.model.provenance import checked_text, revision_number

# The most by which the clocks of two machines may differ.
SKEW = timedelta(days=1)

_REDIRECT_FIELDS = frozenset({"type", "name", "to"})
_CHANGE_FIELDS = frozenset({"type", "id", "at", "verb", "by", "note", "author", "undoes"})
_REVISION_FIELDS = frozenset({"type", "key", "revision", "change", "at", "before"})


@dataclass(frozen=True, slots=True)
class Redirect(JsonObject):
    """A name that redirects to an entity of another name.

    Args:
        name: The name, perhaps as it is folded in a key.
        to: The entity's name.
    """

    name: str
    to: str

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read and check a line.

        Raises:
            InvalidInput: naming the field that is not allowed.
        """
        fields = object_of("redirect", value, allowed=_REDIRECT_FIELDS)
        return cls(
            checked_text("redirect.name", fields.get("name")),
            checked_text("redirect.to", fields.get("to")),
        )

    def to_json(self) -> dict[str, object]:
        """Write it as a JSON line's object."""
        return {"type": "redirect"} | JsonObject.to_json(self)


@dataclass(frozen=True, slots=True)
class ExportedChange(JsonObject):
    """A call that changed something, as the record of changes has it; see `history.Change`."""

    id: str
    at: datetime
    verb: str
    by: str
    note: str | None = field(default=None, metadata=OPTIONAL)
    author: str | None = field(default=None, metadata=OPTIONAL)
    undoes: str | None = field(default=None, metadata=OPTIONAL)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read and check a line.

        Raises:
            InvalidInput: naming the field that is not allowed.
        """
        fields = object_of("change", value, allowed=_CHANGE_FIELDS)
        return cls(
            limits.label("change.id", fields.get("id")),
            _past("change.at", fields.get("at")),
            limits.label("change.verb", fields.get("verb")),
            checked_text("change.by", fields.get("by")),
            optional(limits.text, "change.note", fields),
            optional(checked_text, "change.author", fields),
            optional(limits.label, "change.undoes", fields),
        )

    def to_json(self) -> dict[str, object]:
        """Write it as a JSON line's object."""
        return {"type": "change"} | JsonObject.to_json(self)


@dataclass(frozen=True, slots=True)
class ExportedRevision(JsonObject):
    """The state of an entity before a change.

    Args:
        key: The entity's, which may be one that was merged into another.
        revision: The number of the revision that the change made, 2 for the first.
        change: The id of the change.
        at: The moment.
        before: By path, what was there; see `graphmem.model.paths`.
    """

    key: str
    revision: int
    change: str
    at: datetime
    before: Mapping[str, Any]

    @classmethod
    def from_json(cls, value: Mapping[str, Any], *, project: str) -> Self:
        """Read and check a line that belongs to a project.

        Raises:
            InvalidInput: naming the field that is not allowed.
        """
        fields = object_of("revision", value, allowed=_REVISION_FIELDS)
        key = own_key("revision.key", fields.get("key"), project)
        number = revision_number("revision.revision", fields.get("revision"), least=2)
        return cls(
            key,
            number,
            limits.label("revision.change", fields.get("change")),
            _past("revision.at", fields.get("at")),
            checked_before("revision.before", fields.get("before"), key=key, project=project),
        )

    def to_json(self) -> dict[str, object]:
        """Write it as a JSON line's object."""
        return {"type": "revision"} | JsonObject.to_json(self)


def _past(argument: str, value: object) -> datetime:
    """Check a moment that must not lie in the future, but for a difference of clocks."""
    moment = limits.moment(argument, value)
    if moment > datetime.now(UTC) + SKEW:
        raise InvalidInput(argument, value, "must not lie in the future")
    return moment
