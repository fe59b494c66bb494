"""What the tests of memcp's tools share; a file takes the fixtures that it uses."""

from collections.abc import Iterator
from typing import Any

import pytest

from agents import Agent, checkout, serving
from graphmem.adapters.memcp.profile.reflection import upkeep_of
from graphmem.adapters.memcp.profile.tools import Tools
from graphmem.embedding import BackgroundEmbedder
from graphmem.memory import Memory

REMOTE = "git.example.org/tests/memcp-shop"
AUTH = {
    "name": "auth-service", "type": "service", "labels": ["backend", "security"],
    "content": "Signs people in and hands out tokens.", "confidence": 0.9, "source": "a talk",
}  # fmt: skip
USERS = {"name": "user-store", "type": "service", "labels": ["backend"], "content": "Holds people."}
MAIL = {"name": "mailer", "type": "tool", "labels": ["mail"], "content": "Writes letters."}
USES = {"from": "auth-service", "to": "user-store", "type": "depends_on", "weight": 0.8}


@pytest.fixture(scope="module")
def agent(
    real_model: BackgroundEmbedder,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Agent]:
    folder = checkout(tmp_path_factory.mktemp("memcp"), REMOTE)
    with serving(real_model, "memcp", folder=folder) as agent:
        yield agent


@pytest.fixture
def context(agent: Agent, project: str) -> str:
    """A context with two linked entities and one apart."""
    agent.call("remember", entities=[AUTH, USERS, MAIL], relations=[USES], context=project)
    return project


@pytest.fixture
def tools(memory: Memory) -> Iterator[Tools]:
    """The tools over a memory in this process, with the fake model."""
    yield Tools(lambda: memory)
    upkeep_of(memory).close()


def names(answer: dict[str, Any]) -> list[str]:
    return [entity["name"] for entity in answer["entities"]]


def entity(agent: Agent, written: str, context: str = "") -> dict[str, Any] | None:
    found = agent.call("get_entity", id=written, context=context)["result"]
    assert found is None or isinstance(found, dict)
    return found


def stale(memory: Memory, name: str, days: int, weight: float = 1.0) -> str:
    """Make as if an entity had last been found so many days ago."""
    key = memory.get(name)[0].entity.key or ""
    with memory.graph._session("WRITE") as session:
        session.run(
            "MATCH (e:Entity {key: $key}) SET e.accessed = datetime() - duration({days: $days}), "
            "e.decay_weight = $weight",
            key=key, days=days, weight=weight,
        )  # fmt: skip
    return key


def uses(memory: Memory, *names: str) -> list[tuple[int, float]]:
    keys = [page.entity.key or "" for page in memory.get(names)]
    found = upkeep_of(memory).uses(keys)
    return [(found[key].access_count, found[key].decay_weight) for key in keys]
