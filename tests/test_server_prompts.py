"""Prompts and resources: what people have their client send or attach, over MCP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import Implementation

from agents import Agent, agent_of, checkout, serving
from fakes import FakeEmbedder
from graphmem.memory import Memory

pytestmark = pytest.mark.usefixtures("environment")


@pytest.fixture
def agent(memory: Memory, project: str) -> Iterator[Agent]:
    """A client of a server whose project holds a decision and two services."""
    memory.remember(
        [
            {"name": "Be quick", "kind": "Decision", "text": "Sessions are kept in Redis."},
            {"name": "a/../b c?d", "kind": "Service"},
            {"name": "Session store", "kind": "Service"},
        ],
        [{"from": "Be quick", "relation": "CONCERNS", "to": "Session store"}],
    )
    with serving(FakeEmbedder(), None, project=project) as agent:
        yield agent


def prompt(agent: Agent, name: str, **arguments: str) -> str:
    (message,) = agent.portal.call(agent.client.get_prompt, name, arguments).messages
    assert message.role == "user"
    return str(message.content.text)


def resource(agent: Agent, uri: str) -> dict[str, Any]:
    (content,) = agent.portal.call(agent.client.read_resource, uri)
    assert content.mime_type == "application/json"
    return dict(json.loads(content.text))


def test_clients_list_two_prompts_and_the_overview(agent: Agent) -> None:
    prompts = agent.portal.call(agent.client.list_prompts)
    arguments = {prompt.name: prompt.arguments or [] for prompt in prompts}
    assert {name: [argument.name for argument in taken] for name, taken in arguments.items()} == {
        "recall": ["question", "project"],
        "remember": ["what"],
    }
    all_arguments = [argument for taken in arguments.values() for argument in taken]
    assert not any(argument.required for argument in all_arguments)
    assert not any("JSON" in str(argument.description) for argument in all_arguments)
    assert [prompt.meta for prompt in prompts] == [None, None]
    resources = agent.portal.call(agent.client.list_resources)
    assert [str(resource.uri) for resource in resources] == ["memory://overview"]
    templates = agent.portal.call(agent.client.list_resource_templates)
    assert {template.name for template in templates} == {"overview", "entity"}
    assert [resource.meta for resource in resources] == [None]
    assert [template.meta for template in templates] == [None, None]


def test_recall_asks_with_what_is_known(agent: Agent, project: str) -> None:
    text = prompt(agent, "recall", question="where do sessions live?")
    assert text.startswith("where do sessions live?\n\n")
    assert "> Sessions are kept in Redis." in text
    assert f"From the memory of {project}" in text
    same = prompt(agent, "recall", question="where do sessions live?", project=project)
    assert same == text


def test_recall_without_a_question_has_the_model_look_it_up(agent: Agent) -> None:
    for arguments in ({}, {"question": " "}):
        assert prompt(agent, "recall", **arguments).startswith(
            "Look up in graphmem, with `context`"
        )


def test_a_client_that_passes_on_one_word_is_offered_no_arguments(
    environment: dict[str, str], tmp_path: Path
) -> None:
    folder = checkout(tmp_path, "example.org/tests/prompts")
    client = Implementation(name="claude-code", version="2")
    with agent_of(environment, folder, client=client) as agent:
        prompts = agent.portal.call(agent.client.list_prompts)
    assert [(prompt.name, prompt.arguments) for prompt in prompts] == [
        ("recall", []),
        ("remember", []),
    ]


def test_remember_says_how_to_write_and_what(agent: Agent) -> None:
    assert "will matter later.\n" in prompt(agent, "remember")
    assert "will matter later: the choice of Redis.\n" in prompt(
        agent, "remember", what="the choice of Redis"
    )


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("recall", {"question": "x", "project": "a\nb"}, "project must not contain control"),
        (
            "recall",
            {"query": "x"},
            "'query' is not an argument of recall; its arguments are question,",
        ),
        ("recall", {"question": "x" * 20_000}, "question must have at most 10,000 characters"),
    ],
)
def test_a_wrong_argument_is_named(
    agent: Agent, name: str, arguments: dict[str, str], sentence: str
) -> None:
    with pytest.raises(MCPError, match=sentence):
        prompt(agent, name, **arguments)


def test_resources_are_what_the_tools_answer(agent: Agent, project: str) -> None:
    overview = resource(agent, "memory://overview")
    assert (overview["project"], overview["entities"]) == (project, 3)
    assert resource(agent, f"memory://overview?project={project}") == overview
    (entity,) = resource(agent, "memory://entity/Be%20quick")["entities"]
    assert entity["text"] == "Sessions are kept in Redis."
    assert [relation["name"] for relation in entity["relations"]] == ["Session store"]
    (odd,) = resource(agent, "memory://entity/a/..%2Fb%20c%3Fd")["entities"]
    assert odd["name"] == "a/../b c?d"


def test_a_resource_that_is_not_there_is_named(agent: Agent, project: str) -> None:
    with pytest.raises(MCPError, match=f"there is no entity 'Nothing' in {project}"):
        resource(agent, "memory://entity/Nothing")
    with pytest.raises(MCPError, match="project must not"):
        resource(agent, "memory://overview?project=a%0Ab")
    with pytest.raises(MCPError, match=r"^name must be a name that is not blank"):
        resource(agent, "memory://entity/%20")
    for uri in ("memory://overview/x", "memory://entity/", "memory://", "other://overview"):
        with pytest.raises(MCPError, match="Resource not found"):
            resource(agent, uri)


@pytest.mark.parametrize("level", ["INFO", "DEBUG"])
def test_no_log_tells_what_was_asked_for(
    environment: dict[str, str], tmp_path: Path, project: str, level: str
) -> None:
    folder = checkout(tmp_path, project)
    with agent_of(environment | {"GRAPHMEM_LOG_LEVEL": level}, folder) as agent:
        with pytest.raises(MCPError, match="there is no entity 'my secret'"):
            resource(agent, "memory://entity/my%20secret")
        with pytest.raises(MCPError, match="got 'my secret"):
            prompt(agent, "recall", question="my secret" * 2_000)
        prompt(agent, "recall", question="my secret")
    log = (folder / "log").read_text()
    assert "resource=entity" in log
    assert "prompt=recall" in log
    assert "secret" not in log


def test_a_profile_of_another_tool_has_neither(memory: Memory, project: str) -> None:  # noqa: ARG001 - it runs
    with serving(FakeEmbedder(), "memory-server", project=project) as agent:
        assert agent.portal.call(agent.client.list_prompts) == []
        assert agent.portal.call(agent.client.list_resources) == []
        assert agent.portal.call(agent.client.list_resource_templates) == []
