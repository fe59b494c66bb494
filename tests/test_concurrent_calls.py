"""Many at once, and what is left when something is missing: every answer is right or says so."""

from functools import partial
from typing import Any

import neo4j
import pytest

from concurrent_calls import at_once
from fakes import FakeEmbedder, OddEmbedder
from graphmem import statements
from graphmem.errors import IndexNotReady
from graphmem.graph import Graph, Row
from graphmem.graph.errors import our_errors
from graphmem.memory import Memory
from graphmem.memory.store.model import StoreModel
from memories import memory_with

SEARCHERS = 32
WRITERS = 4
ROUNDS = 6


def test_32_searches_and_4_writers_at_once_are_right(memory: Memory) -> None:
    memory.remember(
        [{"name": f"Boat {i}", "text": f"steady mooring line {i}"} for i in range(50)],
        [{"from": f"Boat {i}", "relation": "BESIDE", "to": f"Boat {i + 1}"} for i in range(49)],
    )

    def search(turn: int) -> None:
        for round_ in range(ROUNDS):
            number = (turn * 7 + round_) % 50
            answer = memory.search(f"Boat {number}", limit=5)
            assert answer.hits[0].name == f"Boat {number}", answer.hits[0]
            assert answer.degraded is None

    def write(turn: int) -> None:
        for round_ in range(ROUNDS):
            names = [f"Ship {turn} {round_} {i}" for i in range(20)]
            report = memory.remember([{"name": name, "text": "a ship under way"} for name in names])
            assert {item.outcome for item in report.items} == {"created"}

    searches = [partial(search, turn) for turn in range(SEARCHERS)]
    at_once(*searches, *(partial(write, turn) for turn in range(WRITERS)))
    assert memory.stats().entities == 50 + WRITERS * ROUNDS * 20


@pytest.mark.parametrize("state", ["loading", "failed"])
def test_without_a_model_words_and_links_answer_and_a_note_says_so(
    graph: Graph, memory: Memory, project: str, state: str
) -> None:
    memory.remember(
        [{"name": "Pier", "text": "a long jetty"}, {"name": "Lamp"}],
        [{"from": "Pier", "relation": "CARRIES", "to": "Lamp"}],
    )
    broken = FakeEmbedder()
    broken.state, broken.reason = state, f"the model is {state}"  # type: ignore[assignment]
    server = Memory(graph, StoreModel(graph, broken, wait_for_model=False, read_only=True), project)
    answer = server.search("jetty")
    assert [hit.name for hit in answer.hits] == ["Pier", "Lamp"]
    assert answer.hits[1].via[0].relation == "CARRIES"
    assert state in (answer.degraded or "")
    assert server.search("jetty", mode="keyword").degraded is None
    by_words = server.search("jetty", mode="semantic")
    assert [hit.name for hit in by_words.hits] == ["Pier", "Lamp"]
    assert "searched by words and links only" in (by_words.degraded or "")
    server.model.close()


def test_a_failed_embedding_is_noted_in_the_answer(graph: Graph, project: str) -> None:
    memory = memory_with(OddEmbedder(), graph, project)
    memory.remember([{"name": "Pier", "text": "a long jetty"}])
    answer = memory.search("jetty")
    assert [hit.name for hit in answer.hits] == ["Pier"]
    assert "letters too many" in (answer.degraded or "")


VECTOR = neo4j.Query(
    "CYPHER 25 MATCH (passage:Passage) SEARCH passage IN "
    "(VECTOR INDEX graphmem_passage_embedding FOR $vector LIMIT 5) RETURN count(*) AS found"
)


def test_an_index_that_is_being_filled_has_an_error_of_its_own(
    graph: Graph, memory: Memory, session: neo4j.Session
) -> None:
    """Dropped and made again until a search meets it half filled."""
    memory.remember([{"name": f"Boat {i}", "text": f"mooring line {i}"} for i in range(1_500)])
    made = neo4j.Query(statements.load("schema/005_passage_embedding").text)
    met = False
    for _ in range(30):
        session.run("DROP INDEX graphmem_passage_embedding").consume()
        session.run(made).consume()
        try:
            with our_errors(graph._target):
                session.run(VECTOR, {"vector": [0.1] * 384}).consume()
        except IndexNotReady as error:
            met = "being filled" in str(error)
        session.run("CALL db.awaitIndexes(60)").consume()
        if met:
            break
    assert met


def test_while_the_vector_index_fills_words_and_links_answer(
    graph: Graph, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": "Pier", "text": "a long jetty"}])
    read = graph.read

    def filling(name: str, /, **parameters: Any) -> list[Row]:  # noqa: ANN401 - as the graph's
        if parameters.get("search", {}).get("vector") is not None:
            raise IndexNotReady("an index is still being filled")
        return read(name, **parameters)

    monkeypatch.setattr(graph, "read", filling)
    answer = memory.search("jetty")
    assert [hit.name for hit in answer.hits] == ["Pier"]
    assert "being filled" in (answer.degraded or "")
