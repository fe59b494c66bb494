"""Opening a memory: which server, which project, what may be written."""

from pathlib import Path

import pytest

from fakes import FakeEmbedder
from graphmem.errors import DatabaseError, DatabaseUnavailable, InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model.secret import Secret
from graphmem.settings import Settings
from neo4j_servers import until


def elsewhere(graph: Graph, scheme: str, password: str | None = None) -> Settings:
    """Settings that name this run's server as if it were somebody else's."""
    target = graph._target
    return Settings(
        neo4j_uri=target.uri.replace("bolt://", f"{scheme}://"),
        neo4j_password=Secret(password or target.password or ""),
    )


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_server_that_is_named_is_used_by_any_scheme(
    graph: Graph, project: str, scheme: str
) -> None:
    config = elsewhere(graph, scheme)
    with Memory.open(project=project, config=config, embedder=FakeEmbedder()) as memory:
        memory.remember([{"name": "Pier", "text": "a long jetty"}])
        assert memory.search("jetty").hits[0].name == "Pier"
        assert memory.search("jetty").project == project


def test_opening_reports_a_wrong_password(graph: Graph, project: str) -> None:
    config = elsewhere(graph, "bolt", "wrong-password")
    with pytest.raises(DatabaseError, match="NEO4J_PASSWORD"):
        Memory.open(project=project, config=config, embedder=FakeEmbedder())


def test_opening_reports_an_unreachable_server(project: str) -> None:
    config = Settings(neo4j_uri="bolt://127.0.0.1:1", neo4j_password=Secret("x"))
    with pytest.raises(DatabaseUnavailable, match="graphmem doctor"):
        Memory.open(project=project, config=config, embedder=FakeEmbedder())


@pytest.mark.usefixtures("graph")
def test_the_project_is_that_of_the_folder(config: Settings, tmp_path: Path) -> None:
    with Memory.open(folder=tmp_path, config=config, embedder=FakeEmbedder()) as memory:
        assert memory.project is not None
        assert memory.project.startswith(f"{tmp_path.name}-")


@pytest.mark.usefixtures("graph")
def test_without_a_folder_every_call_names_its_project(config: Settings, project: str) -> None:
    with Memory.open(config=config, embedder=FakeEmbedder(), detect_project=False) as memory:
        with pytest.raises(InvalidInput, match="project is required"):
            memory.search("x")
        assert memory.search("x", project=project).project == project


def test_a_read_only_memory_reads_and_refuses_to_write(
    memory: Memory, config: Settings, project: str
) -> None:
    memory.remember([{"name": "Pier", "text": "a long jetty"}])
    with Memory.open(
        project=project, config=config, embedder=FakeEmbedder(), read_only=True
    ) as reader:
        assert reader.search("jetty").hits[0].name == "Pier"
        with pytest.raises(DatabaseError, match="read-only"):
            reader.remember([{"name": "B"}])
        with pytest.raises(DatabaseError, match="read-only"):
            reader.forget("Pier")
        with pytest.raises(DatabaseError, match="read-only"):
            reader.link("Pier", "IS", "Pier")
    assert memory.stats().entities == 1


@pytest.mark.usefixtures("graph")
def test_a_server_embeds_waiting_passages_once_its_model_is_loaded(
    config: Settings, project: str
) -> None:
    embedder = FakeEmbedder()
    embedder.state, embedder.reason = "loading", "the model is still loading"
    with Memory.open(
        project=project, config=config, embedder=embedder, wait_for_model=False
    ) as memory:
        memory.remember([{"name": "Pier", "text": "a long jetty"}])
        assert memory.stats().pending == 1
        embedder.state, embedder.reason = "ready", None
        until(lambda: memory.stats().pending == 0)
