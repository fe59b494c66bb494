"""The output schemas of the tools, made of what the answers' classes declare."""

from collections.abc import Mapping
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from graphmem.model.json_object import JsonObject, json_fields

_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", datetime: "string"}


def schema(answer: type[JsonObject]) -> dict[str, Any]:
    """The JSON Schema of a class: its fields that are always there, and more may be.

    Agents pay for every word of it, so it does not repeat that these fields are required.
    """
    types = get_type_hints(answer)
    return {
        "type": "object",
        "properties": {
            field.name: _typed(types[attribute])
            | ({"description": field.description} if field.description else {})
            for attribute, field in json_fields(answer).items()
            if not field.is_optional
        },
    }


def _typed(hint: Any) -> dict[str, Any]:  # noqa: ANN401 - a type as it is written
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType:
        (present,) = (argument for argument in arguments if argument is not NoneType)
        inner = _typed(present)
        return inner | {"type": [inner["type"], "null"]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", "items": _typed(arguments[0])}
    if origin in {dict, Mapping}:
        return {"type": "object"}
    return schema(hint) if issubclass(hint, JsonObject) else {"type": _TYPES[hint]}
