"""Fields as others write them, as an entity may have them."""

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypeVar

from graphmem.importing.refusing import Refused
from graphmem.model import limits, sources
from graphmem.model.period import PERIOD
from graphmem.model.reserved import RESERVED_ATTRIBUTES, ReservedNames

Value = TypeVar("Value")

_NOT_IN_NAMES = re.compile(r"[^\w .\-]")
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,14})")
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d{0,14})\.\d{1,14}")
_BOOLEANS = {"true": True, "false": False}


def attribute_name(name: str) -> str:
    """A name as an attribute may have it: on one line, `_` for what is not allowed in one."""
    return _NOT_IN_NAMES.sub("_", " ".join(name.split()))


def own_attribute_name(name: str, *, reserved: ReservedNames = RESERVED_ATTRIBUTES) -> str:
    """A name as an attribute of an entity may have it: `type_` for `type`, which graphmem needs.

    Args:
        name: As others have it.
        reserved: What an attribute must not be called; of an entity by default.
    """
    allowed_name = attribute_name(name)
    if not allowed_name or not (allowed_name[0].isalpha() or allowed_name[0] == "_"):
        allowed_name = f"_{allowed_name}"
    if allowed_name not in reserved:
        return allowed_name
    return f"_{allowed_name}" if f"{allowed_name}_" in reserved else f"{allowed_name}_"


def own_attributes(
    fields: Mapping[str, Value],
    *,
    convert: Callable[[Value], object] | None = None,
    taken: Container[str] = (),
    reserved: ReservedNames = RESERVED_ATTRIBUTES,
) -> dict[str, object]:
    """Fields of others as attributes of an entity, under names that attributes may have.

    Args:
        fields: Their values by their names.
        convert: Makes a value of an attribute; by default `plain_or_json` does.
        taken: Names that only a field of that very name gets; another one's ends in more `_`.
        reserved: As of `own_attribute_name`.
    """
    attributes: dict[str, object] = {}
    for name, value in fields.items():
        allowed_name = own_attribute_name(name, reserved=reserved)
        while allowed_name in attributes or (
            allowed_name != name and (allowed_name in fields or allowed_name in taken)
        ):
            allowed_name += "_"
        attributes[allowed_name] = plain_or_json(value) if convert is None else convert(value)
    return attributes


def plain_or_json(value: object) -> object:
    """A value as an attribute may have it: an object or a list that it may not is JSON text."""
    if isinstance(value, dict | list) and limits.or_none(limits.attribute, value) is None:
        return as_json(value)
    return value


def is_name(value: object) -> bool:
    """Whether a value may be the name, title or an alias of an entity."""
    return limits.or_none(limits.name, value) is not None


def is_kind(value: object) -> bool:
    """Whether a value may be the kind of an entity."""
    return limits.or_none(limits.kind, value) is not None


def is_label(value: object) -> bool:
    """Whether a value may be a tag, status, category or source of an entity."""
    return limits.or_none(limits.label, value) is not None


def typed_text(text: str) -> object:
    """A text as an attribute is compared: a number, a boolean or a day, where it is written so."""
    if _INTEGER.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    try:
        return date.fromisoformat(text) if len(text) == len("2026-03-01") else _BOOLEANS[text]
    except (KeyError, ValueError):
        return text


def uniform(values: Iterable[object]) -> list[object]:
    """The values of a list, as texts where they are of several types: no attribute holds these."""
    items = list(values)
    return items if len({type(item) for item in items}) <= 1 else [str(item) for item in items]


def as_list(value: object) -> object:
    """A list of texts where one text stands alone; any other value as it is."""
    return [value] if isinstance(value, str) else value


def as_json(value: object) -> str:
    """A value that no attribute holds, as JSON text; names that are dates are texts in it.

    Raises:
        Refused: It holds what JSON cannot say.
    """
    try:
        return json.dumps(_with_text_names(value), ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError) as error:
        raise Refused(f"a value that JSON cannot represent: {error}") from error


def _with_text_names(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_with_text_names(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        str(name) if isinstance(name, date) else name: _with_text_names(member)
        for name, member in value.items()
    }


def moment_or_none(value: object) -> datetime | None:
    """The moment of a date or a text in ISO 8601; None for anything else."""
    return limits.or_none(limits.moment, value)


def period_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What fields say of when something holds, under graphmem's own names."""
    return {name: fields[name] for name in PERIOD if fields.get(name) is not None}


def source_or_none(place: str) -> str | None:
    """The source of an entity that was read from a file; None where its path cannot be one."""
    return limits.or_none(sources.source, place)
