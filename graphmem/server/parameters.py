"""The types of the tools' parameters: their limits, and what agents send instead of a list."""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from graphmem.arguments import FILTER_VALUES, QUERY_CHARACTERS, as_list, json_or_text
from graphmem.model import where
from graphmem.model.context import BUDGETS
from graphmem.model.correction import SharedEnd
from graphmem.model.entity_fields import ENTITY_FIELDS, SHARE
from graphmem.model.exploration import MOST_PATH_DEPTH
from graphmem.model.limits import LABEL_CHARACTERS, NAME_CHARACTERS
from graphmem.model.period import PERIOD
from graphmem.model.relation_fields import RELATION_FIELDS

NAMES = 50
NO_OBJECT = 'Input should be an object, such as {"types": ["CALLS"], "direction": "out"}'
NO_JSON = "Input should be a list of objects, or its JSON text, which this is not ({problem})"
# The most changes that `history` gives, and how many it gives unless told otherwise.
MOST_CHANGES, CHANGES = 200, 20
ITEMS = 200
# A key is the project, a `#` and the name.
KEY_CHARACTERS = LABEL_CHARACTERS + 1 + NAME_CHARACTERS


def one_object(value: object) -> object:
    """Make an object of its JSON text."""
    return json_or_text(value) if isinstance(value, str) else value


def followed(value: object) -> object:
    """Make an object of its JSON text; of anything else say what it looks like.

    Raises:
        PydanticCustomError: It is no object.
    """
    value = one_object(value)
    if value is not None and not isinstance(value, dict):
        raise PydanticCustomError("followed", NO_OBJECT)
    return value


def objects(value: object) -> object:
    """A list of objects, or their JSON text, or one of either; see `as_list`.

    Clients that know no objects in lists send the JSON text of each.

    Raises:
        PydanticCustomError: A text that stands for the list is no JSON.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            problem = {"problem": str(error)}
            raise PydanticCustomError("json_text", NO_JSON, problem) from error
    listed = as_list(value)
    return [one_object(item) for item in listed] if isinstance(listed, list) else listed


_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}
_OBSERVATION_OBJECT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": _TEXT,
        "created_at": _TEXT,
        "source": _TEXT,
        "confidence": SHARE,
        "id": {"type": "string", "description": "Observation to replace"},
        **dict.fromkeys(PERIOD, _TEXT),
        "unset": _TEXTS,
    },
}
# Beside `anyOf` some clients take no other field.
OBSERVATION: dict[str, Any] = {"anyOf": [_TEXT, _OBSERVATION_OBJECT]}
ENTITY: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "description": "Unique in the project"},
        **{row.name: row.schema for row in ENTITY_FIELDS},
        "observations": {"type": "array", "items": OBSERVATION, "description": "Notes to add"},
        "aliases": _TEXTS,
        "tags": _TEXTS,
        "created_at": {"type": "string", "description": "ISO 8601"},
        "attributes": {"type": "object", "description": "Custom fields: scalars or flat lists"},
        "unset": {**_TEXTS, "description": "Fields to clear"},
        "remove": {
            "type": "object",
            "description": "Lists: observations (ids), tags, aliases, attributes",
        },
        "if_revision": {"type": "integer", "description": "Refuse if changed since"},
    },
}
REPLACES: dict[str, Any] = {
    "type": "string",
    "description": "from: ends the source's others of the type; to: the target's",
}
RELATION: dict[str, Any] = {
    "type": "object",
    "required": ["from", "relation", "to"],
    "properties": {
        "from": {"type": "string", "description": "Name, alias, title or key"},
        "relation": {"type": "string", "description": "Type, such as DEPENDS_ON"},
        "to": _TEXT,
        **{field.name: field.schema for field in RELATION_FIELDS},
        "attributes": {"type": "object"},
        "replaces": REPLACES,
    },
}

Query = Annotated[
    str,
    Field(
        max_length=QUERY_CHARACTERS,
        description=(
            'Plain words, code, a stack trace; AND OR NOT ( ) "phrase" * ? word~1 field:word'
        ),
    ),
]
QueryLikeSearch = Annotated[str, Field(max_length=QUERY_CHARACTERS, description="As for search")]
Project = Annotated[str | None, Field(max_length=LABEL_CHARACTERS)]
Budget = Annotated[int, Field(ge=BUDGETS[0], le=BUDGETS[1], description="Tokens")]
Name = Annotated[str, Field(max_length=KEY_CHARACTERS)]
OptionalName = Annotated[str | None, Field(max_length=KEY_CHARACTERS)]
RelationType = Annotated[str, Field(max_length=LABEL_CHARACTERS)]
Depth = Annotated[int | None, WithJsonSchema({"type": "integer"}), Field(ge=1, le=MOST_PATH_DEPTH)]
Direction = Annotated[where.Direction, Field(description="out: away from it; in: to it")]
To = Annotated[
    str | None,
    Field(
        max_length=KEY_CHARACTERS,
        description="rename: new name; merge: what stays; supersede: replacement",
    ),
]
Names = Annotated[
    tuple[Name, ...],
    Field(min_length=1, max_length=NAMES, description="Names, aliases, titles or keys"),
    BeforeValidator(as_list),
]
Filter = Annotated[tuple[str, ...], Field(max_length=FILTER_VALUES), BeforeValidator(as_list)]
Moment = Annotated[str | None, Field(max_length=64)]
CreatedSince = Annotated[Moment, Field(description="Created then or later")]
KnownAt = Annotated[Moment, Field(description="As known then")]
ChangedSince = Annotated[Moment, Field(description="Default for a project: a week ago")]
At = Annotated[Moment, Field(description="Valid then: day, moment, any; default now")]
Cursor = Annotated[str | None, Field(description="From the previous page")]
WHERE: dict[str, Any] = {
    "type": "object",
    "description": "All must hold: tags_all, tags_none, category, confidence, created_at, "
    "updated_at, name or source {under: folder}, "
    'attributes {name: value or {">=": value}} with = != < <= > >= in under, '
    "has_relation and lacks_relation {relation, direction}",
}
FOLLOW: dict[str, Any] = {
    "type": "object",
    "description": "Relations: types, exclude_types, direction (out, in, both), max_relations, "
    "link_factor, seeds (all, filtered)",
}
Follow = Annotated[dict[str, Any] | None, BeforeValidator(followed), WithJsonSchema(FOLLOW)]
Where = Annotated[dict[str, Any] | None, BeforeValidator(one_object), WithJsonSchema(WHERE)]
LikeSearch = Annotated[
    dict[str, Any] | None, BeforeValidator(one_object), Field(description="As for search")
]
Share = Annotated[float, Field(ge=0, le=1)]

# What an item may be is shown to the agent but checked by `Memory`, item by item: one that is
# wrong is refused in the report and the others are written. Some clients show the agent only the
# description of a list, not what its items are.
Entities = Annotated[
    tuple[Annotated[Any, WithJsonSchema(ENTITY)], ...],
    Field(max_length=ITEMS, description="Objects: name, kind, text, observations, tags, aliases"),
    BeforeValidator(objects),
]
Relations = Annotated[
    tuple[Annotated[Any, WithJsonSchema(RELATION)], ...],
    Field(max_length=ITEMS, description="Objects: from, relation, to, note, weight"),
    BeforeValidator(objects),
]
# Taken, but not listed: every parameter costs each conversation its words.
UNLISTED = "unlisted"
Unlisted = Annotated[tuple[str, ...], WithJsonSchema({UNLISTED: True}), BeforeValidator(as_list)]
UnlistedFlag = Annotated[bool, WithJsonSchema({UNLISTED: True})]
Replaces = Annotated[SharedEnd | None, WithJsonSchema(REPLACES)]
Weight = Annotated[float | None, Field(ge=0, le=1)]
