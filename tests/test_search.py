"""Searching a small graph: what is found, in what order, why, and in one statement."""

import math
from dataclasses import replace
from typing import Any

import pytest

from graphmem.embedding import CALIBRATIONS, DEFAULT_MODEL, calibration_of
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model import Answer, Hit
from graphmem.search import Weights
from keyword_searches import find

ENTITIES: list[dict[str, object]] = [
    {"name": "Redis cache", "kind": "Decision", "title": "Cache sessions in Redis",
     "text": "Session tokens are kept in Redis because the database was too slow.",
     "aliases": ["ADR-7"], "tags": ["infra", "sessions"]},
    {"name": "Session store", "kind": "Service", "text": "Holds the state of each login.",
     "tags": ["infra"]},
    {"name": "Login page", "kind": "Service", "text": "Where people type a password.",
     "tags": ["web"]},
    {"name": "Vera Orlova", "kind": "Person", "text": "Leads the platform team."},
    {"name": "Old cache", "kind": "Decision", "text": "Redis sessions, why in memcached.",
     "status": "superseded"},
    {"name": "Очередь сообщений", "kind": "Service",
     "text": "Серверы с базами упали в марте, сообщения копились."},
    {"name": "Token check", "kind": "Function",
     "text": "def validateToken(raw): parses HTTPServer headers, see os.path.join and user_name."},
]  # fmt: skip
RELATIONS: list[dict[str, object]] = [
    {"from": "Redis cache", "relation": "DEPENDS_ON", "to": "Session store", "note": "hot tokens"},
    {"from": "Redis cache", "relation": "SUPERSEDES", "to": "Old cache"},
    {"from": "Vera Orlova", "relation": "DECIDED", "to": "Redis cache", "weight": 0.5},
    {"from": "Session store", "relation": "SERVES", "to": "Login page"},
]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    report = memory.remember(ENTITIES, RELATIONS)
    assert not report.refused
    return memory


def names(answer: Answer) -> list[str]:
    return [hit.name for hit in answer.hits]


def hit(answer: Answer, name: str) -> Hit:
    return next(hit for hit in answer.hits if hit.name == name)


def keyword(memory: Memory, query: str) -> list[str]:
    return names(memory.search(query, mode="keyword", expand=False))


def test_an_expanded_hit_names_the_link_that_led_to_it(filled: Memory) -> None:
    answer = filled.search("why redis", mode="keyword")
    assert names(answer)[0] == "Redis cache"
    found = hit(answer, "Session store")
    assert found.origin == "expanded"
    assert 0 < found.via[0].evidence <= found.matched.link
    via = found.via[0]
    assert (via.seed, via.relation, via.direction, via.note) == (
        "Redis cache", "DEPENDS_ON", "out", "hot tokens",
    )  # fmt: skip
    assert hit(answer, "Vera Orlova").via[0].direction == "in"


def test_a_search_follows_links_one_hop_only(filled: Memory) -> None:
    assert "Login page" not in names(filled.search("why redis", mode="keyword"))


def test_an_expanded_hit_scores_below_its_seed_and_by_the_links_weight(filled: Memory) -> None:
    answer = filled.search("why redis", mode="keyword")
    scores = {hit.name: hit.score for hit in answer.hits}
    assert scores["Redis cache"] > scores["Session store"] > scores["Vera Orlova"]


def test_without_expansion_only_direct_hits_come(filled: Memory) -> None:
    answer = filled.search("why redis", mode="keyword", expand=False)
    assert names(answer) == ["Redis cache"]
    assert answer.hits[0].origin == "direct"


def test_each_search_is_exactly_one_statement(filled: Memory, graph: Graph) -> None:
    every: list[dict[str, Any]] = [
        {}, {"tags": ["infra"]}, {"mode": "semantic"}, {"ranking": "rrf"}, {"expand": False},
    ]  # fmt: skip
    filled.search("why redis and the session store")  # sees how much of the store is others'
    for options in every:
        before = graph.statements
        filled.search("why redis and the session store", **options)
        assert graph.statements == before + 1


def test_the_same_query_gives_the_same_answer(filled: Memory) -> None:
    first, second = filled.search("session redis"), filled.search("session redis")
    assert first.hits == second.hits


@pytest.mark.parametrize("query", ["ADR-7", "adr-7", "Redis cache", "what about the REDIS CACHE?"])
def test_a_name_or_alias_in_the_query_is_evidence(filled: Memory, query: str) -> None:
    answer = filled.search(query)
    assert names(answer)[0] == "Redis cache"
    assert answer.hits[0].matched.name == Weights().name


def test_a_query_that_is_a_key_finds_its_entity(filled: Memory) -> None:
    answer = filled.search(f"{filled.project}#redis cache")
    assert (names(answer)[0], answer.hits[0].matched.name) == ("Redis cache", Weights().name)


def test_the_longest_name_wins(memory: Memory) -> None:
    memory.remember([{"name": "Redis"}, {"name": "Redis cache"}, {"name": "C"}, {"name": "C++"}])
    answer = memory.search("is the redis cache written in C++?")
    assert {hit.name for hit in answer.hits if hit.matched.name > 0} == {"Redis cache", "C++"}


def test_english_and_russian_stems_find_each_other(filled: Memory) -> None:
    assert "Redis cache" in keyword(filled, "caching")
    for query in ("сервер", "база", "упал", "сообщение"):
        assert keyword(filled, query) == ["Очередь сообщений"]


@pytest.mark.parametrize(
    "query", ["validate token", "validateToken", "http server", "user name", "os.path.join", "join"]
)
def test_identifiers_are_found_whole_and_by_their_parts(filled: Memory, query: str) -> None:
    assert "Token check" in keyword(filled, query)


@pytest.mark.parametrize(
    "query",
    [
        "No server address is set.",
        "ERROR 2026-11-29 [worker-3] proxy.Failed: No server address is set (attempt 3)",
        "if not self.address: raise Failed('No server address is set')",
    ],
)
def test_a_message_leads_to_the_text_that_has_it_word_for_word(memory: Memory, query: str) -> None:
    about = "The server has an address. An address is set by the server, no other sets addresses."
    filler = " ".join(f"step{number} follows step{number + 1}." for number in range(60))
    memory.remember(
        [
            {"name": "Wiring", "text": about},
            {"name": "Plugs", "text": f"{about} Failed: a worker raised an error."},
            {
                "name": "Proxy",
                "text": f"{filler} raise Failed('No server address is set') {filler}",
            },
        ]
    )
    assert keyword(memory, query)[0] == "Proxy"


def test_stop_words_alone_find_what_holds_them(memory: Memory) -> None:
    memory.remember(
        [{"name": "Band", "text": "The Who"}, {"name": "Option", "text": "--as-of DAY"}]
    )
    assert keyword(memory, "the who") == ["Band"]
    assert keyword(memory, "--as-of") == ["Option"]


def test_no_match_means_no_hits(filled: Memory) -> None:
    answer = filled.search("zzzz qqqq xxxx", mode="keyword")
    assert (answer.hits, answer.total, answer.count) == ((), 0, 0)


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_filters_filter_direct_and_expanded_hits(filled: Memory, mode: str) -> None:
    def filtered_names(**filters: list[str]) -> set[str]:
        answer = filled.search("why redis sessions", mode=mode, **filters)  # type: ignore[arg-type]
        assert answer.hits, filters
        return set(names(answer))

    assert filtered_names(kinds=["decision"]) == {"Redis cache"}
    assert filtered_names(kinds=["DECISION", "Service"]) >= {"Redis cache", "Session store"}
    assert filtered_names(tags=["INFRA"]) == {"Redis cache", "Session store"}
    assert filtered_names(status=["superseded"]) == {"Old cache"}
    assert filtered_names(kinds=["Decision"], tags=["infra"]) == {"Redis cache"}
    assert "Old cache" not in filtered_names()


def test_a_project_never_shows_in_anothers_search(filled: Memory, project: str) -> None:
    other = f"{project}-other"
    filled.remember([{"name": "Redis elsewhere", "text": "Redis redis redis."}], project=other)
    assert "Redis elsewhere" not in names(filled.search("redis"))
    assert names(filled.search("redis", project=other)) == ["Redis elsewhere"]


def test_the_user_layer_is_searched_too_unless_only_the_project_is_asked(
    memory: Memory, project: str
) -> None:
    word = f"zebra{project[-8:]}"
    try:
        memory.remember([{"name": f"Shared {word}", "text": word}], project="@user")
        assert names(memory.search(word)) == [f"Shared {word}"]
        assert names(memory.search(word, scope="project")) == []
    finally:
        memory.forget(f"Shared {word}", project="@user")


def test_the_best_passage_is_shown(memory: Memory) -> None:
    memory.remember(
        [{"name": "Log", "observations": ["about tides", "about berths and ropes", "on boats"]}]
    )
    answer = memory.search("ropes", mode="keyword")
    assert answer.hits[0].passages[0].text == "about berths and ropes"


def test_the_limit_cuts_and_the_total_counts(memory: Memory) -> None:
    memory.remember([{"name": f"Boat {i}", "text": "a mooring line"} for i in range(30)])
    answer = memory.search("mooring", limit=7, mode="keyword")
    assert (answer.count, answer.total) == (7, 30)
    assert names(answer) == sorted(names(answer), key=str.casefold)


def test_a_minimal_score_drops_what_is_below(filled: Memory) -> None:
    scores = [hit.score for hit in filled.search("why redis").hits]
    kept = filled.search("why redis", min_score=scores[1]).hits
    assert [hit.score for hit in kept] == scores[:2]


@pytest.mark.parametrize("ranking", ["evidence", "rrf"])
def test_the_parts_of_an_explanation_reproduce_the_score(filled: Memory, ranking: str) -> None:
    answer = filled.search("redis session login", ranking=ranking, explain=True)  # type: ignore[arg-type]
    assert len(answer.hits) > 2
    for hit in answer.hits:
        parts = hit.explanation
        assert parts is not None
        if ranking == "rrf":
            direct = sum(1 / (60 + leg.rank) for leg in parts.legs)
        else:
            direct = 1 - math.prod(1 - leg.evidence for leg in parts.legs)
        link = 0.0
        if parts.link is not None:
            via, weights = parts.link.via, Weights()
            best = weights.link * via.weight * parts.link.seed_direct**weights.seed_exponent
            best /= parts.link.seed_relations**weights.seed_damping
            best /= parts.link.neighbour_relations**weights.neighbour_damping
            assert best == pytest.approx(via.evidence, rel=1e-12)
            assert best == pytest.approx(parts.link.shares[0], rel=1e-12)
            link = min(1 - math.prod(1 - share for share in parts.link.shares), parts.link.ceiling)
        assert hit.score == pytest.approx(1 - (1 - direct) * (1 - link), rel=1e-12)


def test_rrf_adds_reciprocal_ranks(memory: Memory) -> None:
    memory.remember([{"name": "Apple", "text": "apple"}, {"name": "Pear", "text": "pear apple"}])
    answer = memory.search("apple", ranking="rrf", expand=False, explain=True)
    first = answer.hits[0]
    assert first.explanation is not None
    assert first.score == pytest.approx(sum(1 / (60 + x.rank) for x in first.explanation.legs))


def test_a_hub_costs_its_cap_and_says_what_was_cut(memory: Memory) -> None:
    leaves = [{"name": f"Leaf {i}"} for i in range(120)]
    links = [
        {"from": "Hub", "relation": "HAS", "to": f"Leaf {i}", "weight": 1 - i / 1000}
        for i in range(120)
    ]
    memory.remember([{"name": "Hub", "text": "unusualword"}, *leaves], links)
    answer = memory.search("unusualword", mode="keyword", limit=200)
    assert len(answer.hits) == 51
    assert names(answer)[1:4] == ["Leaf 0", "Leaf 1", "Leaf 2"]
    assert "70" in answer.notes[0]


def test_two_entities_joined_by_several_relations_list_them_all(memory: Memory) -> None:
    memory.remember([{"name": "Alpha", "text": "unusualword"}, {"name": "Beta"}])
    for relation, weight in (("ONE", 0.3), ("TWO", 0.9)):
        memory.link("Alpha", relation, "Beta", weight=weight)
    memory.link("Alpha", "SELF", "Alpha")
    answer = memory.search("unusualword", mode="keyword")
    assert names(answer) == ["Alpha", "Beta"]
    assert [via.relation for via in answer.hits[1].via] == ["TWO", "ONE"]
    assert answer.hits[1].matched.link == answer.hits[1].via[0].evidence


def test_evidence_is_absolute(filled: Memory) -> None:
    """The same entity and query give the same evidence whatever else is in the answer."""
    alone = filled.search("why redis", kinds=["Decision"], limit=1).hits[0]
    among = hit(filled.search("why redis", limit=50), "Redis cache")
    assert alone.matched.text == among.matched.text
    assert alone.matched.vector == among.matched.vector


WRONG = [
    ({"query": ""}, "query"),
    ({"query": "  \n"}, "query"),
    ({"query": "x" * 10_001}, "query"),
    ({"query": 5}, "query"),
    ({"limit": 0}, "limit"),
    ({"limit": 201}, "limit"),
    ({"limit": "5"}, "limit"),
    ({"limit": True}, "limit"),
    ({"mode": "magic"}, "mode"),
    ({"ranking": "best"}, "ranking"),
    ({"scope": "world"}, "scope"),
    ({"min_score": 1.5}, "min_score"),
    ({"kinds": "Decision"}, "kinds"),
    ({"tags": [""]}, "tags"),
    ({"tags": [f"t{i}" for i in range(21)]}, "tags"),
    ({"project": "a#b"}, "project"),
    ({"project": "@other"}, "project"),
]


@pytest.mark.parametrize(("wrong", "named"), WRONG)
def test_a_wrong_argument_is_an_error_that_names_it(
    memory: Memory, wrong: dict[str, object], named: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.search(**({"query": "redis"} | wrong))  # type: ignore[arg-type]
    assert caught.value.argument.startswith(named)
    assert f" {caught.value.expected}" in str(caught.value)


@pytest.mark.parametrize(
    "query",
    [
        "C++", "a/b", "foo:", '"odd', "AND", "OR", "NOT", "a AND", "(a", "a)", "()", "[a TO", "a^",
        "a\\", "-", "+", "&&", "||", "~", "^2", "a~~", "/[/", "*", "?", "*:*", "🦀", "ёлка", "\0",
        "\ud800", "filters:x", "a" * 10_000, " ".join("абвгдежзик"[i % 10] for i in range(5_000)),
        "(" * 5_000, "+filters:(x)^0", "{!}", "names:(a b)", "倉庫", "e\u0301",
    ],
)  # fmt: skip
def test_no_string_breaks_a_search(filled: Memory, query: str) -> None:
    for mode in ("hybrid", "keyword"):
        answer = filled.search(query, mode=mode)
        assert answer.count <= 10


def test_a_query_of_too_many_words_is_cut_with_a_note(filled: Memory) -> None:
    answer = filled.search(" ".join(f"w{i}" for i in range(1_500)) + " redis", mode="keyword")
    assert any("first 64" in note for note in answer.notes)


def test_the_cosines_that_count_are_those_of_the_model(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": "Tide tables", "text": "Published on the first day of a month."}])
    near = memory.search("published the first day", mode="semantic")
    assert names(near) == ["Tide tables"]
    strict = replace(calibration_of(DEFAULT_MODEL), mean=0.9, deviation=0.3)
    monkeypatch.setitem(CALIBRATIONS, DEFAULT_MODEL, strict)
    assert names(memory.search("published the first day", mode="semantic")) == []
    chosen = memory.search(
        "published the first day", mode="semantic", weights=Weights(cosine_low=0.1)
    )
    assert names(chosen) == ["Tide tables"]


def test_of_two_passages_that_are_both_very_near_the_nearer_one_is_first(memory: Memory) -> None:
    memory.remember(
        [
            {"name": "Anchorage", "text": "depth and shelter of the berth near the north pier"},
            {"name": "North pier", "text": "depth and shelter of the berth"},
        ]
    )
    bounds = Weights(cosine_low=0.1, cosine_high=0.2)
    answer = memory.search(
        "north pier depth and shelter of the berth", mode="semantic", weights=bounds
    )
    assert names(answer) == ["North pier", "Anchorage"]
    first, second = (hit.matched.vector for hit in answer.hits)
    assert bounds.vector < second < first < bounds.vector + bounds.vector_excess


def test_one_long_entity_does_not_hide_the_others(memory: Memory) -> None:
    paragraph = "gnu gnu gnu paragraph {} " + "lorem ipsum dolor " * 45
    memory.remember(
        [
            {"name": "Big", "text": "\n\n".join(paragraph.format(i) for i in range(150))},
            *({"name": f"Small {i}", "text": f"a long text {'about things ' * 12}gnu"}
              for i in range(5)),
        ]
    )  # fmt: skip
    assert len(find(memory, "gnu", expand=False).hits) == 6
