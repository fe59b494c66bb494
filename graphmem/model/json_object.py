"""Values that leave as objects of JSON: what a class declares of its fields is all there is to it.

Attributes in Python, `repr`, the terminal's `--json`, the MCP tools' results and their schemas
follow.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, replace
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from graphmem.model import limits
from graphmem.model.short_repr import short_repr

_METADATA = "json"


@dataclass(frozen=True, slots=True)
class JsonField:
    """How a field of a value stands in JSON.

    Args:
        name: Its name there; by default that of the field.
        write: Makes JSON of its value; by default `to_json_value`.
        is_optional: Whether it is left out if it is None or an empty collection. Schemas list only
            what is always there.
        is_hidden: Whether it is left out always.
        description: What schemas say of it.
    """

    name: str = ""
    write: Callable[[Any], object] | None = None
    is_optional: bool = False
    is_hidden: bool = False
    description: str = ""


def as_json(field: JsonField) -> Mapping[str, JsonField]:
    """The metadata of a dataclass's field that stands in JSON as described."""
    return {_METADATA: field}


class JsonObject:
    """A dataclass that is written as an object of JSON, field by field in their order."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        """Have the class keep this `repr`, instead of the one that `dataclass` would give it."""
        cls.__repr__ = JsonObject.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Write the value as a dataclass is written, with the beginning of what is long."""
        fields = (f"{name}={short_repr(getattr(self, name))}" for name in self.__dataclass_fields__)
        return f"{type(self).__qualname__}({', '.join(fields)})"

    def to_json(self) -> dict[str, object]:
        """Write the value as an object of JSON."""
        written_fields: dict[str, object] = {}
        for attribute, field in json_fields(type(self)).items():
            value = getattr(self, attribute)
            if not (field.is_optional and _is_empty(value)):
                written_fields[field.name] = (field.write or to_json_value)(value)
        return written_fields


def json_fields(declared: type[JsonObject]) -> Mapping[str, JsonField]:
    """How the attributes of a class stand in JSON, in their order, without the hidden ones."""
    return _json_fields(declared)  # type: ignore[arg-type] # mypy sees no class as hashable


@cache
def _json_fields(declared: type[JsonObject]) -> Mapping[str, JsonField]:
    described = {
        name: field.metadata.get(_METADATA, JsonField())
        for name, field in declared.__dataclass_fields__.items()
    }
    return {
        attribute: replace(field, name=field.name or attribute)
        for attribute, field in described.items()
        if not field.is_hidden
    }


def to_json_value(value: object) -> object:
    """Write a value as JSON has it: a day, a moment and a path as text, a tuple as a list."""
    if isinstance(value, JsonObject):
        return value.to_json()
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [to_json_value(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def compact_json(value: object) -> str:
    """Write JSON values as text without spaces, letters of every script as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rounded(digits: int) -> Callable[[Any], object]:
    """What writes a number, or each of a mapping's, rounded to so many places."""

    def write(value: Any) -> object:  # noqa: ANN401 - what a field may hold
        if isinstance(value, Mapping):
            return {name: round(number, digits) for name, number in value.items()}
        return round(value, digits)

    return write


def iso(moment: datetime | None) -> str | None:
    """Write a moment as ISO 8601 in UTC with a `Z`, or None for None."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def plain(value: limits.Attribute) -> object:
    """Write an attribute's value as JSON has it: a day as `{"date": …}`, a moment likewise.

    Neo4j has types that graphmem writes none of, such as points and times of day: these are texts.
    """
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return {"datetime": value.isoformat()}
    if isinstance(value, date):
        return {"date": value.isoformat()}
    return value if value is None or isinstance(value, str | int | float) else str(value)


def plain_attributes(attributes: Mapping[str, limits.Attribute]) -> dict[str, object]:
    """Write custom attributes as JSON has them."""
    return {name: plain(value) for name, value in attributes.items()}


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, tuple | list | Mapping) and not value)


HIDDEN = as_json(JsonField(is_hidden=True))
OPTIONAL = as_json(JsonField(is_optional=True))
ATTRIBUTES = as_json(JsonField(write=plain_attributes, is_optional=True))
