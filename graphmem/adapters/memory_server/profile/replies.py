"""The tools' answers, in the memory server's shapes."""

import json
from typing import Any, TypeVar, cast

from fastmcp.tools import ToolResult
from pydantic import BaseModel, ConfigDict, Field

from graphmem.model.visible import visible

Answer = TypeVar("Answer", bound=BaseModel)


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, serialize_by_alias=True)


class Node(_Reply):
    """An entity."""

    name: str
    entity_type: str = Field(serialization_alias="entityType")
    observations: list[str]


class Link(_Reply):
    """A relation."""

    start: str = Field(serialization_alias="from")
    end: str = Field(serialization_alias="to")
    relation_type: str = Field(serialization_alias="relationType")


class CreatedEntities(_Reply):
    """The entities that were not there before."""

    entities: list[Node]


class CreatedRelations(_Reply):
    """The relations that were not there before."""

    relations: list[Link]


class Added(_Reply):
    """What an entity did not say before."""

    entity_name: str = Field(serialization_alias="entityName")
    added_observations: list[str] = Field(serialization_alias="addedObservations")


class AddedObservations(_Reply):
    """What was added to each entity."""

    results: list[Added]


class Deleted(_Reply):
    """That something is not there any more."""

    success: bool
    message: str


class Graph(_Reply):
    """Entities and relations; `note` is there only where something is left out."""

    entities: list[Node]
    relations: list[Link]
    note: str = Field(default="", description="What is left out, and how to get it")


def json_reply(answer: Answer) -> Answer:
    """An answer whose text is itself in JSON."""
    return _with_text(answer, _json(answer))


def list_reply(answer: Answer) -> Answer:
    """An answer whose text is its only list in JSON."""
    (items,) = _json(answer).values()
    return _with_text(answer, items)


def deletion_reply(what: str) -> Deleted:
    """An answer whose text is its sentence."""
    answer = Deleted(success=True, message=f"{what} deleted successfully")
    return _with_text(answer, answer.message)


def indented_json(value: object) -> str:
    """A value in JSON as the memory server writes it."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def _json(answer: BaseModel) -> dict[str, Any]:
    fields: dict[str, Any] = _shown(answer.model_dump(by_alias=True, exclude_defaults=True))
    return fields


def _shown(value: Any) -> Any:  # noqa: ANN401 - whatever an answer holds
    """A value without what no person sees, which JSON would write as an escape."""
    if isinstance(value, dict):
        return {name: _shown(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return visible(value) if isinstance(value, str) else value


def _with_text(answer: Answer, text: object) -> Answer:
    """The answer to an agent; the declared type stays that of the answer, of which it is made."""
    result = ToolResult(
        content=text if isinstance(text, str) else indented_json(text),
        structured_content=_json(answer),
    )
    return cast("Answer", result)
