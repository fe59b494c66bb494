"""Reading objects that callers give: known fields, checked one by one."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.model import limits
from graphmem.model.intended_names import intended_names
from graphmem.model.period import PERIOD, check_period

Checked = TypeVar("Checked")

# How the error of a field that is not known begins, before the list of those that are.
FIELDS = "may only have the fields"


def object_of(
    argument: str, value: object, *, allowed: frozenset[str], exported: bool = False
) -> dict[str, Any]:
    """Read an object, of which a field that is not allowed is refused.

    Raises:
        InvalidInput: It is no object, or has another field.
    """
    allowed |= {"provenance"} if exported else frozenset()
    if not isinstance(value, Mapping):
        raise InvalidInput(argument, value, "must be an object", hint=_entity_of(value))
    if unknown := sorted(str(key) for key in value if key not in allowed):
        fields = ", ".join(sorted(allowed))
        given = unknown if unknown[1:] else unknown[0]
        question = intended_names(unknown, allowed - {"type"})
        hint = question and f"D{question[1:]}"
        raise InvalidInput(argument, given, FIELDS + " " + fields, hint=hint)
    return dict(value)


def _entity_of(value: object) -> str | None:
    """Where an answer that was given for an entity has that entity."""
    if hasattr(value, "entity"):
        return "A page has it as `page.entity`."
    if hasattr(value, "passages"):
        return "A hit has a part of it; `memory.get(hit.name)[0].entity` is all of it."
    return None


def period_of(argument: str, fields: dict[str, Any]) -> dict[str, Any]:
    """When an entity or an observation holds."""
    dates = {name: optional(limits.day_or_moment, f"{argument}.{name}", fields) for name in PERIOD}
    check_period(argument, dates)
    return dates


def optional(
    check: Callable[[str, object], Checked], argument: str, fields: Mapping[str, Any]
) -> Checked | None:
    """Check a field, the last part of the argument's name; None where it is not given."""
    value = fields.get(argument.rpartition(".")[2])
    return None if value is None else check(argument, value)


def required(
    check: Callable[[str, object], Checked], argument: str, fields: Mapping[str, Any]
) -> Checked:
    """Check a field, the last part of the argument's name, that must be given.

    Raises:
        InvalidInput: It is not given, is None, or is not allowed.
    """
    value = fields.get(argument.rpartition(".")[2])
    if value is None:
        raise InvalidInput(argument, NOT_SHOWN, "is required")
    return check(argument, value)
