"""Where a scope holds most of a store, indexes are asked without its filters: the same answers."""

import pytest

from fakes import FakeEmbedder
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.model import StoreModel
from graphmem.search.scopes import PATIENCE, Scopes

LARGE, SMALL = 260, 12
PLACES = ("harbour", "quay", "lock", "weir", "canal", "basin", "slip")


@pytest.fixture(scope="module")
def large(graph: Graph) -> Memory:
    return filled(graph, "example.org/tests/scopes-large", LARGE)


@pytest.fixture(scope="module")
def small(graph: Graph, large: Memory) -> Memory:  # noqa: ARG001 - written first
    return filled(graph, "example.org/tests/scopes-small", SMALL)


def filled(graph: Graph, project: str, count: int) -> Memory:
    """Boats that lie in places; each tenth is forgotten."""
    memory = Memory(graph, StoreModel(graph, FakeEmbedder(), waits=True, read_only=False), project)
    memory.remember(
        {
            "name": f"Vraxil {i}",
            "text": f"A vraxil in the {PLACES[i % 7]} {'by night ' * (i % 99)}.",
        }
        for i in range(count)
    )
    memory.forget([f"Vraxil {i}" for i in range(0, count, 10)])
    return memory


def test_a_scope_is_tried_again_after_a_while() -> None:
    scopes = Scopes()
    assert scopes.tested_legs(("a", "b")) == {"text", "vector"}
    scopes.too_little_passed(("a", "b"), ["text"])
    assert scopes.tested_legs(("a",)) == {"text", "vector"}
    for _ in range(PATIENCE - 1):
        assert scopes.tested_legs(("a", "b")) == {"vector"}
    assert scopes.tested_legs(["a", "b"]) == {"vector"}
    assert scopes.tested_legs(["a", "b"]) == {"text", "vector"}


@pytest.mark.parametrize("query", ["vraxil", "vraxil weir", "vraxil quay night", "Vraxil 17"])
def test_the_answer_is_the_same_with_filters_and_without(
    large: Memory, small: Memory, query: str
) -> None:
    for memory, most in ((large, LARGE), (small, SMALL)):
        asked = [ids(memory, query, tested=tested) for tested in (True, False)]
        assert asked[0] == asked[1]
        assert 0 < len(asked[0]) <= most - most // 10


def ids(memory: Memory, query: str, *, tested: bool) -> list[tuple[str, float]]:
    memory.scopes = Scopes()
    if not tested:
        for scope in ((memory.project_name(),), projects(memory)):
            memory.scopes.too_little_passed(scope, ["text", "vector"])
    hits = memory.search(query, limit=50).hits
    assert {hit.project for hit in hits} == {memory.project_name()}
    return [(hit.name, round(hit.score, 9)) for hit in hits]


def projects(memory: Memory) -> tuple[str, ...]:
    """The scope of a search in its layers."""
    return (memory.project_name(), "@user", "@system")


def test_a_small_scope_is_asked_twice_once(graph: Graph, small: Memory) -> None:
    small.scopes = Scopes()
    counts = []
    for _ in range(3):
        before = graph.statements
        assert len(small.search("vraxil", limit=50).hits) == SMALL - 2
        counts.append(graph.statements - before)
    assert counts == [2, 1, 1]


def test_a_large_scope_is_asked_once(graph: Graph, large: Memory) -> None:
    large.scopes = Scopes()
    before = graph.statements
    answer = large.search("vraxil weir")
    assert graph.statements == before + 1
    assert answer.total >= 100


def test_filters_and_operators_find_the_same_wherever_the_index_is_asked(large: Memory) -> None:
    large.scopes = Scopes()
    assert large.search("vraxil AND weir", limit=200).total == weirs()
    assert large.search("vraxil", kinds=["Boat"]).total == 0
    forgotten = large.search("vraxil", status=["forgotten"], limit=200)
    assert forgotten.total == len(range(0, LARGE, 10))


def weirs() -> int:
    return sum(1 for i in range(LARGE) if i % 7 == PLACES.index("weir") and i % 10)
