"""Following relations, pages, order, snippets and operators, on a small graph."""

import base64
import re
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem import lucene, snippets
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model import Answer
from graphmem.model.filters import Filters
from graphmem.search import Weights
from graphmem.search import cursor as cursors
from graphmem.search.plan import After, Plan


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


def ask(memory: Memory, query: str = "unusualword", **options: Any) -> Answer:  # noqa: ANN401 - passed on
    return memory.search(query, **({"mode": "keyword", "scope": "project"} | options))


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
    assert expanded(ask(star, follow=follow)) == found


def test_a_share_of_nothing_gives_links_no_evidence(star: Memory) -> None:
    scores = {hit.name: hit.score for hit in ask(star).hits}
    weaker = {hit.name: hit.score for hit in ask(star, follow={"link_factor": 0.1}).hits}
    assert weaker["Leaf A"] == pytest.approx(scores["Leaf A"] * 0.1 / Weights().link, rel=0.05)


@pytest.mark.parametrize("worthless", [{"weight": 0}, {"confidence": 0}])
@pytest.mark.parametrize("ranking", ["evidence", "rrf"])
def test_a_link_that_passes_nothing_on_leads_to_no_hit(
    star: Memory, worthless: dict[str, int], ranking: str
) -> None:
    star.remember(relations=[{"from": "Seed", "relation": "OWNS", "to": "Leaf B", **worthless}])
    star.remember(relations=[{"from": "Seed", "relation": "SEES", "to": "Leaf A", **worthless}])
    answer = ask(star, ranking=ranking)
    assert expanded(answer) == ["Leaf A", "Leaf C"]
    leaf = next(hit for hit in answer.hits if hit.name == "Leaf A")
    assert {via.relation for via in leaf.via} == {"USES"}
    assert (answer.total, answer.notes) == (4, ())


def test_a_cap_keeps_the_heaviest_and_counts_the_rest(star: Memory) -> None:
    answer = ask(star, follow={"max_relations": 1, "types": ["USES", "OWNS"]})
    assert expanded(answer) == ["Leaf A"]
    assert any("not followed" in note for note in answer.notes)


def test_a_neighbour_of_several_seeds_names_them_best_first(star: Memory) -> None:
    leaf = next(hit for hit in ask(star).hits if hit.name == "Leaf A")
    assert [via.seed for via in leaf.via] == ["Seed", "Other seed"]
    together = 1 - (1 - leaf.via[0].evidence) * (1 - leaf.via[1].evidence)
    assert leaf.matched.link == pytest.approx(together)


def test_evidence_of_many_seeds_stays_below_the_best_of_them(memory: Memory) -> None:
    seeds = [{"name": f"Seed {i}", "text": "unusualword"} for i in range(12)]
    memory.remember(
        [*seeds, {"name": "Leaf"}],
        [{"from": f"Seed {i}", "relation": "USES", "to": "Leaf"} for i in range(12)],
    )
    answer = ask(memory, limit=20)
    leaf = next(hit for hit in answer.hits if hit.name == "Leaf")
    assert leaf.score < max(hit.score for hit in answer.hits)
    assert len(leaf.via) == 5


def test_a_name_that_many_bear_is_little_evidence(memory: Memory) -> None:
    memory.remember([{"name": f"Turn {i}", "title": "Caroline"} for i in range(4)])
    memory.remember([{"name": "Melanie"}])
    answer = ask(memory, "Caroline Melanie", explain=True)
    assert answer.hits[0].name == "Melanie"
    assert {round(hit.matched.name, 3) for hit in answer.hits[1:]} == {0.4}  # 0.8 by the root of 4


def test_a_neighbour_that_is_a_direct_hit_comes_once(star: Memory) -> None:
    answer = ask(star)
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
    hits = {hit.name: hit for hit in ask(memory, "mooring").hits}
    assert {hit.origin for hit in hits.values()} == {"direct"}
    links = [(via.seed, via.relation, via.direction, via.note) for via in hits["Berth"].via]
    assert links == [("Mooring", "NEEDS", "out", "at night")]
    assert hits["Rope"].via == ()
    by_ranks = ask(memory, "mooring", ranking="rrf")
    assert {hit.via for hit in by_ranks.hits} == {()}


def test_a_hub_is_read_up_to_its_bound(memory: Memory) -> None:
    count = 1_000
    memory.remember(
        [{"name": "Hub", "text": "unusualword"}, *({"name": f"L{i}"} for i in range(count))]
    )
    memory.remember(
        relations=[{"from": "Hub", "relation": "HAS", "to": f"L{i}"} for i in range(count)]
    )
    first = ask(memory, limit=200)
    assert len(expanded(first)) == 50
    assert first.hits == ask(memory, limit=200).hits
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
    assert expanded(ask(memory, limit=200))[0] == "L777"


@pytest.fixture
def fleet(memory: Memory) -> Memory:
    memory.remember(
        [
            {
                "name": f"Boat {i:02}",
                "text": "mooring " * (i % 5 + 1),
                "created_at": f"2026-01-{i + 1:02}",
            }
            for i in range(25)
        ]
    )
    return memory


@pytest.mark.parametrize("sort", ["score", "date", "name"])
def test_pages_joined_are_the_whole_order(fleet: Memory, sort: str) -> None:
    whole = [hit.name for hit in ask(fleet, "mooring", limit=25, sort=sort).hits]
    paged: list[str] = []
    cursor: str | None = None
    for _ in range(10):
        page = ask(fleet, "mooring", limit=7, sort=sort, cursor=cursor)
        paged += [hit.name for hit in page.hits]
        assert page.total == 25
        cursor = page.cursor
        if cursor is None:
            break
    assert paged == whole
    assert len(set(whole)) == 25


def test_orders_are_what_they_say(fleet: Memory) -> None:
    names = [hit.name for hit in ask(fleet, "mooring", limit=25, sort="name").hits]
    assert names == sorted(names)
    soon_after = "2026-01-25T00:00:00.000001Z"
    fleet.remember([{"name": "Boat 25", "text": "mooring", "created_at": soon_after}])
    dates = [hit.created_at for hit in ask(fleet, "mooring", limit=26, sort="date").hits]
    assert dates == sorted(dates, reverse=True)  # type: ignore[type-var]


def test_a_cursor_whose_hit_has_moved_says_so(fleet: Memory) -> None:
    page = ask(fleet, "mooring", limit=5)
    fleet.remember([{"name": page.hits[-1].name, "text": "mooring " * 40}])
    assert any(
        "changed" in note for note in ask(fleet, "mooring", limit=5, cursor=page.cursor).notes
    )


def test_a_page_goes_on_where_the_last_one_ended_while_others_write(fleet: Memory) -> None:
    first = ask(fleet, "mooring", limit=5)
    fleet.remember([{"name": f"Raft {i}", "text": "mooring of no great use"} for i in range(9)])
    whole = [hit.name for hit in ask(fleet, "mooring", limit=50).hits]
    second = ask(fleet, "mooring", limit=5, cursor=first.cursor)
    place = whole.index(first.hits[-1].name)
    assert [hit.name for hit in second.hits] == whole[place + 1 : place + 6]


def test_a_page_after_everything_was_forgotten_says_what_there_is(fleet: Memory) -> None:
    first = ask(fleet, "mooring", limit=20)
    fleet.forget([f"Boat {i:02}" for i in range(5, 25)])
    second = ask(fleet, "mooring", limit=20, cursor=first.cursor)
    assert second.total == 5
    assert any("changed" in note for note in second.notes)
    fleet.forget([f"Boat {i:02}" for i in range(5)])
    third = ask(fleet, "mooring", limit=20, cursor=first.cursor)
    assert (third.hits, third.total, third.cursor) == ((), 0, None)
    assert any("changed" in note for note in third.notes)


def test_links_that_were_cut_are_counted_without_those_nobody_wanted(memory: Memory) -> None:
    leaves = [{"name": f"L{i}", "kind": "Odd" if i % 2 else "Even"} for i in range(12)]
    memory.remember([{"name": "Hub", "kind": "Odd", "text": "unusualword"}, *leaves])
    memory.remember(
        relations=[
            {"from": "Hub", "relation": "HAS" if i < 8 else "OWNS", "to": f"L{i}"}
            for i in range(12)
        ]
    )
    cut = ask(memory, follow={"max_relations": 2, "types": ["HAS"]})
    assert [note for note in cut.notes if "not followed" in note] == [
        "6 relations of highly connected entities were not followed"
    ]
    odd = ask(memory, follow={"max_relations": 2, "types": ["HAS"]}, kinds=["Odd"])
    assert "2 relations of highly connected entities were not followed" in odd.notes
    assert not [note for note in ask(memory, follow={"types": ["HAS"]}).notes if "hubs" in note]


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
    via = {hit.name: hit.via[0] for hit in ask(memory).hits if hit.via}
    assert (via["Leaf"].note, via["Leaf"].confidence) == ("why", 0.7)
    assert via["Leaf"].attributes == {"since": date(2026, 1, 2), "steps": [1, 2]}
    assert via["Leaf"].to_json()["attributes"] == said
    assert not {"attributes", "confidence"} & via["Bare"].to_json().keys()


def test_links_add_nothing_to_what_the_legs_rank_by_reciprocal_ranks(memory: Memory) -> None:
    memory.remember(
        [{"name": f"T{i}", "text": "mooring " * (9 - i)} for i in range(4)],
        [{"from": "T0", "relation": "NEAR", "to": "T3"}],
    )
    answer = ask(memory, "mooring", ranking="rrf", mode="keyword", explain=True)
    apart = ask(memory, "mooring", ranking="rrf", mode="keyword", expand=False)
    assert [hit.key for hit in answer.hits] == [hit.key for hit in apart.hits]
    assert [hit.score for hit in answer.hits] == [hit.score for hit in apart.hits]


@pytest.mark.parametrize(
    "cursor", ["", "nonsense", "W10", "\ud800", "x" * 5_000, "W1tb" * 2_000, "WyIiLCB7fSwgMSwgMl0"]
)
def test_a_cursor_of_nothing_is_an_error(fleet: Memory, cursor: str) -> None:
    with pytest.raises(InvalidInput, match="cursor"):
        ask(fleet, "mooring", cursor=cursor)


def test_a_cursor_is_short_and_has_no_name_of_the_project(fleet: Memory) -> None:
    first = ask(fleet, "mooring", limit=5)
    assert first.cursor is not None
    assert len(first.cursor) < 50
    assert first.project not in str(base64.urlsafe_b64decode(f"{first.cursor}=="))


@pytest.mark.parametrize("ends", [("p", "p#boat"), ("p", "@user#boat"), ("p", "#boat")])
@given(
    value=st.floats(allow_nan=False),
    name=st.text(),
    seen=st.integers(0, 2**62),
    rest=st.text(),
    second_pass=st.booleans(),
)
def test_a_cursor_says_exactly_where_a_page_ended(
    ends: tuple[str, str], *, value: float, name: str, seen: int, rest: str, second_pass: bool
) -> None:
    filters = Filters(projects=ends[:1])
    place = After(value, name, ends[1] + rest, seen, second_pass)
    word = cursors.encode("q", filters, Plan(), place)
    assert re.fullmatch(r"[\w-]+", word)
    assert cursors.decode(word, "q", filters, Plan()) == place


@pytest.mark.parametrize("content", [b"\x02", b"\x03" + b"x" * 17, b"\x02" + b"\xff" * 40])
def test_bytes_that_are_no_place_are_no_cursor(content: bytes) -> None:
    word = base64.urlsafe_b64encode(content).decode()
    with pytest.raises(InvalidInput, match="cursor"):
        cursors.decode(word, "q", Filters(projects=("p",)), Plan())


def test_a_cursor_of_another_search_is_an_error(fleet: Memory) -> None:
    cursor = ask(fleet, "mooring", limit=5).cursor
    with pytest.raises(InvalidInput, match="cursor"):
        ask(fleet, "berth", limit=5, cursor=cursor)


def test_a_total_beyond_the_pool_says_at_least(memory: Memory) -> None:
    memory.remember([{"name": f"Boat {i}", "text": "mooring line"} for i in range(130)])
    answer = ask(memory, "mooring")
    assert not answer.total_exact
    assert answer.total == 100
    exact = ask(memory, "mooring AND line")
    assert (exact.total, exact.total_exact) == (130, True)


def test_a_snippet_holds_the_matched_part_and_marks_it(memory: Memory) -> None:
    filler = "Nothing of interest happens in this sentence at all. " * 8
    memory.remember([{"name": "Log", "text": f"{filler}Berths were flooding. {filler}"}])
    answer = ask(memory, "flooded berth", highlight=True)
    snippet = answer.hits[0].passages[0].snippet
    assert "**Berths** were **flooding**" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert len(snippet) < 260


def test_details_decide_how_much_is_shown(memory: Memory) -> None:
    memory.remember([{"name": "Log", "observations": [f"berth {i}" for i in range(30)]}])
    counts = {
        d: len(ask(memory, "berth", detail=d).hits[0].passages)
        for d in ("names", "passages", "full")
    }
    assert counts == {"names": 0, "passages": 2, "full": 20}


OPERATORS = [
    ("create AND bootstrap", {"Both"}),
    ("create OR bootstrap", {"Both", "Create", "Boot"}),
    ("create NOT bootstrap", {"Create"}),
    ("(create OR bootstrap) AND NOT tool", {"Boot"}),
    ('"create a new tool"', {"Create"}),
    ('"create tool"', {"Both"}),
    ('"create tool"~5', {"Create", "Both"}),
    ("boot*", {"Both", "Boot"}),
    ("*thread*", {"Multi"}),
    ("b?otstrap AND *", {"Both", "Boot"}),
    ("direcive~", {"Multi"}),
    ('"direcive"', set()),
    ("title:auth*", {"Boot"}),
    ("title:create", set()),
    ("name:multi", {"Multi"}),
    ("tag:red", {"Create"}),
    ("kind:decision", {"Boot"}),
    ("category:docs", {"Multi"}),
    ("alias:adr", {"Both"}),
    ("owner:ops", {"Create"}),
    ("owner:(ops OR dev)", {"Create", "Boot"}),
    ("text:(create AND bootstrap)", {"Both"}),
    ("authentication AND tide", {"Boot"}),
    ("серверы AND NOT базы", {"Russian"}),
    ("сервер* AND порт", {"Russian"}),
    ("NOT create AND NOT bootstrap AND NOT *thread*", {"Russian", "Cjk"}),
    ("倉庫", {"Cjk"}),
]


@pytest.fixture
def words(memory: Memory) -> Memory:
    memory.remember(
        [
            {"name": "Both", "text": "Create tool, then bootstrap.", "aliases": ["ADR 9"]},
            {"name": "Create", "text": "Create a new tool here.", "tags": ["red"],
             "attributes": {"owner": "Ops"}},
            {"name": "Boot", "text": "Bootstrap the tide table.", "title": "Authentication",
             "kind": "Decision", "attributes": {"owner": "dev"}},
            {"name": "Multi", "text": "A multithreaded directive.", "category": "docs"},
            {"name": "Russian", "text": "Серверы стоят в порту."},
            {"name": "Cjk", "text": "新しい倉庫を建てる"},
        ]
    )  # fmt: skip
    return memory


@pytest.mark.parametrize(("query", "found"), OPERATORS)
def test_with_operators_the_words_decide_what_matches(
    words: Memory, query: str, found: set[str]
) -> None:
    for mode in ("hybrid", "keyword"):
        assert {hit.name for hit in ask(words, query, mode=mode, expand=False).hits} == found


def test_with_operators_the_vector_leg_orders(words: Memory) -> None:
    answer = ask(
        words, "create OR bootstrap OR tide", mode="hybrid", explain=True, expand=False,
        weights=Weights(cosine_low=0.1),
    )  # fmt: skip
    parts = [hit.explanation for hit in answer.hits]
    assert any(part.leg == "vector" for one in parts if one for part in one.legs)


def test_the_caller_chooses_what_words_side_by_side_mean(words: Memory) -> None:
    assert {hit.name for hit in ask(words, "create bootstrap", operator="and").hits} == {"Both"}
    assert len(ask(words, "create bootstrap", operator="or").hits) == 3


def test_an_expansion_costs_one_statement(star: Memory, graph: Graph) -> None:
    ask(star)  # reads the sample of the scope, once
    before = graph.statements
    ask(star, follow={"types": ["USES"]}, sort="date")
    assert graph.statements == before + 1


def test_one_long_entity_does_not_hide_the_others(memory: Memory) -> None:
    paragraph = "gnu gnu gnu paragraph {} " + "lorem ipsum dolor " * 45
    memory.remember(
        [
            {"name": "Big", "text": "\n\n".join(paragraph.format(i) for i in range(150))},
            *({"name": f"Small {i}", "text": f"a long text {'about things ' * 12}gnu"}
              for i in range(5)),
        ]
    )  # fmt: skip
    assert len(ask(memory, "gnu", expand=False).hits) == 6


ENDLESS = [
    "*a?b" * 2_000,
    "a*" * 3_000,
    " ".join(f"w{i}~2" for i in range(64)),
    " ".join(f"unusual{i}~ someIdentifierOf{i}Parts_and_more" for i in range(32)),
]


@pytest.mark.parametrize("query", ENDLESS)
def test_patterns_without_end_are_no_error(star: Memory, query: str) -> None:
    assert ask(star, query).notes


@pytest.mark.parametrize(
    "wrong",
    [
        {"detail": ["names"]}, {"expand": "no"}, {"explain": 1}, {"highlight": "x"},
        {"follow": []}, {"follow": {"link_factor": 1.0}}, {"follow": {"up": 1}}, {"where": ""},
        {"where": {"attributes": []}}, {"where": {"attributes": {5: 1}}},
        {"where": {"name": {"=": "x"}}}, {"sort": "size"}, {"since": "someday"},
    ],
)  # fmt: skip
def test_options_of_a_wrong_type_are_errors(star: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        ask(star, **wrong)


def test_a_snippet_finds_its_word_where_spaces_are_rare() -> None:
    terms = snippets.terms_of(lucene.parse("needle"))
    for text in (
        "x/" * 150 + "needle/" + "y/" * 200 + " the end",
        "数据库，" * 100 + "needle，" * 9,
    ):
        assert "needle" in snippets.snippet(text, terms)
