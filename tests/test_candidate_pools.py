"""What filters leave of a leg's candidates, how far a search goes for the rest, what it says."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import neo4j
import pytest

from graphmem import search as searching
from graphmem.errors import DatabaseError, DatabaseMemory, DatabaseTimeout
from graphmem.graph import Graph, Row
from graphmem.memory import Memory
from graphmem.model import Answer
from graphmem.model.filters import Filters
from graphmem.search import Plan, SearchRequest
from graphmem.search.response import CHANGED, WIDENED

PROJECT = "example.org/tests/pools"
NEAR, BEST, FAR = 260, 3, 60
START = datetime(2020, 1, 1, tzinfo=UTC)
# Ten or twenty candidates a leg, ten times as many before words are tested, and twenty compared.
NARROW: dict[str, Any] = {"pool": 10, "exact_limit": 20, "mode": "semantic", "expand": False}


@pytest.fixture(scope="module")
def buoys(memory_of: Callable[[str], Memory]) -> Memory:
    """Most of the odd ones are further from the query than all that are not odd."""
    memory = memory_of(PROJECT)
    near = [
        {"name": f"Buoy {i}", "text": f"channel marker channel marker {i}"} for i in range(NEAR)
    ]
    best = [
        {"name": f"Best {i}", "text": "channel marker " * 3, "tags": ["odd"]} for i in range(BEST)
    ]
    far = [
        {"name": f"Far {i}", "text": "channel marker of another kind altogether", "tags": ["odd"]}
        for i in range(FAR)
    ]
    memory.remember([*near, *best, *far])
    return memory


def answer_of(memory: Memory, filters: Filters, plan: Plan, cursor: str | None = None) -> Answer:
    return searching.search(
        memory.graph,
        SearchRequest.parsed("channel marker", filters, plan, cursor=cursor),
        embed=memory.model.query,
        shared=memory._searches,
    )


def test_a_filter_whose_best_lie_far_from_the_query_is_filled_up(
    buoys: Memory, graph: Graph
) -> None:
    """Of the two hundred nearest three pass: no full page, so all that pass are compared."""
    filters = Filters((PROJECT,), tags=("odd",))
    answer_of(buoys, filters, Plan())  # reads the sample for the background
    before = graph.statements
    answer = answer_of(buoys, filters, Plan(limit=10, **NARROW))
    assert graph.statements == before + 2
    assert [hit.name for hit in answer.hits][:BEST] == [f"Best {i}" for i in range(BEST)]
    assert answer.count == 10
    assert all("odd" in hit.tags for hit in answer.hits)
    before = graph.statements
    assert answer_of(buoys, filters, Plan(limit=BEST, **NARROW)).count == BEST
    assert graph.statements == before + 1


def test_a_total_that_a_filtered_leg_was_cut_from_is_no_exact_one(buoys: Memory) -> None:
    filters = Filters((PROJECT,), tags=("odd",))
    answer = answer_of(buoys, filters, Plan(limit=BEST, **NARROW))
    assert (answer.total, answer.total_exact) == (BEST, False)
    every = answer_of(buoys, filters, Plan(limit=100, mode="semantic", expand=False))
    assert (every.total, every.total_exact) == (BEST + FAR, True)


def test_a_second_page_is_filled_as_the_first_is(buoys: Memory) -> None:
    filters = Filters((PROJECT,), tags=("odd",))
    first = answer_of(buoys, filters, Plan(limit=2, **NARROW))
    second = answer_of(buoys, filters, Plan(limit=10, **NARROW), first.cursor)
    assert second.count == 10
    assert not {hit.name for hit in first.hits} & {hit.name for hit in second.hits}


def test_pages_after_one_of_the_second_pass_keep_its_order(memory: Memory) -> None:
    """What only a link leads to in the first pass ranks higher by its words in the second."""
    long_text = "channel " + " ".join(f"sandbank{i}" for i in range(60))
    old = {"created_at": START}
    buoys = [{"name": f"Buoy {i}", "text": "channel marker"} for i in range(120)]
    best = [{"name": f"Best {i}", "text": "channel marker " * 3, **old} for i in range(7)]
    linked = [{"name": f"Linked {i}", "text": long_text, **old} for i in range(4)]
    deep = [{"name": f"Deep {i}", "text": long_text, **old} for i in range(8)]
    relations = [
        {"from": "Best 0", "relation": "NEAR", "to": entity["name"], "weight": 0.02}
        for entity in linked
    ]
    memory.remember([*buoys, *best, *linked, *deep], relations)
    names: list[str] = []
    cursor: str | None = None
    while cursor or not names:
        answer = memory.search(
            "channel marker", mode="keyword", until="2021-01-01", limit=2, cursor=cursor
        )
        names += [hit.name for hit in answer.hits]
        assert len(names) <= len(best) + len(linked) + len(deep)
        cursor = answer.cursor
    assert sorted(names) == sorted(str(entity["name"]) for entity in (*best, *linked, *deep))


def test_a_page_says_that_more_were_ranked_for_it_than_for_those_before(memory: Memory) -> None:
    """All match alike, and an index gives those that were written first."""
    old = {"created_at": START}
    memory.remember([{"name": f"Buoy {i}", "text": "channel marker"} for i in range(90)])
    memory.remember([{"name": f"Later {i}", "text": "channel marker", **old} for i in range(10)])
    memory.remember([{"name": f"Early {i}", "text": "channel marker", **old} for i in range(9)])

    def page(limit: int, cursor: str | None = None) -> Answer:
        return memory.search(
            "channel marker", mode="keyword", until="2021-01-01", scope="project", limit=limit,
            cursor=cursor,
        )  # fmt: skip

    pages = [page(6)]
    while cursor := pages[-1].cursor:
        pages.append(page(6, cursor))
    assert [answer.notes for answer in pages] == [(), (WIDENED,), (), ()]
    assert [answer.total for answer in pages[1:]] == [19] * 3
    names = [hit.name for answer in pages for hit in answer.hits]
    assert len(names) == 19
    assert set(names) == {hit.name for hit in page(19).hits}


def test_a_hit_removed_after_the_second_pass_began_is_told(memory: Memory) -> None:
    old = {"created_at": START}
    memory.remember([{"name": f"Buoy {i}", "text": "channel marker"} for i in range(90)])
    memory.remember([{"name": f"Later {i}", "text": "channel marker", **old} for i in range(10)])
    memory.remember([{"name": f"Early {i}", "text": "channel marker", **old} for i in range(9)])

    def page(cursor: str | None = None) -> Answer:
        return memory.search(
            "channel marker", mode="keyword", until="2021-01-01", scope="project", limit=6,
            cursor=cursor,
        )  # fmt: skip

    first = page()
    second = page(first.cursor)
    memory.forget([first.hits[0].name])
    third = page(second.cursor)
    assert third.notes == (CHANGED,)
    assert not {hit.name for hit in third.hits} & {hit.name for hit in second.hits}


@pytest.mark.parametrize("refused", [DatabaseTimeout, DatabaseMemory])
def test_where_the_second_question_takes_too_long_or_too_much_the_first_answer_stands(
    buoys: Memory,
    graph: Graph,
    monkeypatch: pytest.MonkeyPatch,
    refused: type[DatabaseError],
) -> None:
    plan = Plan(limit=10, **NARROW)
    read = graph.read

    def slow(name: str, /, **parameters: Any) -> list[Row]:  # noqa: ANN401 - as the graph's
        if parameters.get("search", {}).get("exact_limit") == plan.second_pass_exact_limit:
            raise refused("the database took longer than the time limit")
        return read(name, **parameters)

    monkeypatch.setattr(graph, "read", slow)
    answer = answer_of(buoys, Filters((PROJECT,), tags=("odd",)), plan)
    assert [hit.name for hit in answer.hits] == [f"Best {i}" for i in range(BEST)]
    assert not answer.total_exact
    assert "more entities may match than were ranked; narrow the search to see them" in answer.notes


def test_an_order_by_date_is_of_many_more_than_the_best(memory: Memory) -> None:
    memory.remember(
        [
            {"name": f"Log {i}", "text": "mooring line", "created_at": START + timedelta(minutes=i)}
            for i in range(400)
        ]
    )
    for mode in ("keyword", "hybrid"):
        answer = memory.search("mooring", sort="date", limit=3, mode=mode)
        assert [hit.name for hit in answer.hits] == ["Log 399", "Log 398", "Log 397"]
        assert (answer.total, answer.total_exact) == (400, True)


def test_operators_in_a_search_by_meaning_are_said_to_be_ignored(memory: Memory) -> None:
    memory.remember([{"name": "Pier", "text": "a long jetty"}])
    assert memory.search("jetty NOT pier", mode="semantic").notes == (
        "a semantic search ignores operators",
    )
    assert memory.search("jetty pier", mode="semantic").notes == ()


# How many neighbours a large hub HAS, and how many it OWNS.
HAS, OWNS = 2_100, 7_900


@pytest.fixture
def large_hub(memory: Memory, session: neo4j.Session) -> Iterator[Memory]:
    """A memory with a hub of ten thousand, which goes again: plans depend on how much there is."""
    names = ["Hub", "L0", "L1"]
    memory.remember(
        [{"name": name, "text": "unusualword" if name == "Hub" else None} for name in names],
        [
            {"from": "Hub", "relation": "HAS", "to": "L0"},
            {"from": "Hub", "relation": "OWNS", "to": "L1"},
        ],
    )
    multiply(session, str(memory.project), "HAS", range(2, HAS + 1))
    multiply(session, str(memory.project), "OWNS", range(HAS + 1, HAS + OWNS))
    yield memory
    session.run(
        "MATCH (entity:Entity {project: $project}) "
        "OPTIONAL MATCH (entity)-[:HAS_PASSAGE]->(passage) DETACH DELETE entity, passage",
        project=memory.project,
    ).consume()


def multiply(session: neo4j.Session, project: str, relation: str, numbers: range) -> None:
    """Give a hub more neighbours like the one it has: `L2`, `L3`, …; they have no passages."""
    session.run(
        "MATCH (hub {key: $project + '#hub'})-[one:$($relation)]->(neighbour:Entity) "
        "UNWIND $numbers AS number "
        "CREATE (hub)-[link:$($relation)]->(copy:Entity) "
        "SET link = properties(one), "
        "copy = neighbour {.*, name: 'L' + number, key: $project + '#l' + number}",
        project=project,
        relation=relation,
        numbers=list(numbers),
    ).consume()


def test_the_relations_of_a_large_hub_are_counted_by_what_was_asked_for(large_hub: Memory) -> None:
    """More than are read of one seed, and a hub of ten thousand is no error and no other answer."""
    options: dict[str, Any] = {"mode": "keyword", "limit": 100}
    for follow, cut in (
        ({}, HAS + OWNS - 50),
        ({"types": ["HAS"]}, HAS - 50),
        ({"exclude_types": ["HAS"]}, OWNS - 50),
        ({"direction": "out"}, HAS + OWNS - 50),
        ({"direction": "in"}, 0),
    ):
        answer = large_hub.search("unusualword", follow=follow, **options)
        assert answer.hits == large_hub.search("unusualword", follow=follow, **options).hits
        messages = [note for note in answer.notes if "highly connected" in note]
        assert messages == (
            [f"{cut:,} relations of highly connected entities were not followed"] if cut else []
        )
        assert len(answer.hits) == (51 if cut else 1)


def test_links_that_were_cut_are_counted_where_none_is_good_enough(memory: Memory) -> None:
    memory.remember(
        [{"name": "Hub", "text": "unusualword"}, *({"name": f"L{i}"} for i in range(9))],
        [{"from": "Hub", "relation": "HAS", "to": f"L{i}"} for i in range(9)],
    )
    answer = memory.search("Hub", mode="keyword", follow={"max_relations": 2}, min_score=0.75)
    assert [hit.name for hit in answer.hits] == ["Hub"]
    assert "7 relations of highly connected entities were not followed" in answer.notes


def test_a_relation_to_oneself_goes_out_and_comes_in(memory: Memory) -> None:
    memory.remember(
        [{"name": "Loop", "text": "unusualword"}, {"name": "Alone", "text": "unusualword"}],
        [{"from": "Loop", "relation": "KNOWS", "to": "Loop"}],
    )
    for direction in ("out", "in", "both"):
        rule = {"has_relation": {"relation": "KNOWS", "direction": direction}}
        answer = memory.search("unusualword", mode="keyword", where=rule)
        assert [hit.name for hit in answer.hits] == ["Loop"]


def test_the_passage_of_every_find_is_explained(memory: Memory) -> None:
    text = "# One\n\n" + "harbour engine words " * 120 + "\n\n# Two\n\n" + "quay rope words " * 120
    memory.remember([{"name": "Long", "text": text}])
    for detail in ("passages", "names"):
        options: dict[str, Any] = {"explain": True, "mode": "keyword", "detail": detail}
        whole = memory.search("harbour AND rope", **options).hits[0].explanation
        assert whole is not None
        (part,) = [leg for leg in whole.legs if leg.leg == "text"]
        assert ("words" in part.excerpt) == (detail == "passages")
        one = memory.search("harbour engine", **options).hits[0].explanation
        assert one is not None
        assert "harbour engine" in one.legs[0].excerpt
