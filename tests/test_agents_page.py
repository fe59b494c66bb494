"""What docs/agents.md tells: its calls are made by a real client, its figures are the code's."""

import json
import re
import shlex
import tomllib
from typing import Any

import pytest

from agents import serving
from doc_pages import blocks, page
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli.context import context
from graphmem.cli.importing import import_
from graphmem.cli.serve import serve
from graphmem.cli.show import overview
from graphmem.model.context import BUDGET, BUDGETS
from graphmem.server import app, parameters, tools

PAGE = page("agents")
CALLS = [
    (tool, json.loads(arguments))
    for tool, arguments in re.findall(r"^```json (\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
]


def table() -> dict[str, str]:
    """The limits of each tool."""
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", PAGE, re.MULTILINE)
    return dict(rows)


def configured() -> list[dict[str, Any]]:
    """How each configuration of the page starts the server."""
    loaded = [json.loads(block) for block in blocks(PAGE, "json")]
    loaded += [tomllib.loads(block) for block in blocks(PAGE, "toml")]
    return [
        server
        for configuration in loaded
        for servers in configuration.values()
        for server in servers.values()
    ]


# The calls


@pytest.mark.usefixtures("environment")
def test_the_calls_of_the_page_are_answered(embedder: FakeEmbedder, project: str) -> None:
    with serving(embedder, None, project=project) as agent:
        assert agent.tools() == set(table())
        answers = {tool: agent.call(tool, **arguments) for tool, arguments in CALLS}
    assert [answers[tool]["entities"]["refused"] for tool in ("remember", "change", "forget")] == [
        0, 0, 0,
    ]  # fmt: skip
    assert answers["remember"]["relations"]["created"] == 1
    assert answers["link"]["relations"]["created"] == 1
    assert answers["search"]["hits"][0]["name"] == "Redis cache"
    assert "> Sessions are kept in Redis" in answers["context"]["text"]
    assert [entity["name"] for entity in answers["get"]["entities"]] == [
        "Redis cache",
        "Session store",
    ]
    assert [
        (entity["from"], entity["relation"], entity["name"])
        for entity in answers["explore"]["entities"]
    ] == [("Redis cache", "CONCERNS", "Session store")]
    assert answers["overview"]["entities"] == 2
    assert [revision["verb"] for revision in answers["history"]["revisions"]] == [
        "link",
        "remember",
    ]


@pytest.mark.usefixtures("environment")
def test_an_error_names_the_argument_of_the_tool(embedder: FakeEmbedder, project: str) -> None:
    with serving(embedder, None, project=project) as agent:
        agent.call("remember", entities=[{"name": "a"}])
        blank = agent.refusal("change", action="rename", name="a", to="")
        same = [
            agent.refusal("change", action=action, name="a", to="a")
            for action in ("merge", "supersede")
        ]
        no_moment = agent.refusal("history", name="a", as_of="now")
        no_names = [
            agent.refusal("change", action="merge", name="a", to=" "),
            agent.refusal("explore", name="a", to=" "),
            agent.refusal("link", remove=True, **{"from": "a", "relation": "R", "to": " "}),
            agent.refusal("change", action="rename", name=" ", to="a"),
            agent.refusal("history", name=" "),
        ]
        assert agent.text("context", query="zebra") == f"Nothing was found in {project}"
    assert blank == "to is required to rename"
    assert [words.partition(",")[0] for words in same] == [
        "to must be another entity than a; both names lead to the same one"
    ] * 2
    assert no_moment.startswith("as_of must ")
    assert [words.partition(" must ")[0] for words in no_names] == ["to"] * 3 + ["name"] * 2


def test_every_tool_has_a_call() -> None:
    assert sorted(tool for tool, _ in CALLS) == sorted(table())


@pytest.mark.usefixtures("environment")
def test_a_call_names_only_arguments_that_the_tool_lists(embedder: FakeEmbedder) -> None:
    with serving(embedder, None) as agent:
        listed = {one.name: one.input_schema for one in agent.portal.call(agent.client.list_tools)}
    for tool, arguments in CALLS:
        assert arguments.keys() <= listed[tool]["properties"].keys(), tool


# What is said


def test_the_instructions_are_those_that_a_client_gets() -> None:
    messages = [app.INSTRUCTIONS, app.INSTRUCTIONS_WITHOUT_PROJECT]
    assert blocks(PAGE, "text") == [f"{text}\n" for text in messages]


def test_the_limits_are_those_of_the_code() -> None:
    told = table()
    least, most = BUDGETS
    assert told["context"] == f"{least:,} to {most:,} tokens, by default {BUDGET:,}"
    assert told["get"] == told["forget"] == f"{parameters.NAMES} names"
    assert told["remember"] == f"{parameters.ITEMS} entities and {parameters.ITEMS} relations"
    most, usual = parameters.MOST_CHANGES, parameters.CHANGES
    assert told["history"].startswith(f"1 to {most} changes, by default {usual}")
    assert f"those of {tools.DAYS} days" in told["history"]


# The clients


def test_every_configuration_starts_the_server() -> None:
    assert len(configured()) == 7
    for server in configured():
        command = server["command"]
        program, *arguments = command if isinstance(command, list) else (command, *server["args"])
        assert program == "graphmem"
        started, _, _ = cli.make_app().parse_args(arguments, exit_on_error=False)
        assert started is serve


def test_every_command_that_adds_a_server_starts_it() -> None:
    added = [
        line.partition(" -- ")[2] for block in blocks(PAGE, "sh") for line in block.splitlines()
    ]
    assert [line for line in added if line] == ["graphmem serve"] * 3


def hooks() -> dict[str, str]:
    """The command of each event of Claude Code."""
    told = [json.loads(block)["hooks"] for block in blocks(PAGE, "jsonc")]
    return {
        event: entry["hooks"][0]["command"] for hooks in told for event, [entry] in hooks.items()
    }


def test_the_hook_of_a_session_shows_an_overview() -> None:
    program, *arguments = hooks()["SessionStart"].split()
    assert program == "graphmem"
    command, _, _ = cli.make_app().parse_args(arguments, exit_on_error=False)
    assert command is overview


def test_the_hook_of_a_prompt_shows_what_is_known_about_it() -> None:
    hook, _, otherwise = hooks()["UserPromptSubmit"].partition(" || ")
    assert otherwise == "true"
    program, *arguments = shlex.split(hook)
    assert (program, arguments[-1]) == ("graphmem", "$(jq -r .prompt)")
    command, bound, _ = cli.make_app().parse_args(
        [*arguments[:-1], "-why do we retry?"], exit_on_error=False
    )
    assert command is context
    assert bound.args == ("-why do we retry?",)


def test_the_hook_of_an_ended_session_imports_what_was_said() -> None:
    program, *arguments = shlex.split(hooks()["SessionEnd"])
    assert (program, arguments[-1]) == ("graphmem", "$(jq -r .transcript_path)")
    command, bound, _ = cli.make_app().parse_args(
        [*arguments[:-1], "a b/session.jsonl"], exit_on_error=False
    )
    assert command is import_
    assert bound.args == ("conversations", "a b/session.jsonl")
