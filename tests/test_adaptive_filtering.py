"""Where a scope holds most of a store, indexes are asked without its filters: the same answers."""

from collections.abc import Callable
from typing import Any

import pytest

from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.search.adaptive_filtering import PATIENCE, AdaptiveFiltering

LARGE, SMALL, BEST = 260, 12, 8
PLACES = ("harbour", "quay", "lock", "weir", "canal", "basin", "slip")
BOTH = ("text", "vector")


@pytest.fixture(scope="module")
def large(memory_of: Callable[[str], Memory]) -> Memory:
    return filled(memory_of("example.org/tests/scopes-large"), LARGE)


@pytest.fixture(scope="module")
def small(memory_of: Callable[[str], Memory], large: Memory) -> Memory:  # noqa: ARG001 - first
    return filled(memory_of("example.org/tests/scopes-small"), SMALL)


def filled(memory: Memory, count: int) -> Memory:
    """Boats that lie in places, each text another; each tenth boat is forgotten."""
    memory.remember(
        [
            {"name": f"Vraxil {i}", "text": f"In the {PLACES[i % 7]} {'by night ' * i} a vraxil."}
            for i in range(count)
        ],
        [{"from": f"Vraxil {i}", "relation": "BESIDE", "to": "Vraxil 1"} for i in range(2, 9)],
    )
    memory.forget([f"Vraxil {i}" for i in range(0, count, 10)])
    return memory


def test_a_scope_is_tried_again_after_a_while() -> None:
    adaptive = AdaptiveFiltering()
    assert adaptive.unfiltered_legs(("a", "b")) == {"text", "vector"}
    adaptive.note_shortfall(("a", "b"), ["text"])
    assert adaptive.unfiltered_legs(("a",)) == {"text", "vector"}
    for _ in range(PATIENCE - 1):
        assert adaptive.unfiltered_legs(("a", "b")) == {"vector"}
    assert adaptive.unfiltered_legs(["a", "b"]) == {"vector"}
    assert adaptive.unfiltered_legs(["a", "b"]) == {"text", "vector"}


@pytest.mark.parametrize(
    "options", [{}, {"ranking": "rrf"}, {"prefixes": True}, {"scope": "project"}], ids=str
)
@pytest.mark.parametrize("query", ["vraxil weir", "the quay of a vraxil", "Vraxil 17 harbour"])
def test_the_answer_is_the_same_with_filters_and_without(
    large: Memory, graph: Graph, query: str, options: dict[str, Any]
) -> None:
    """In one statement each: nothing was asked for in vain. The best are told apart by length."""
    ids(large, query, {}, options)  # reads the sample of the scope, once
    before = graph.statements
    without = ids(large, query, {}, options)
    assert graph.statements == before + 1
    assert ids(large, query, dict.fromkeys(BOTH, PATIENCE), options) == without
    assert len(without) == BEST
    assert not {name for name, _ in without} & {f"Vraxil {i}" for i in range(0, LARGE, 10)}


def ids(
    memory: Memory, query: str, filtered: dict[str, int], options: dict[str, Any]
) -> list[tuple[str, float]]:
    memory._searches.adaptive = AdaptiveFiltering()
    for scope in ((memory.project_name(),), (memory.project_name(), "@user", "@system")):
        memory._searches.adaptive.note_shortfall(scope, list(filtered))
    hits = memory.search(query, limit=BEST, mode="keyword", **options).hits
    assert {hit.project for hit in hits} == {memory.project_name()}
    return [(hit.name, round(hit.score, 9)) for hit in hits]


def test_a_small_scope_is_asked_for_with_filters_in_the_same_statement(
    graph: Graph, small: Memory
) -> None:
    small._searches.adaptive = AdaptiveFiltering()
    scope = (small.project_name(), "@user", "@system")
    small._searches.samples.of(scope, 0)  # read for the background, once
    for _ in range(3):
        before = graph.statements
        assert len(small.search("vraxil", limit=50).hits) == SMALL - 2
        assert graph.statements == before + 1
    small._searches.adaptive.note_shortfall(scope, ["vector"])
    assert small._searches.adaptive.unfiltered_legs(scope) == frozenset()


def test_a_small_scope_is_found_where_one_index_is_asked_two_things(small: Memory) -> None:
    small._searches.adaptive = AdaptiveFiltering()
    answer = small.search("vraxil weir", prefixes=True, mode="keyword", limit=50)
    assert len(answer.hits) == SMALL - 2


def test_where_many_are_dead_the_vector_leg_alone_is_filtered(memory: Memory, graph: Graph) -> None:
    memory.remember({"name": f"Vole {i}", "text": f"Vole number {i}."} for i in range(200))
    memory.forget([f"Vole {i}" for i in range(0, 200, 2)])
    memory._searches.samples.of(
        (memory.project_name(), "@user", "@system"), 0
    )  # read for the background
    before = graph.statements
    assert memory.search("Vole number 7.", mode="semantic").count
    assert graph.statements == before + 1
    assert memory._searches.adaptive.unfiltered_legs(
        (memory.project_name(), "@user", "@system")
    ) == {"text"}


def test_pages_go_on_where_the_one_before_ended(large: Memory) -> None:
    large._searches.adaptive = AdaptiveFiltering()
    first = large.search("vraxil weir", limit=20)
    large._searches.adaptive.note_shortfall((large.project_name(), "@user", "@system"), BOTH)
    second = large.search("vraxil weir", limit=20, cursor=first.cursor)
    both = [hit.name for answer in (first, second) for hit in answer.hits]
    assert both == [hit.name for hit in large.search("vraxil weir", limit=40).hits]


def test_operators_and_filters_find_the_same_wherever_the_index_is_asked(large: Memory) -> None:
    large._searches.adaptive = AdaptiveFiltering()
    assert large.search("vraxil AND weir", limit=200, expand=False).total == sum(
        1 for i in range(LARGE) if i % 7 == PLACES.index("weir") and i % 10
    )
    assert large.search("vraxil", kinds=["Boat"]).total == 0
    forgotten = large.search("vraxil", status=["forgotten"], limit=200)
    assert forgotten.total == len(range(0, LARGE, 10))
