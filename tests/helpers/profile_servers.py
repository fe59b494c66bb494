"""A server of a profile, which the tests of a file share and leave empty."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from agents import Agent, serving
from graphmem.embedding import BackgroundEmbedder
from graphmem.graph import Graph

FORGET_ALL = (
    "MATCH (e:Entity {project: $project}) OPTIONAL MATCH (e)-[:HAS_PASSAGE]->(p) DETACH DELETE e, p"
)
Fixture = Callable[..., Any]


def server_of(
    profile: str, project_name: str, *, layers: Iterable[str] = ()
) -> tuple[Fixture, Fixture, Fixture]:
    """The fixtures `served`, `project` and `agent` of a file: name them so where they are assigned.

    Args:
        profile: The profile.
        project_name: The project of the server, which no other file uses.
        layers: The layers that may be written.
    """

    @pytest.fixture(scope="module")
    def served(real_model: BackgroundEmbedder) -> Iterator[Agent]:
        """One server for all tests."""
        with serving(real_model, profile, project=project_name, layers=layers) as agent:
            yield agent

    @pytest.fixture
    def project() -> str:
        """The project of the server."""
        return project_name

    @pytest.fixture
    def agent(served: Agent, graph: Graph) -> Iterator[Agent]:
        """The server, whose project is empty again after the test."""
        yield served
        with graph._session("WRITE") as cleaning:
            cleaning.run(FORGET_ALL, project=project_name)

    return served, project, agent
