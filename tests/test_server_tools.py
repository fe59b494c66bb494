"""The tools that the MCP server offers, and how it describes them."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from graphmem.model import Entity, Relation
from graphmem.model.answer import MOST_HITS
from graphmem.model.correction import CORRECTION_FIELDS
from graphmem.model.entity import _ENTITY_FIELDS, _RELATION_FIELDS
from graphmem.model.exploration import MOST_PATH_DEPTH
from graphmem.model.where import _FIELDS
from graphmem.profiles import PROFILES
from graphmem.search import Follow
from graphmem.server import build, parameters
from graphmem.server.app import REMEMBER
from stub_memories import Stub, listed, opening, refusal

READING = {"search", "context", "get", "explore", "overview", "history"}
WRITING = {"remember", "link", "forget", "change"}
LIST_TOKENS = 3_000
CHARACTERS_A_TOKEN = 4
# Keywords that Gemini refuses, and all tools of a server with them.
REFUSED = {"additionalProperties", "propertyNames", "$ref", "$defs", "format", "oneOf"}


def nested(schema: object) -> Iterator[dict[str, Any]]:
    """All objects in a schema, itself included."""
    if isinstance(schema, dict):
        yield schema
    parts = schema.values() if isinstance(schema, dict) else schema
    if isinstance(parts, Iterable) and not isinstance(parts, str):
        for part in parts:
            yield from nested(part)


# What is offered


def test_the_reading_and_the_writing_tools_are_offered() -> None:
    assert {tool["name"] for tool in listed()} == READING | WRITING


def test_read_only_offers_no_tool_that_writes() -> None:
    assert {tool["name"] for tool in listed(read_only=True)} == READING


@pytest.mark.parametrize("detects_project", [True, False])
def test_read_only_asks_for_no_writing(detects_project: bool) -> None:  # noqa: FBT001 - a table
    read, write = (
        build(opening(Stub()), read_only=read_only, detects_project=detects_project).instructions
        for read_only in (True, False)
    )
    assert "Remember what will matter later" in str(write)
    assert str(read) == str(write).replace(REMEMBER, "") != str(write)


def test_only_a_server_that_was_allowed_to_offers_to_delete_for_good() -> None:
    assert "purge" not in json.dumps(listed())
    assert "action must be 'forget' or 'restore', got 'purge'" in refusal(
        "forget", {"names": ["a"], "action": "purge"}
    )
    (schema,) = (tool for tool in listed(allow_purge=True) if tool["name"] == "forget")
    assert schema["inputSchema"]["properties"]["action"]["enum"] == ["forget", "restore", "purge"]
    assert "delete for good" in schema["description"]


def test_every_tool_describes_its_purpose_arguments_and_result() -> None:
    for tool in listed():
        assert tool["description"]
        assert tool["inputSchema"]["properties"]
        # The other answers say what they are: the list is shorter without their schemas.
        told = tool["name"] in {"search", "get", "remember"}
        assert ("outputSchema" in tool) == told
        assert not told or tool["outputSchema"]["properties"]


def test_every_tool_says_what_the_default_project_is_if_there_is_one() -> None:
    for has_project in (True, False):
        for tool in listed(detects_project=has_project):
            project = tool["inputSchema"]["properties"]["project"]
            assert (project.get("description") == "Default: this one") == has_project


def test_every_tool_says_whether_it_reads_hides_or_writes() -> None:
    for tool in listed():
        hints = tool["annotations"]
        assert hints["readOnlyHint"] == (tool["name"] in READING)
        # Of what only reads it says nothing.
        takes_away = tool["name"] in {"forget", "change"}
        assert hints.get("destructiveHint", False) == takes_away
        assert ("destructiveHint" in hints) == (tool["name"] in WRITING)
        # To undo the last change twice is to do it again.
        assert bool(hints.get("idempotentHint")) == (tool["name"] in WRITING - {"change"})
        assert hints["openWorldHint"] is False


@pytest.mark.parametrize("allow_purge", [False, True])
def test_the_list_of_tools_is_short(allow_purge: bool) -> None:  # noqa: FBT001 - a table
    tools = listed(allow_purge=allow_purge)
    written = json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":"))
    assert len(written) / CHARACTERS_A_TOKEN < LIST_TOKENS


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_a_list_is_limited_by_its_items(profile: str | None) -> None:
    tools = listed(profiles=() if profile is None else [profile])
    parameters_of = [tool["inputSchema"].get("properties", {}) for tool in tools]
    lists = [one for own in parameters_of for one in own.values() if one.get("type") == "array"]
    assert len(lists) > 5 or profile is not None
    assert all("maxItems" in schema and "maxLength" not in schema for schema in lists)


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_every_list_says_what_its_items_are(profile: str | None) -> None:
    # VS Code refuses all tools of a server where one list, however deep, does not.
    tools = listed(profiles=() if profile is None else [profile])
    schemas = [schema for tool in tools for schema in nested(tool["inputSchema"])]
    assert [
        schema for schema in schemas if schema.get("type") == "array" and "items" not in schema
    ] == []


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_arguments_are_described_without_what_clients_refuse(profile: str | None) -> None:
    # Gemini refuses all tools of a server for one list of types, and Cursor every value of such a
    # parameter; beside `anyOf`, Vertex takes no other field.
    tools = listed(profiles=() if profile is None else [profile])
    for part in (part for tool in tools for part in nested(tool["inputSchema"])):
        assert not isinstance(part.get("type"), list)
        assert part.keys().isdisjoint(REFUSED)
        assert "anyOf" not in part or part.keys() == {"anyOf"}
        assert part.get("type") != "null"


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_arguments_are_described_without_what_strict_schemas_refuse(profile: str | None) -> None:
    # OpenAI refuses all tools of a call for one of these.
    tools = listed(profiles=() if profile is None else [profile])
    for part in (part for tool in tools for part in nested(tool["inputSchema"])):
        assert part.keys().isdisjoint({"default", "maxLength", "minLength"})


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_a_description_says_its_default_once(profile: str | None) -> None:
    tools = listed(profiles=() if profile is None else [profile])
    schemas = [schema for tool in tools for schema in nested(tool["inputSchema"])]
    descriptions = [str(schema.get("description", "")) for schema in schemas]
    assert [
        description for description in descriptions if description.casefold().count("default") > 1
    ] == []
    assert [description for description in descriptions if ".;" in description] == []


def test_a_description_names_the_default_of_an_optional_argument() -> None:
    described = {
        (tool["name"], name): parameter.get("description")
        for tool in listed()
        for name, parameter in tool["inputSchema"]["properties"].items()
    }
    assert described["search", "limit"] == "Default: 10"
    assert described["search", "expand"] == "Follow relations one hop; default true"
    assert described["forget", "action"] == "Default: forget"
    assert described["link", "remove"] is None
    assert described["search", "min_score"] is None


def test_descriptions_of_lists_name_the_fields_of_their_items() -> None:
    (remember,) = (tool for tool in listed() if tool["name"] == "remember")
    for name in ("entities", "relations"):
        items = remember["inputSchema"]["properties"][name]
        kind, _, fields = items["description"].partition(": ")
        assert kind == "Objects"
        shown = fields.split(", ")
        assert shown[: len(items["items"]["required"])] == items["items"]["required"]
        assert set(shown) <= items["items"]["properties"].keys()


def test_remember_shows_the_fields_of_a_json_line() -> None:
    assert parameters.ENTITY["properties"].keys() == (_ENTITY_FIELDS | CORRECTION_FIELDS) - {"type"}
    shown = (_RELATION_FIELDS | {"replaces"}) - {"type"}
    assert parameters.RELATION["properties"].keys() == shown


def test_what_agents_are_told_of_filters_and_links_names_every_field() -> None:
    of_filters = re.findall(r"[a-z_]+", parameters.WHERE["description"])
    assert set(of_filters) >= _FIELDS
    of_links = re.findall(r"[a-z_]+", parameters.FOLLOW["description"])
    assert set(of_links) >= {field.name for field in fields(Follow)}


def test_a_tool_takes_as_much_as_the_method_behind_it() -> None:
    by_name = {tool["name"]: tool["inputSchema"]["properties"] for tool in listed()}
    assert by_name["search"]["limit"]["maximum"] == MOST_HITS
    depth = TypeAdapter(parameters.Depth)
    assert depth.validate_python(MOST_PATH_DEPTH) == MOST_PATH_DEPTH
    with pytest.raises(ValidationError):
        depth.validate_python(MOST_PATH_DEPTH + 1)


def test_the_shown_fields_are_read_by_the_model() -> None:
    assert Entity.from_json({"name": "a", "observations": ["b"]}).name == "a"
    assert Relation.from_json({"from": "a", "relation": "R", "to": "b"}).start == "a"
