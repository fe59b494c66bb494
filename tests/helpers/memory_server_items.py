"""Entities and relations of MCP's reference memory server, as its tools take and give them."""

from typing import Any

import pytest

from agents import Agent


def node(name: str, kind: str = "person", *observations: str) -> dict[str, Any]:
    return {"name": name, "entityType": kind, "observations": list(observations)}


def link(start: str, relation: str, end: str) -> dict[str, Any]:
    return {"from": start, "to": end, "relationType": relation}


ANNA = node("Anna Weber", "person", "Likes tea", "Works at sea")
FEED = node("Tide feed", "service")
WORKS = link("Anna Weber", "works on", "Tide feed")
NOTHING: dict[str, Any] = {"entities": [], "relations": []}


@pytest.fixture
def anna(agent: Agent) -> Agent:
    """The server of a project with two entities and a relation."""
    agent.call("create_entities", entities=[ANNA, FEED])
    agent.call("create_relations", relations=[WORKS])
    return agent


def opened(agent: Agent, *names: str) -> dict[str, Any]:
    return agent.call("open_nodes", names=names)


def names(answer: dict[str, Any]) -> list[str]:
    return [entity["name"] for entity in answer["entities"]]
