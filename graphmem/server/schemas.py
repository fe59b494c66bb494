"""The schemas of the tools: of arguments, as every client takes them, and of answers."""

import json
from collections.abc import Mapping
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from graphmem.model.json_object import JsonObject, json_fields

_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", datetime: "string"}


# What some clients refuse: OpenAI's strict schemas take no lengths of texts.
REFUSED = frozenset(("additionalProperties", "maxLength", "minLength"))
# Objects inside of objects are told no further: their fields speak for themselves.
DEPTH = 1


def plain_schema(schema: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """A schema of arguments without what some clients refuse, and all tools with it.

    An optional parameter has one type, since null means that it was not given. That unknown ones
    and long texts are refused is left to the call.
    """
    if isinstance(schema, list):
        return [plain_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: plain_schema(part) for name, part in schema.items() if name not in REFUSED}
    match plain:
        case {"anyOf": [present_schema, {"type": "null"}]}:
            del plain["anyOf"]
            return present_schema | plain
    return plain


def describe_defaults(schema: Any) -> None:  # noqa: ANN401 - any part of a schema
    """Say in words what stands for a value that is not given, where it is not nothing.

    Descriptions reach every model. OpenAI's strict schemas take no `default`, however deep, and
    converters for other clients drop it.
    """
    if isinstance(schema, list):
        for part in schema:
            describe_defaults(part)
    if not isinstance(schema, dict):
        return
    for parameter in schema.get("properties", {}).values():
        _describe_default(parameter)
    for part in schema.values():
        describe_defaults(part)


def _describe_default(parameter: dict[str, Any]) -> None:
    default = parameter.pop("default", None)
    if default:
        value = default if isinstance(default, str) else json.dumps(default)
        description = parameter.get("description")
        parameter["description"] = (
            f"{description.rstrip('.')}; default {value}" if description else f"Default: {value}"
        )


def schema(answer: type[JsonObject], depth: int = 0) -> dict[str, Any]:
    """The JSON Schema of a class: its fields that are always there, and more may be.

    Agents pay for every word of it, so it does not repeat that these fields are required.

    Args:
        answer: The class.
        depth: How many objects it is inside of.
    """
    if depth > DEPTH or answer is JsonObject:
        return {"type": "object"}
    types = get_type_hints(answer)
    return {
        "type": "object",
        "properties": {
            field.name: _type_schema(types[attribute], depth + 1)
            | ({"description": field.description} if field.description else {})
            for attribute, field in json_fields(answer).items()
            if not field.is_optional
        },
    }


def _type_schema(hint: Any, depth: int) -> dict[str, Any]:  # noqa: ANN401 - a type as it is written
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType:
        (other_argument,) = (argument for argument in arguments if argument is not NoneType)
        present_schema = _type_schema(other_argument, depth)
        return {"anyOf": [present_schema, {"type": "null"}]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", "items": _type_schema(arguments[0], depth)}
    if origin in {dict, Mapping}:
        return {"type": "object"}
    return schema(hint, depth) if issubclass(hint, JsonObject) else {"type": _TYPES[hint]}
