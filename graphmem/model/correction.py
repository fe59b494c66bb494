"""Corrections: what a caller removes from an entity, and from which revision of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.entity_fields import FIELD_NAMES
from graphmem.model.json_object import OPTIONAL, JsonObject
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.parsing import optional
from graphmem.model.relation_fields import FACT_NAMES

# Fields that may be unset: a kind and a status go back to their defaults.
UNSETTABLE = FIELD_NAMES
# Likewise of an observation, in which its `id` is given.
UNSETTABLE_OF_OBSERVATIONS = tuple(name for name in OBSERVATION_FIELDS if name != "created_at")
# Lists of which items may be removed: observations by their ids, the others by what they are.
REMOVABLE = ("observations", "tags", "aliases", "attributes")
CORRECTION_FIELDS = frozenset({"if_revision", "unset", "remove"})
# What a caller may say of a relation that is to be written, beside its fields.
RELATION_CORRECTION_FIELDS = frozenset({"unset", "replaces"})
# The end that a relation shares with those that it replaces.
SharedEnd = Literal["from", "to"]
SHARED_ENDS: tuple[SharedEnd, ...] = ("from", "to")
# The prefix of a relation's custom attribute in the list of fields that are cleared.
ATTRIBUTE = "attributes."


@dataclass(frozen=True, slots=True)
class Correction(JsonObject):
    """What a caller removes from an entity.

    Args:
        if_revision: The revision that the caller has seen; a later one is refused.
        unset: Fields that are cleared.
        remove: Items that are removed, by the list they are in: `REMOVABLE`.
    """

    if_revision: int | None = field(default=None, metadata=OPTIONAL)
    unset: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    remove: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=OPTIONAL)

    @classmethod
    def from_fields(cls, argument: str, fields: Mapping[str, Any]) -> Self | None:
        """Read and check the fields of a JSON line's object; None where it has none of them.

        Raises:
            InvalidInput: naming the field, its value and what is allowed.
        """
        revision = fields.get("if_revision")
        if revision is not None and (
            isinstance(revision, bool) or not isinstance(revision, int) or revision < 1
        ):
            raise InvalidInput(
                f"{argument}.if_revision", revision, "must be a whole number from 1",
                hint="The revision of an entity is shown by `get` (`graphmem show`).",
            )  # fmt: skip
        correction = cls(
            revision,
            unset(f"{argument}.unset", fields, UNSETTABLE),
            _removed(f"{argument}.remove", fields.get("remove")),
        )
        return None if correction == cls() else correction


def unset(argument: str, fields: Mapping[str, Any], unsettable: tuple[str, ...]) -> tuple[str, ...]:
    """Check the names of the fields that are cleared.

    Args:
        argument: What they are called in errors.
        fields: All fields of the object; one that has a value cannot be cleared.
        unsettable: The fields that may be cleared; none where an observation has no id.

    Raises:
        InvalidInput: naming the field that may not go.
    """
    names = optional(limits.labels, argument, fields) or ()
    for name in names:
        if not unsettable:
            raise InvalidInput(argument, name, "must be given with the `id` of an observation")
        if name not in unsettable:
            raise InvalidInput(
                argument, name, f"must name fields of {', '.join(unsettable)}",
                hint="To remove tags, aliases, attributes and observations, use `remove`.",
            )  # fmt: skip
        if fields.get(name) is not None:
            raise InvalidInput(argument, name, "must not name a field that is given as well")
    return names


def shared_end(argument: str, value: object) -> SharedEnd:
    """Check which end a relation shares with those that it replaces: `from` or `to`."""
    if value not in SHARED_ENDS:
        raise InvalidInput(argument, value, f"must be one of {', '.join(SHARED_ENDS)}")
    return value


def relation_unset(argument: str, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Check the fields of a relation that are cleared; `attributes.NAME` is a custom attribute.

    Raises:
        InvalidInput: naming the field and what is allowed.
    """
    names = optional(limits.labels, argument, fields) or ()
    for name in names:
        attribute_name = name.removeprefix(ATTRIBUTE) if name.startswith(ATTRIBUTE) else None
        if not attribute_name and name not in FACT_NAMES:
            is_identity = name == "valid_from"
            raise InvalidInput(
                argument, name,
                f"must name fields of {', '.join(FACT_NAMES)}, or {ATTRIBUTE}NAME",
                hint="It is part of the relation's identity: unlink this one, and link it again."
                if is_identity else None,
            )  # fmt: skip
        value = (
            fields.get(name)
            if attribute_name is None
            else (fields.get("attributes") or {}).get(attribute_name)
        )
        if value is not None:
            raise InvalidInput(argument, name, "must not name a field that is given as well")
    return names


def _removed(argument: str, value: object) -> dict[str, tuple[str, ...]]:
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not value.keys() <= set(REMOVABLE):
        lists = ", ".join(REMOVABLE)
        raise InvalidInput(argument, value, f"must be an object with the fields {lists}")
    checks = {"aliases": limits.names}
    items_by_list = {
        name: tuple(checks.get(name, limits.labels)(f"{argument}.{name}", items))
        for name, items in value.items()
        if items is not None
    }
    return {name: items for name, items in items_by_list.items() if items}
