"""The MCP door without a database: what it offers, how it opens its memory, what it refuses."""

import asyncio
import json
import logging
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams, Implementation
from pydantic import TypeAdapter, ValidationError

from agents import OPEN_SECONDS
from graphmem import calls
from graphmem.arguments import as_list
from graphmem.errors import ConfigurationError, DatabaseError, GraphmemError
from graphmem.memory import Memory
from graphmem.memory.writing.remembering import Input
from graphmem.model import (
    Context,
    Entity,
    Item,
    PartialWrite,
    Relation,
    Report,
)
from graphmem.model.answer import MOST_HITS
from graphmem.model.correction import CORRECTION_FIELDS
from graphmem.model.entity import _ENTITY_FIELDS, _RELATION_FIELDS
from graphmem.model.exploration import MOST_PATH_DEPTH
from graphmem.model.secret import Secret
from graphmem.model.where import _FIELDS
from graphmem.profiles import PROFILES
from graphmem.search import Follow
from graphmem.server import (
    LazyMemory,
    build,
    call_log,
    callers,
    http,
    logs,
    parameters,
    refusals,
    repair,
)
from graphmem.server.app import REMEMBER
from graphmem.server.lazy_memory import BROKEN, STARTING
from graphmem.server.stop_signals import STOP_SIGNALS
from graphmem.server.tokens import Caller

READING = {"search", "context", "get", "explore", "overview", "history"}
WRITING = {"remember", "link", "forget", "change"}
LIST_TOKENS = 3_000
# As a web server describes it.
REQUEST: dict[str, Any] = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}
CHARACTERS_A_TOKEN = 4
# Keywords that Gemini refuses, and all tools of a server with them.
REFUSED = {"additionalProperties", "propertyNames", "$ref", "$defs", "format", "oneOf"}
TOKEN = "open-sesame-open"  # noqa: S105 - a test's own


class Stub:
    """A memory that knows nothing but what it is told to raise."""

    project = "p"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.closed = False

    def close(self) -> None:
        self.closed = True

    def stats(self, **_: object) -> None:
        if self.error is not None:
            raise self.error

    def overview(self, **_: object) -> None:
        self.stats()

    def remember(self, *_: object, **__: object) -> None:
        self.stats()


def as_memory(stub: Stub) -> Memory:
    return cast("Memory", stub)


def opening(*outcomes: Stub | Exception) -> LazyMemory:
    """An opening that has these outcomes one after the other."""
    left = list(outcomes)

    def opens() -> Memory:
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return as_memory(outcome)

    return LazyMemory(opens, seconds=OPEN_SECONDS)


def listed(**options: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - those of `build`
    async def ask() -> list[dict[str, Any]]:
        app = build(opening(Stub()), **options)
        async with Client(app) as client:
            result = await client.list_tools_mcp()
        return cast(
            "list[dict[str, Any]]", result.model_dump(by_alias=True, exclude_none=True)["tools"]
        )

    return asyncio.run(ask())


def nested(schema: object) -> Iterator[dict[str, Any]]:
    """All objects in a schema, itself included."""
    if isinstance(schema, dict):
        yield schema
    parts = schema.values() if isinstance(schema, dict) else schema
    if isinstance(parts, Iterable) and not isinstance(parts, str):
        for part in parts:
            yield from nested(part)


def refusal(
    tool: str,
    arguments: dict[str, object],
    stub: Stub | None = None,
    profiles: Sequence[str] = (),
) -> str:
    """What an agent reads when a call fails."""

    async def ask() -> str:
        async with Client(build(opening(stub or Stub()), profiles=profiles)) as client:
            with pytest.raises(ToolError) as raised:
                await client.call_tool(tool, arguments)
        return str(raised.value)

    return asyncio.run(ask())


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
    (schema,) = (one for one in listed(allow_purge=True) if one["name"] == "forget")
    assert schema["inputSchema"]["properties"]["action"]["enum"] == ["forget", "restore", "purge"]
    assert "delete for good" in schema["description"]


def test_every_tool_says_what_it_is_for_takes_and_gives() -> None:
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
    assert all("maxItems" in one and "maxLength" not in one for one in lists)


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_every_list_says_what_its_items_are(profile: str | None) -> None:
    # VS Code refuses all tools of a server where one list, however deep, does not.
    tools = listed(profiles=() if profile is None else [profile])
    schemas = [schema for tool in tools for schema in nested(tool["inputSchema"])]
    assert [one for one in schemas if one.get("type") == "array" and "items" not in one] == []


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
    assert [one for one in descriptions if one.casefold().count("default") > 1] == []
    assert [one for one in descriptions if ".;" in one] == []


def test_a_description_says_what_stands_for_an_argument_unless_it_is_nothing() -> None:
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


def test_what_an_item_has_is_told_where_only_descriptions_are_shown() -> None:
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


# Who calls


@pytest.mark.parametrize("product", ["HTTPX", "httpx2", "Python-urllib", "python", "Node", "curl"])
def test_a_library_is_no_caller(product: str) -> None:
    assert callers.is_generic(product)
    assert not callers.is_generic(f"my-{product}")


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("harbour-agent", "harbour-agent"),
        ("an\x1b[31m agent\nof the\u202e harbour", "an[31m agent of the harbour"),
        ("n" * 513, "n" * 512),
        ("\x1b\u202e", "an agent"),
        ("", "an agent"),
    ],
)
def test_what_a_client_calls_itself_is_noted_on_one_line(name: str, by: str) -> None:
    class Noting(Stub):
        def overview(self, **_: object) -> None:
            raise GraphmemError(calls.current().by)

    async def ask() -> str:
        client = Client(
            build(opening(Noting())), client_info=Implementation(name=name, version="1")
        )
        async with client:
            with pytest.raises(ToolError) as raised:
                await client.call_tool("overview", {})
        return str(raised.value)

    assert asyncio.run(ask()) == by


@pytest.fixture
def line_of_call(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> Callable[[ToolResult], str]:
    """Gives the line that the log has of a call, by what the call gives."""
    # Whatever tests before this one did with the log of the server.
    monkeypatch.setattr(call_log, "log", logging.getLogger("tests.calls"))
    caplog.set_level(logging.INFO, logger="tests.calls")

    def line(result: ToolResult) -> str:
        async def answer(context: object) -> ToolResult:  # noqa: ARG001 - a tool's
            return result

        message = CallToolRequestParams(name="overview", arguments={})
        log = call_log.CallLog(["overview"], None)
        asyncio.run(log.on_call_tool(MiddlewareContext(message=message), answer))
        return caplog.messages[-1]

    return line


@pytest.mark.parametrize(("is_error", "outcome"), [(True, "error"), (False, "ok")])
def test_a_call_that_tells_of_an_error_is_logged_as_one(
    line_of_call: Callable[[ToolResult], str],
    is_error: bool,  # noqa: FBT001 - a table
    outcome: str,
) -> None:
    line = line_of_call(ToolResult(content="said", is_error=is_error))
    assert line.startswith("call tool=overview project=- caller=")
    assert line.endswith(f" outcome={outcome}")


@pytest.mark.parametrize(("projects", "project"), [({"a"}, "a"), ({"a", "b"}, "-"), (None, "-")])
def test_the_log_names_the_only_project_of_a_caller_and_none_of_several(
    line_of_call: Callable[[ToolResult], str],
    monkeypatch: pytest.MonkeyPatch,
    projects: set[str] | None,
    project: str,
) -> None:
    allowed = None if projects is None else frozenset(projects)
    monkeypatch.setattr(call_log, "current_caller", lambda: Caller(projects=allowed))
    assert f" project={project} " in line_of_call(ToolResult(content="said"))


@pytest.mark.parametrize("status", [200, 401])
def test_a_refusal_is_one_answer_that_says_what_to_send(status: int) -> None:
    sent: list[dict[str, Any]] = []

    async def app(scope: object, receive: object, send: Callable[[Any], Any]) -> None:  # noqa: ARG001 - what a server calls
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"the app's", "more_body": True})
        await send({"type": "http.response.body", "body": b" own"})

    async def send(message: Any) -> None:  # noqa: ANN401 - ASGI's
        sent.append(message)

    asyncio.run(refusals.Refusals(app)(REQUEST, cast("Any", None), send))
    said = b"".join(message.get("body", b"") for message in sent)
    if status == 200:
        assert said == b"the app's own"
    else:
        assert json.loads(said) == {"error_description": refusals.MISSING}
        assert [message["type"] for message in sent] == [
            "http.response.start",
            "http.response.body",
        ]


# Wrong arguments


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search", {"query": "a", "limit": 500}, "limit must be at most 200, got 500"),
        ("search", {"query": "a", "limit": 0}, "limit must be at least 1, got 0"),
        ("search", {"query": "a", "limit": "many"}, "limit must be a whole number, got 'many'"),
        ("search", {"query": "a", "limit": 5.5}, "limit must be a whole number, got 5.5"),
        ("search", {"query": "a", "mode": "psychic"}, "'hybrid', 'keyword' or 'semantic'"),
        (
            "search",
            {"query": "a", "scope": "all"},
            "scope must be 'layers' or 'project', got 'all'",
        ),
        ("search", {"query": "a", "min_score": 2}, "min_score must be at most 1, got 2"),
        ("search", {"query": "a" * 10_001}, "at most 10000 characters"),
        ("search", {"query": "a", "kinds": [1]}, "kinds[0] must be text, got 1"),
        ("search", {"query": "a", "tags": ["t"] * 21}, "tags must have at most 20 items"),
        ("search", {}, "query is required"),
        ("search", {"query": None}, "query must be text"),
        ("search", {"query": "a", "colour": None}, "colour is not a parameter of this tool"),
        ("search", {"query": "a", "colour": "red"}, "colour is not a parameter of this tool"),
        ("get", {"name": "a"}, "names, project; did you mean `names` for `name`?"),
        ("search", {"query": "a", "entityType": "b"}, "did you mean `kinds` for `entityType`?"),
        ("search", {"query": "a", "top_k": 3}, "did you mean `limit` for `top_k`?"),
        ("search", {"query": "a", "projct": "b"}, "did you mean `project` for `projct`?"),
        (
            "link",
            {"source": "a", "target": "b", "relationType": "R"},
            "did you mean `from` for `source`, `to` for `target`, `relation` for `relationType`?",
        ),
        (
            "link",
            {"from": "a", "relation": "R", "to": "b", "observations": ["c"]},
            "did you mean `note` for `observations`?",
        ),
        ("context", {"query": "a", "budget": 255}, "budget must be at least 256, got 255"),
        ("context", {"query": "a", "budget": 32_769}, "at most 32768, got 32769"),
        ("remember", {}, "entities or relations must be given"),
        ("get", {"names": []}, "names must have at least 1 item, got []"),
        ("get", {"names": ["a" * 714]}, "names[0] must have at most 713 characters, got 'aaa"),
        ("link", {"from": "a", "to": "b"}, "relation is required"),
        ("remember", {"entities": 7}, "entities must be a list, got 7"),
        ("remember", {"entities": '[{"name": "{a}",]'}, "its JSON text, which this is not (Expec"),
        ("remember", {"entities": [{}] * 201}, "at most 200 items"),
    ],
)
def test_a_wrong_argument_is_named(tool: str, arguments: dict[str, object], told: str) -> None:
    said = refusal(tool, arguments)
    assert told in said
    assert "pydantic" not in said
    assert "type=" not in said
    assert len(said) < 400


def test_the_name_of_a_wrong_argument_is_shown_as_a_value_is() -> None:
    hidden, long = refusal("get", {"names": "a", "b\u202e\x1b[31m\n": 1, "c" * 100_000: 1}).split(
        "\n"
    )[:2]
    assert hidden == r"'b\u202e\x1b[31m\n' is not a parameter of this tool"
    assert long.startswith("'ccc")
    assert len(long) < 120


@pytest.mark.parametrize(
    ("profile", "tool", "arguments", "told"),
    [
        (
            "memory-server",
            "create_entities",
            {"entities": ["Mole"]},
            "entities[0] must be an object, got 'Mole'",
        ),
        (
            "memcp",
            "remember",
            {"entities": [{"name": "a", "kind": "b"}]},
            (
                "entities[0].kind is not a field that this tool takes\n"
                "The fields of entities[0] are name, id, content, type, labels, confidence, source;"
                " did you mean `type` for `kind`?"
            ),
        ),
        (
            "rye",
            "rye_search",
            {"query": "a", "scope": "tool", "project_path": "/", "fuzzy": {"letters": 1}},
            (
                "fuzzy.letters is not a field that this tool takes\n"
                "The fields of fuzzy are enabled, max_distance"
            ),
        ),
        (
            "rye",
            "rye_search",
            {"query": "a", "scope": "tool", "project_path": "/", "fields": {"text": "b"}},
            (
                "fields.text must be 'title', 'name', 'description', 'category' or 'content', "
                "got 'text'"
            ),
        ),
    ],
)
def test_a_wrong_field_of_an_argument_is_told_with_those_there_are(
    profile: str, tool: str, arguments: dict[str, object], told: str
) -> None:
    assert refusal(tool, arguments, profiles=[profile]) == told


@pytest.mark.parametrize(
    ("tool", "required"),
    [
        ("search", {"query": "a"}),
        ("context", {"query": "a"}),
        ("get", {"names": ["a"]}),
        ("overview", {}),
        ("remember", {"entities": [{"name": "a"}]}),
        ("link", {"from": "a", "relation": "R", "to": "b"}),
        ("forget", {"names": ["a"]}),
    ],
)
@pytest.mark.parametrize("nothing", [None, "", "null"])
def test_nothing_for_what_need_not_be_given_is_as_if_it_were_not(
    tool: str, required: dict[str, object], nothing: str | None
) -> None:
    # Clients of strict schemas make their model give every argument.
    (schema,) = (one["inputSchema"] for one in listed() if one["name"] == tool)
    nothings = dict.fromkeys(schema["properties"], nothing)
    # The memory knows nothing, so that a call which reaches it fails in its own way.
    reached = Stub(GraphmemError("reached"))
    said = refusal(tool, {**nothings, **required}, reached)
    assert said == refusal(tool, required, reached)
    assert " must " not in said


def test_a_tool_that_there_is_not_is_told_with_those_there_are() -> None:
    assert refusal("Search", {}) == (
        "there is no tool 'Search'; the tools are search, context, get, explore, overview, "
        "remember, link, forget, change, history"
    )


def test_the_fields_there_are_are_told_once_however_many_are_wrong() -> None:
    said = refusal("overview", {"colour": 1, "shade": 2})
    assert said == (
        "colour is not a parameter of this tool\nshade is not a parameter of this tool\n"
        "The parameters of overview are project"
    )


def test_very_many_wrong_arguments_are_told_by_the_first_five() -> None:
    said = refusal("get", {"names": list(range(40))})
    assert said.splitlines() == [f"names[{i}] must be text, got {i}" for i in range(5)]


def test_an_error_shows_nothing_that_no_person_sees() -> None:
    error = GraphmemError("there is no entity 'a\u202eb\x1b[31m'")
    assert refusal("overview", {}, Stub(error)) == "there is no entity 'ab[31m'"


def test_every_wrong_argument_is_named() -> None:
    said = refusal("search", {"query": "a", "limit": 0, "min_score": 9})
    assert [line.partition(" must ")[0] for line in said.splitlines()] == ["limit", "min_score"]


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("Redis cache", ["Redis cache"]),
        ('["a", "b"]', ["a", "b"]),
        ("[draft] Redis cache", ["[draft] Redis cache"]),
        ('"[\\"a\\", \\"b\\"]"', ["a", "b"]),
        ('"[draft] Redis cache"', ['"[draft] Redis cache"']),
        ('"[draft]"', ['"[draft]"']),
        ('{"name": "a"}', [{"name": "a"}]),
        ({"name": "a"}, [{"name": "a"}]),
        (None, []),
        (["a"], ["a"]),
        (7, 7),
    ],
)
def test_what_agents_send_for_a_list_is_understood(sent: object, meant: object) -> None:
    assert as_list(sent) == meant


@pytest.mark.parametrize("written", [list, json.dumps])
def test_what_agents_send_for_objects_is_understood(written: Callable[[object], object]) -> None:
    sent = ['{"name": "a"}', "b", {"name": "c"}]
    assert parameters.objects(written(sent)) == [{"name": "a"}, "b", {"name": "c"}]


def test_an_item_of_another_shape_is_refused_with_the_field_that_is_meant() -> None:
    read = Input.read(
        [{"name": "a", "type": "Person"}, {"title": "no name"}, "b"],  # type: ignore[list-item]
        [{"from": "a", "type": "KNOWS", "to": "b"}],
    )
    refused = [item for item in (*read.entities, *read.relations) if isinstance(item, Item)]
    assert [item.name for item in refused] == ["a", "?", "b", "a -[?]-> b"]
    assert "is its `kind`" in str(refused[0].reason)
    assert "is its `relation`" in str(refused[3].reason)


# Errors


def test_a_list_of_wrong_items_is_not_said_to_be_empty() -> None:
    assert refusal("get", {"names": [5]}) == "names[0] must be text, got 5"


def test_the_user_is_named_where_an_error_asks_for_a_command() -> None:
    error = DatabaseError("no Neo4j answers; run `graphmem doctor` to find out why")
    said = refusal("overview", {}, Stub(error))
    assert said == "no Neo4j answers; ask the user to run `graphmem doctor` to find out why"


def test_the_user_is_named_where_a_search_needs_a_command() -> None:
    class Degraded(Stub):
        def context(self, *_: object, **__: object) -> Context:
            return Context(
                "q", "p", "", 0, 256, (), 0, 0, degraded="run `graphmem reembed` to embed it"
            )

    async def ask() -> tuple[str, object]:
        async with Client(build(opening(Degraded()))) as client:
            result = await client.call_tool("context", {"query": "q"})
        return result.content[0].text, (result.structured_content or {})["degraded"]

    asked = "ask the user to run `graphmem reembed` to embed it"
    assert asyncio.run(ask()) == (f"Nothing was found in p. {asked}", asked)


def test_an_error_of_graphmem_is_told_word_for_word() -> None:
    assert refusal("overview", {}, Stub(GraphmemError("ask the other way"))) == "ask the other way"


def test_what_was_written_before_a_write_failed_is_told() -> None:
    items = (Item("entity", "A", "created"), Item("entity", "B", "refused", "why"))
    partial = PartialWrite(Report("p", items), DatabaseError("the disk is full"))
    said = refusal("remember", {"entities": [{"name": "A"}]}, Stub(partial))
    assert said.startswith("the disk is full; 1 entity and 0 relations were written before that")


def test_an_unforeseen_error_is_masked() -> None:
    said = refusal("overview", {}, Stub(ValueError("password hunter2")))
    assert said == "Error calling tool 'overview'"


def test_the_log_tells_where_an_error_came_from_but_not_what_it_says() -> None:
    secret = "hunter" + "2"
    with pytest.raises(ValueError, match=secret) as raised:
        raise ValueError(secret) from KeyError(secret)
    failed = (raised.type, raised.value, raised.tb)
    record = logging.LogRecord("a", logging.ERROR, "p", 1, "failed", None, failed)
    said = logs.Places("%(message)s").format(record)
    assert secret not in said
    assert "ValueError from KeyError" in said
    assert "test_server_unit" in said


@pytest.fixture
def own_loggers() -> Iterator[None]:
    """Loggers that are afterwards as they were."""
    loggers = [logging.getLogger(name) for name in logs.LOGGERS]
    before = [(logger, logger.level, logger.handlers, logger.propagate) for logger in loggers]
    yield
    for logger, level, handlers, propagates in before:
        logger.setLevel(level)
        logger.handlers, logger.propagate = handlers, propagates


@pytest.mark.usefixtures("own_loggers")
def test_no_level_of_the_log_shows_what_callers_send(capsys: pytest.CaptureFixture[str]) -> None:
    logs.to_stderr("DEBUG", calls=True)
    refusal("search", {"query": "hunter2"}, Stub(GraphmemError("nothing")))
    refusal("hunter2", {})
    said = capsys.readouterr().err
    assert "call tool=search" in said
    assert "hunter2" not in said


@pytest.mark.usefixtures("own_loggers")
def test_a_message_of_the_log_feigns_no_other_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.to_stderr("INFO", calls=True)
    logging.getLogger("graphmem").warning("%s is away", "model\n2026 ERROR x: \x1b[2Jgone")
    said = capsys.readouterr().err
    assert said.endswith("WARNING graphmem: model 2026 ERROR x: [2Jgone is away\n")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud83d"', "�"),
        (r'"\uDE00 \ud83d\ud83d\ude00"', "� �😀"),
        (r'"\\ud83d \\\ud83d"', "\\ud83d \\�"),
        (r'"\u0041 \n"', "A \n"),
    ],
)
def test_half_a_character_is_replaced_and_nothing_else(line: str, read: str) -> None:
    assert json.loads(repair.repaired(line.encode())) == read


@pytest.mark.parametrize("line", [b'{"id": 1}\n', b"\n", b"[\n", b"[" * 100_000, b"7\n"])
def test_a_line_that_is_no_batch_is_passed_on_as_it_is(line: bytes) -> None:
    assert repair.messages(line) == [line]


def test_a_handshake_goes_before_what_was_sent_while_the_server_started() -> None:
    initialize = b'{"method": "initialize", "id": 1}\n'
    others = [b'{"method": "server/discover", "id": 0}\n', b"[1]\n", b"{\n", b'{"id": 2}\n']
    lines = [*others[:2], initialize, *others[2:]]
    assert repair.handshake_first(lines) == [initialize, *others]
    assert repair.handshake_first(others) == others


@pytest.mark.parametrize("before", [b"", b" \t"])
def test_each_message_of_a_batch_is_a_line(before: bytes) -> None:
    lines = repair.messages(before + b'[{"id": 1}, {"id": 2}]\n')
    assert lines == [b'{"id": 1}\n', b'{"id": 2}\n']


def test_no_more_of_a_body_is_kept_than_is_taken() -> None:
    received = 0

    async def endless() -> dict[str, Any]:
        nonlocal received
        received += 1
        return {"type": "http.request", "body": b"x" * 1024 * 1024, "more_body": received < 50}

    async def app(scope: object, receive: Callable[[], Any], send: object) -> None:  # noqa: ARG001 - what a server calls
        message = await receive()
        assert message["more_body"]
        assert len(message["body"]) > repair.BODY_BYTES

    async def answer() -> None:
        await repair.RepairedBodies(app)(REQUEST, endless, cast("Any", None))

    asyncio.run(answer())
    assert received == repair.BODY_BYTES // (1024 * 1024) + 1


# The memory opens in the background


def test_a_call_waits_for_the_memory() -> None:
    stub = Stub()
    assert opening(stub).memory() is as_memory(stub)


def test_a_call_that_waited_too_long_is_told_so() -> None:
    release = threading.Event()

    def opens() -> Memory:
        release.wait()
        return as_memory(Stub())

    slow = LazyMemory(opens, seconds=0.01)
    with pytest.raises(ToolError, match=STARTING):
        slow.memory()
    assert slow.state == "starting"
    release.set()


def test_a_memory_that_could_not_be_opened_is_opened_again_at_the_next_call() -> None:
    stub = Stub()
    twice = opening(ConfigurationError("no Java"), stub)
    with pytest.raises(ConfigurationError, match="no Java"):
        twice.memory()
    assert twice.memory() is as_memory(stub)
    assert twice.state == "ready"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_that_nobody_foresaw_is_told_without_its_words_and_not_for_good() -> None:
    stub = Stub()
    twice = opening(ValueError("password hunter2"), stub)
    with pytest.raises(ToolError) as raised:
        twice.memory()
    assert str(raised.value) == BROKEN
    for thread in threading.enumerate():
        if thread.name == "graphmem-open":
            thread.join()  # its error is this test's
    assert twice.state == "failed"
    assert twice.memory() is as_memory(stub)


def test_it_is_opened_once_however_often_it_is_asked_for() -> None:
    stub = Stub()
    once = opening(stub)
    once.begin()
    once.begin()
    assert once.memory() is once.memory() is as_memory(stub)


def test_while_it_is_opened_nobody_opens_it_a_second_time() -> None:
    stub, release, begun = Stub(), threading.Event(), []

    def opens() -> Memory:
        begun.append(stub)
        release.wait()
        return as_memory(stub)

    slow = LazyMemory(opens)
    for _ in range(3):
        slow.begin()
    release.set()
    assert slow.memory() is as_memory(stub)
    for thread in threading.enumerate():
        if thread.name == "graphmem-open":
            thread.join()
    assert len(begun) == 1


def test_closing_closes_the_memory() -> None:
    stub = Stub()
    opened = opening(stub)
    opened.memory()
    opened.close()
    assert stub.closed
    assert opened.state == "closed"


def test_a_memory_that_opens_after_the_end_is_closed_at_once() -> None:
    stub, release = Stub(), threading.Event()

    def opens() -> Memory:
        release.wait()
        return as_memory(stub)

    late = LazyMemory(opens)
    late.begin()
    late.close()
    release.set()
    for thread in threading.enumerate():
        if thread.name == "graphmem-open":
            thread.join()
    assert stub.closed


# Who may call over HTTP


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
def test_loopback_takes_no_token(host: str) -> None:
    assert http.bearer(None, host) is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])  # noqa: S104 - what is refused
def test_any_other_address_takes_a_token(host: str) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_TOKEN"):
        http.bearer(None, host)


@pytest.mark.parametrize(
    ("sent", "let_in"), [(TOKEN, True), (TOKEN[:-1], False), ("öpen", False), ("", False)]
)
def test_only_the_token_lets_in(sent: str, let_in: bool) -> None:  # noqa: FBT001 - a table
    door = http.bearer(Secret(TOKEN), "127.0.0.1")
    assert door is not None
    assert (asyncio.run(door.verify_token(sent)) is not None) == let_in


@pytest.mark.parametrize(
    "token", ["a", "fifteen-letters", "open sesame open sesame", "öpen-sesame-öpen-sesame"]
)
def test_a_token_that_can_be_guessed_or_not_sent_is_refused_without_being_told(token: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        http.bearer(Secret(token), "127.0.0.1")
    assert "at least 16" in str(raised.value)
    assert "secrets.token_urlsafe" in str(raised.value)
    assert len(token) == 1 or token not in str(raised.value)


def test_a_taken_port_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"at 127.0.0.1 port {port}"):
            http._listening("127.0.0.1", port)


# The handshake waits for nothing

LISTS_TOOLS = """
import asyncio, sys
from types import SimpleNamespace
from fastmcp import Client, FastMCP
from graphmem.arguments import as_list
from graphmem.server import LazyMemory, build

async def main():
    opening = LazyMemory(lambda: SimpleNamespace(close=lambda: None))
    async with Client(build(opening, profiles=sys.argv[1:])) as client:
        assert await client.list_tools()
        for module in (
            "sentence_transformers", "torch", "transformers", "onnxruntime", "neo4j", "git",
            "graphmem.transfer", "graphmem.write",
        ):  # fmt: skip
            assert module not in sys.modules, module

asyncio.run(main())
"""


def run_python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_listing_tools_imports_neither_torch_nor_the_driver(profile: str | None) -> None:
    ended = run_python(LISTS_TOOLS, *([] if profile is None else [profile]))
    assert ended.returncode == 0, ended.stderr


def test_a_stray_env_file_of_the_folder_is_not_fastmcps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("FASTMCP_LOG_LEVEL=nonsense\n")
    monkeypatch.chdir(tmp_path)
    ended = run_python("import graphmem.server")
    assert ended.returncode == 0, ended.stderr


class Recording(FastMCP[Any]):
    """Takes down how it is to be served, and ends at once."""

    options: dict[str, Any]

    async def run_http_async(self, **options: Any) -> None:  # type: ignore[override]  # noqa: ANN401 - as given
        self.options = options


def test_calls_in_flight_are_answered_before_a_container_ends_the_server() -> None:
    app = Recording("recording")
    handlers = [signal.getsignal(number) for number in STOP_SIGNALS]
    try:
        http.serve(app, opening(Stub()), "127.0.0.1", 0)
    finally:
        for number, handler in zip(STOP_SIGNALS, handlers, strict=True):
            signal.signal(number, handler)
    usual_seconds_of_a_container = 10
    seconds = app.options["uvicorn_config"]["timeout_graceful_shutdown"]
    assert 5 < seconds < usual_seconds_of_a_container
