"""Relations are followed from the best hits of a search, on a small graph."""

from datetime import date
from typing import Any

import pytest

from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model import Answer
from graphmem.search import Weights
from keyword_searches import find


@pytest.fixture
def star(memory: Memory) -> Memory:
    """A seed with relations of two types, out and in, a second seed, a cycle."""
    memory.remember(
        [
            {"name": "Seed", "text": "unusualword and nothing else"},
            {"name": "Other seed", "text": "unusualword unusualword"},
            *({"name": f"Leaf {letter}"} for letter in "ABCD"),
        ],
        [
            {"from": "Seed", "relation": "USES", "to": "Leaf A", "weight": 0.9},
            {"from": "Seed", "relation": "OWNS", "to": "Leaf B", "weight": 0.8},
            {"from": "Leaf C", "relation": "USES", "to": "Seed", "weight": 0.7},
            {"from": "Other seed", "relation": "USES", "to": "Leaf A", "weight": 0.2},
            {"from": "Seed", "relation": "KNOWS", "to": "Other seed", "weight": 0.5},
            {"from": "Other seed", "relation": "KNOWS", "to": "Seed", "weight": 0.5},
            {"from": "Leaf A", "relation": "NEXT", "to": "Leaf D"},
        ],
    )
    return memory


def expanded(answer: Answer) -> list[str]:
    return [hit.name for hit in answer.hits if hit.origin == "expanded"]


@pytest.mark.parametrize(
    ("follow", "found"),
    [
        ({}, ["Leaf A", "Leaf B", "Leaf C"]),
        ({"types": ["USES"]}, ["Leaf A", "Leaf C"]),
        ({"exclude_types": ["USES"]}, ["Leaf B"]),
        ({"direction": "out"}, ["Leaf A", "Leaf B"]),
        ({"direction": "in"}, ["Leaf C"]),
        ({"types": ["USES"], "direction": "in"}, ["Leaf C"]),
        ({"types": ["NONE"]}, []),
    ],
)
def test_only_the_relations_asked_for_are_followed(
    star: Memory, follow: dict[str, Any], found: list[str]
) -> None:
    assert expanded(find(star, follow=follow)) == found


def test_a_small_link_factor_weakens_the_evidence_of_links(star: Memory) -> None:
    scores = {hit.name: hit.score for hit in find(star).hits}
    weaker = {hit.name: hit.score for hit in find(star, follow={"link_factor": 0.1}).hits}
    assert weaker["Leaf A"] == pytest.approx(scores["Leaf A"] * 0.1 / Weights().link, rel=0.05)


@pytest.mark.parametrize("worthless", [{"weight": 0}, {"confidence": 0}])
@pytest.mark.parametrize("ranking", ["evidence", "rrf"])
def test_a_link_of_weight_or_confidence_0_leads_to_no_hit(
    star: Memory, worthless: dict[str, int], ranking: str
) -> None:
    star.remember(relations=[{"from": "Seed", "relation": "OWNS", "to": "Leaf B", **worthless}])
    star.remember(relations=[{"from": "Seed", "relation": "SEES", "to": "Leaf A", **worthless}])
    answer = find(star, ranking=ranking)
    assert expanded(answer) == ["Leaf A", "Leaf C"]
    leaf = next(hit for hit in answer.hits if hit.name == "Leaf A")
    assert {via.relation for via in leaf.via} == {"USES"}
    assert (answer.total, answer.notes) == (4, ())


def test_a_limit_of_relations_keeps_the_heaviest_and_counts_the_rest(star: Memory) -> None:
    answer = find(star, follow={"max_relations": 1, "types": ["USES", "OWNS"]})
    assert expanded(answer) == ["Leaf A"]
    assert any("not followed" in note for note in answer.notes)


def test_a_neighbour_of_several_seeds_names_them_best_first(star: Memory) -> None:
    leaf = next(hit for hit in find(star).hits if hit.name == "Leaf A")
    assert [via.seed for via in leaf.via] == ["Seed", "Other seed"]
    together = 1 - (1 - leaf.via[0].evidence) * (1 - leaf.via[1].evidence)
    assert leaf.matched.link == pytest.approx(together)


def test_evidence_of_many_seeds_stays_below_the_best_of_them(memory: Memory) -> None:
    seeds = [{"name": f"Seed {i}", "text": "unusualword"} for i in range(12)]
    memory.remember(
        [*seeds, {"name": "Leaf"}],
        [{"from": f"Seed {i}", "relation": "USES", "to": "Leaf"} for i in range(12)],
    )
    answer = find(memory, limit=20)
    leaf = next(hit for hit in answer.hits if hit.name == "Leaf")
    assert leaf.score < max(hit.score for hit in answer.hits)
    assert len(leaf.via) == 5


def test_a_neighbour_that_is_a_direct_hit_comes_once(star: Memory) -> None:
    answer = find(star)
    assert [hit.name for hit in answer.hits].count("Other seed") == 1
    other = next(hit for hit in answer.hits if hit.name == "Other seed")
    assert (other.origin, other.via) == ("direct", ())
    assert other.matched.link > 0


def test_a_direct_hit_names_the_link_that_says_more_than_its_own_words(memory: Memory) -> None:
    memory.remember(
        [
            {"name": "Mooring", "text": "mooring ropes"},
            {"name": "Berth", "text": f"{'the quay has steps and a lamp ' * 40} mooring"},
            {"name": "Rope", "text": "mooring"},
        ],
        [
            {"from": "Mooring", "relation": "NEEDS", "to": "Berth", "note": "at night"},
            {"from": "Mooring", "relation": "NEEDS", "to": "Rope", "weight": 0.01},
        ],
    )
    hits = {hit.name: hit for hit in find(memory, "mooring").hits}
    assert {hit.origin for hit in hits.values()} == {"direct"}
    links = [(via.seed, via.relation, via.direction, via.note) for via in hits["Berth"].via]
    assert links == [("Mooring", "NEEDS", "out", "at night")]
    assert hits["Rope"].via == ()
    by_ranks = find(memory, "mooring", ranking="rrf")
    assert {hit.via for hit in by_ranks.hits} == {()}


def test_at_most_50_relations_of_a_hub_are_followed(memory: Memory) -> None:
    count = 1_000
    memory.remember(
        [{"name": "Hub", "text": "unusualword"}, *({"name": f"L{i}"} for i in range(count))]
    )
    memory.remember(
        relations=[{"from": "Hub", "relation": "HAS", "to": f"L{i}"} for i in range(count)]
    )
    first = find(memory, limit=200)
    assert len(expanded(first)) == 50
    assert first.hits == find(memory, limit=200).hits
    assert any("950" in note for note in first.notes)


def test_the_heaviest_link_of_a_hub_is_followed_however_late_it_was_made(memory: Memory) -> None:
    memory.remember(
        [{"name": "Hub", "text": "unusualword"}, *({"name": f"L{i}"} for i in range(900))]
    )
    memory.remember(
        relations=[
            {"from": "Hub", "relation": "HAS", "to": f"L{i}", "weight": 1.0 if i == 777 else 0.5}
            for i in range(900)
        ]
    )
    assert expanded(find(memory, limit=200))[0] == "L777"


def test_the_count_of_cut_links_leaves_out_filtered_ones(memory: Memory) -> None:
    leaves = [{"name": f"L{i}", "kind": "Odd" if i % 2 else "Even"} for i in range(12)]
    memory.remember([{"name": "Hub", "kind": "Odd", "text": "unusualword"}, *leaves])
    memory.remember(
        relations=[
            {"from": "Hub", "relation": "HAS" if i < 8 else "OWNS", "to": f"L{i}"}
            for i in range(12)
        ]
    )
    cut = find(memory, follow={"max_relations": 2, "types": ["HAS"]})
    assert [note for note in cut.notes if "not followed" in note] == [
        "6 relations of highly connected entities were not followed"
    ]
    odd = find(memory, follow={"max_relations": 2, "types": ["HAS"]}, kinds=["Odd"])
    assert "2 relations of highly connected entities were not followed" in odd.notes
    assert not [
        note for note in find(memory, follow={"types": ["HAS"]}).notes if "not followed" in note
    ]


def test_a_link_carries_what_its_relation_says(memory: Memory) -> None:
    said = {"steps": [1, 2], "since": {"date": "2026-01-02"}}
    memory.remember(
        [{"name": "Seed", "text": "unusualword"}, {"name": "Leaf"}, {"name": "Bare"}],
        [
            {
                "from": "Seed", "relation": "USES", "to": "Leaf", "note": "why", "confidence": 0.7,
                "attributes": said, "source": "notes.md",
            },
            {"from": "Seed", "relation": "USES", "to": "Bare"},
        ],
    )  # fmt: skip
    via = {hit.name: hit.via[0] for hit in find(memory).hits if hit.via}
    assert (via["Leaf"].note, via["Leaf"].confidence) == ("why", 0.7)
    assert via["Leaf"].attributes == {"since": date(2026, 1, 2), "steps": [1, 2]}
    assert via["Leaf"].to_json()["attributes"] == said
    assert not {"attributes", "confidence"} & via["Bare"].to_json().keys()


def test_links_add_nothing_to_what_the_legs_rank_by_reciprocal_ranks(memory: Memory) -> None:
    memory.remember(
        [{"name": f"T{i}", "text": "mooring " * (9 - i)} for i in range(4)],
        [{"from": "T0", "relation": "NEAR", "to": "T3"}],
    )
    answer = find(memory, "mooring", ranking="rrf", mode="keyword", explain=True)
    apart = find(memory, "mooring", ranking="rrf", mode="keyword", expand=False)
    assert [hit.key for hit in answer.hits] == [hit.key for hit in apart.hits]
    assert [hit.score for hit in answer.hits] == [hit.score for hit in apart.hits]


def test_an_expansion_costs_one_statement(star: Memory, graph: Graph) -> None:
    find(star)  # reads the sample of the scope, once
    before = graph.statements
    find(star, follow={"types": ["USES"]}, sort="date")
    assert graph.statements == before + 1
