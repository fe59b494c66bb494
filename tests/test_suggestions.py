"""A search that found nothing asks whether a word of the store was meant."""

import re
from typing import Any

import pytest

from graphmem import FilterOptions, cli
from graphmem.errors import DatabaseTimeout
from graphmem.graph import Graph, Row
from graphmem.lucene import DEFAULT_LANGUAGES
from graphmem.memory import Memory
from graphmem.search.suggestions import (
    _are_mostly_unknown,
    _correct,
    _nearest_words,
    _words,
)

BOATS = [
    {"name": "Vera Orlova", "kind": "Person", "text": "Leads the platform team."},
    {"name": "Berth map", "kind": "Service", "text": "Shows the harbour and its moorings."},
    {"name": "Гавань", "kind": "Service", "text": "Причалы и лодки."},
]


def corrected(query: str, *texts: str, names: str | None = None) -> str | None:
    rows: list[Row] = [{"text": text, "names": names} for text in texts]
    nearest_words = _nearest_words(_words(query, DEFAULT_LANGUAGES), rows, DEFAULT_LANGUAGES)
    return None if _are_mostly_unknown(nearest_words) else _correct(query, nearest_words)


@pytest.mark.parametrize(
    ("query", "text", "meant"),
    [
        ("habrour", "the harbour", "harbour"),
        ("harbuor map", "the Harbour", "Harbour map"),
        ("hrbor", "the harbour", None),  # a word of five letters may differ in one
        ("moorngs", "its moorings", "moorings"),
        ("berh", "a berth", "berth"),
        ("brh", "a berth", None),
        ("what is the harbuor", "harbour is it", "what is the harbour"),
        ("причаллы", "Причалы и лодки", "Причалы"),
        ("भुगतन सर्वर", "भुगतान का सर्वर", "भुगतान सर्वर"),
        ('"harbuor map" AND berht*', "harbour map berth", '"harbour map" AND berht*'),
        ("harbours", "harbour", None),  # another form of a word that is there
        ("Harbour", "harbour habour", None),
        ("harbuor", "harbuor harbour", None),
        ("harbuor", "", None),
        ("NOT harbuor", "harbour", None),
        ("passiert", "assert", None),  # a word of up to eight letters may differ in one
        ("get_enviroment_proxies", "get_environment_proxies()", "get_environment_proxies"),
        ("AsyncCleint", "an AsyncClient", "AsyncClient"),
        ("app/_stores.py:48", "app/_store.py", "app/_store.py:48"),
        ("stores", "_store", None),
        ("v1.2.4", "v1.2.3", None),
        ("harbuor moorings platform", "harbour, moorings, platform", "harbour moorings platform"),
        ("harbuor moorngs platforms", "harbour, moorings", None),  # most words are unknown
    ],
)
def test_unknown_words_become_the_nearest_ones(query: str, text: str, meant: str | None) -> None:
    assert corrected(query, text) == meant


def test_the_nearest_word_wins_and_then_one_of_a_name() -> None:
    assert corrected("harbuor", "harbors harbour") == "harbour"
    assert corrected("orlava", "orlave", names="Orlova") == "Orlova"


@pytest.mark.parametrize("query", ["", "* (", "a b c", "the who", "4711 2026", "x" * 10_000])
def test_queries_without_words_that_may_be_misspelt_ask_nothing_or_little(query: str) -> None:
    assert corrected(query, "harbour") is None


def test_a_word_that_is_too_long_to_be_typed_does_not_count() -> None:
    assert _words(f"harbour {'x' * 40} {'y' * 41}", DEFAULT_LANGUAGES) == ["x" * 40, "harbour"]


def test_the_four_longest_words_count() -> None:
    assert _words("harbour moorings berth orlova platform", DEFAULT_LANGUAGES) == [
        "moorings", "platform", "harbour", "orlova",
    ]  # fmt: skip


# In a store

LISTED = "nothing that passes the filters matches the query; `*` lists"


def notes(memory: Memory, query: str, **options: object) -> tuple[str, ...]:
    answer = memory.search(query, mode="keyword", **options)  # type: ignore[arg-type]
    assert answer.hits == ()
    return answer.notes


def test_nothing_found_offers_what_is_near(
    memory: Memory, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember(BOATS)
    assert notes(memory, "harbuor") == ("nothing was found; did you mean `harbour`?",)
    assert notes(memory, "habrour platfrom") == (
        "nothing was found; did you mean `harbour platform`?",
    )
    assert notes(memory, "причаллы") == ("nothing was found; did you mean `Причалы`?",)
    assert notes(memory, "zeppelin") == ()
    assert not any("did you mean" in note for note in notes(memory, "harbuor", kinds=["Person"]))
    answer = memory.search("Harbour", mode="keyword")
    assert answer.hits
    assert not any("did you mean" in note for note in answer.notes)
    context = memory.context("harbuor", mode="keyword")
    assert "nothing was found; did you mean `harbour`?" in context.notes
    read = graph.read

    def slow(name: str, **parameters: object) -> list[Row]:
        if name == "read/near_words":
            raise DatabaseTimeout("too slow")
        return read(name, **parameters)

    monkeypatch.setattr(graph, "read", slow)
    assert notes(memory, "harbuor") == ()


def test_a_name_that_is_not_valid_now_is_noted_with_its_period(memory: Memory) -> None:
    memory.remember(
        [
            *BOATS,
            {"name": "Ferry desk", "text": "Sold tickets.", "valid_until": "2024-05-01"},
            {"name": "New quay", "valid_from": "2091-01-01", "valid_until": "2092-01-01"},
            {"name": "Sluice", "observations": [{"text": "Open.", "valid_until": "2024-05-01"}]},
        ]
    )
    option = "; to find it, search with `at` as `any` (in the terminal `--any-time`)"
    ended = f"the entity `Ferry desk` is valid until 2024-05-01{option}"
    coming = f"the entity `New quay` is valid from 2091-01-01 to 2092-01-01{option}"
    assert notes(memory, "ferry desk") == (ended,)
    assert notes(memory, "New quay") == (coming,)
    assert notes(memory, "New quay", at="2024-04-01") == (coming,)
    assert ended not in notes(memory, "ferry desk", kinds=["Person"])
    assert not any("valid" in note for note in notes(memory, "Sluice", min_score=0.99))
    assert memory.search("ferry desk", mode="keyword", at="any").hits[0].name == "Ferry desk"


def test_a_text_that_is_not_valid_now_is_noted_where_nothing_else_matches(memory: Memory) -> None:
    freeze = {"text": "Frozen.", "valid_from": "2024-05-01", "valid_until": "2024-05-31"}
    memory.remember(
        [
            {"name": "Sluice", "text": "It leaks.", "observations": [freeze]},
            {"name": "Ferry desk", "text": "Sold tickets.", "valid_until": "2024-05-01"},
        ]
    )
    option = "; to find it, search with `at` as `any` (in the terminal `--any-time`)"
    frozen = f"`Sluice` matches with what is valid from 2024-05-01 to 2024-05-31{option}"
    assert notes(memory, "frozen") == (frozen,)
    assert notes(memory, "frozen", detail="names") == (frozen,)
    assert notes(memory, "frozen", kinds=["Person"]) != (frozen,)
    assert notes(memory, "tickets") == (
        f"`Ferry desk` matches with what is valid until 2024-05-01{option}",
    )
    assert memory.search("frozen leaks", mode="keyword").notes == ()


def test_a_hidden_entity_of_that_name_is_noted_with_what_finds_it(memory: Memory) -> None:
    memory.remember(
        [
            *BOATS,
            {"name": "app/_utils.py", "aliases": ["_utils.py"], "status": "removed"},
            {"name": "app/_decoders.py::HTTPDecoder", "aliases": ["HTTPDecoder()"]},
            {"name": "app/_decoders.py", "text": "Decoders and utils."},
        ]
    )
    memory.forget("app/_decoders.py::HTTPDecoder")
    memory.forget("Vera Orlova")
    options = "to find it, search with `status` as `{0}` (in the terminal `--status {0}`)"
    removed = f"the entity `app/_utils.py` is removed, since its source has it no more; {options}"
    forgotten = f"the entity `{{}}` is forgotten, and `restore` brings it back; {options}"

    def note(query: str, **options: object) -> tuple[str, ...]:
        return memory.search(query, mode="keyword", **options).notes  # type: ignore[arg-type]

    assert note("app/_utils.py") == note("`_utils.py`") == (removed.format("removed"),)
    assert note("Vera Orlova") == (forgotten.replace("{}", "Vera Orlova").format("forgotten"),)
    (symbol,) = note("HTTPDecoder")
    assert symbol.startswith("the entity `app/_decoders.py::HTTPDecoder` is forgotten")
    assert not any("is removed" in text for text in note("app/_utils.py", status=["active"]))
    assert note("app/_utils.py", status=["removed"]) == ()


def test_a_min_score_that_hides_all_matches_is_noted_with_the_best_of_them(
    memory: Memory,
) -> None:
    memory.remember(BOATS)
    best = memory.search("harbour", mode="keyword", limit=1).hits[0].score
    assert 0.001 < best < 0.99
    for options in ({}, {"kinds": ["Service"]}, {"sort": "name"}):
        (note,) = notes(memory, "harbour", min_score=0.99, **options)
        match = re.fullmatch(
            r"what matches scores at most (0\.\d+), which is less than the `min_score` of 0\.99 "
            r"\(in the terminal `--min-score`\)",
            note,
        )
        assert match
        assert 0 <= best - float(match[1]) < 0.001
    (offer,) = notes(memory, "harbuor", min_score=0.001)
    assert offer == "nothing was found; did you mean `harbour`?"


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("AsyncCleint", "AsyncClient"),
        ("get_enviroment_proxies", "get_environment_proxies"),
        ("app/_clients.py", "app/_client.py"),
    ],
)
def test_a_misspelt_name_in_code_is_noted_although_parts_of_it_are_in_hits(
    memory: Memory, query: str, meant: str
) -> None:
    memory.remember(
        [
            {"name": "app/_client.py::AsyncClient", "aliases": ["AsyncClient()"]},
            {"name": "app/_utils.py::get_environment_proxies"},
            {"name": "app/_client.py", "text": "The async proxies of the clients, get and send."},
        ]
    )
    answer = memory.search(query, mode="keyword")
    assert answer.hits
    assert answer.notes == (f"no hit has this name; did you mean `{meant}`?",)
    assert memory.search(meant, mode="keyword").notes == ()


def test_a_hit_by_a_field_that_has_the_word_is_not_said_to_lack_the_name(memory: Memory) -> None:
    memory.remember([{"name": "Перевод счёта"}])
    answer = memory.search("name:счета", mode="keyword")
    assert [hit.name for hit in answer.hits] == ["Перевод счёта"]
    assert answer.notes == ()


@pytest.mark.parametrize(
    ("query", "note"),
    [
        (
            "Was passiert bei zu vielen Weiterleitungen?",
            (
                "the texts have few or none of these words; if they are in another language, "
                "such as English or Russian, ask in that"
            ),
        ),
        (
            "что происходит после переадресации запроса?",
            (
                "the texts have few or none of these words; if they are in another language, "
                "such as English, ask in that"
            ),
        ),
        (
            "what is the radius of the zeppelin's turning circle?",
            "the texts have few or none of these words",
        ),
    ],
)
def test_a_query_of_foreign_words_is_told_so_in_place_of_a_spelling(
    memory: Memory, query: str, note: str
) -> None:
    memory.remember([{"name": "Redirects", "text": "We assert that violent ones end."}])
    assert notes(memory, query) == (note,)


def test_hits_by_meaning_alone_offer_the_words_that_are_near(memory: Memory) -> None:
    memory.remember(BOATS, [{"from": "Berth map", "relation": "DRAWN_BY", "to": "Vera Orlova"}])
    query = "the moorinsg"  # whose first letters are all that `FakeEmbedder` reads
    offer = "the hits have none of these words; did you mean `the moorings`?"
    answer = memory.search(query)
    assert [hit.name for hit in answer.hits] == ["Berth map", "Vera Orlova"]
    assert not any(hit.matched.text or hit.matched.name for hit in answer.hits)
    assert answer.notes == (offer,)
    assert offer in memory.context(query).notes
    first = memory.search(query, limit=1)
    assert offer in first.notes
    assert memory.search(query, limit=1, cursor=first.cursor).notes == ()
    assert memory.search(query, mode="semantic").notes == ()
    assert memory.search("the moorings").notes == ()


def test_a_name_of_another_time_is_noted_where_only_meaning_finds_something(
    memory: Memory,
) -> None:
    memory.remember([*BOATS, {"name": "W", "aliases": ["Moorinsg"], "valid_until": "2024-05-01"}])
    answer = memory.search("the moorinsg")  # see above
    assert answer.hits
    assert "the entity `W` is valid until 2024-05-01; to find" in answer.notes[0]


def test_an_unknown_kind_is_named_with_the_known_ones(memory: Memory) -> None:
    memory.remember([{"name": name, "kind": "Harbour"} for name in ("A", "B")])
    memory.remember([{"name": "C", "kind": "Person"}])
    unknown = "no entity is of the kind Harbours; there are Harbour, Person"
    for query in ("harbour", "zeppelin"):
        assert notes(memory, query, kinds=["Harbours"], scope="project") == (unknown,)
    (listed,) = notes(memory, "zeppelin", kinds=["Harbours", "harbour"])
    assert listed.startswith(f"{LISTED} ")
    assert "the 2 entities" in listed
    assert "the one entity" in notes(memory, "zeppelin", kinds=["Person"])[0]
    attributes = {"attributes": {"severity": {"!=": "high"}}}
    (listed,) = notes(memory, "zeppelin", where=attributes)
    assert "the 3 entities" in listed


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ({"status": ["gone"]}, "no entity has the status gone; there are active, draft"),
        ({"tags": ["sea", "see"]}, "no entity has the tag sea or see; there are lake, pond"),
        ({"where": {"tags_all": ["lake", "s"]}}, "no entity has the tag s; there are lake, pond"),
        ({"where": {"category": "sea"}}, "no entity is of the category sea; there are none"),
        (
            {"where": {"has_relation": "near"}},
            (
                "no relation is of the type near; there are NEAR. "
                "Case matters in a relation type, so give NEAR"
            ),
        ),
        (
            {"where": {"source": ["a.md", "b.md"]}},
            "no entity is from the source a.md or b.md; there are docs/lakes.md",
        ),
        (
            {"where": {"attributes": {"file": "x", "Depth": 3}}},
            "no entity has the attribute file; there are Depth",
        ),
        (
            {"where": {"attributes": {"depth": {">": 2}}}},
            (
                "no entity has the attribute depth; there are Depth. "
                "Case matters where an attribute has a bound, so give Depth"
            ),
        ),
        ({"where": {"attributes": {"Depth": {">": 2}}, "source": "docs/lakes.md"}}, None),
        ({"kinds": ["thing"], "tags": ["lake"], "where": {"has_relation": "NEAR"}}, None),
    ],
)  # fmt: skip
def test_a_filter_that_nothing_passes_names_the_known_values(
    memory: Memory, options: dict[str, Any], note: str | None
) -> None:
    memory.remember(
        [{"name": "A", "tags": ["lake"], "source": "docs/lakes.md", "attributes": {"Depth": 3}},
         {"name": "B", "tags": ["lake", "pond"]},
         {"name": "C", "status": "draft"}],
        [{"from": "B", "relation": "NEAR", "to": "C"}],
    )  # fmt: skip
    expected = (note or f"{LISTED} the one entity that passes",)
    assert notes(memory, "zeppelin", scope="project", expand=False, **options) == expected
    if note is not None:
        assert memory.recent(scope="project", **options).notes == expected
        assert memory.search("", scope="project", **options).notes == expected


def test_a_page_with_few_of_what_passes_the_filters_says_how_all_is_listed(
    memory: Memory,
) -> None:
    memory.remember(
        [{"name": f"Decision {number}", "kind": "Decision"} for number in range(4)]
        + [{"name": "Reasons", "kind": "Decision"}, {"name": "All", "kind": "Note"}]
    )

    def note(query: str, **options: object) -> tuple[str, ...]:
        return memory.search(query, mode="keyword", scope="project", **options).notes  # type: ignore[arg-type]

    of_one = "only 1 of the 5 entities that pass the filters matches the query; `*` lists them all"
    assert note("all reasons", kinds=["Decision"]) == (of_one,)
    assert note("reasons", kinds=["Decision"]) == note("all reasons") == ()
    assert note("all reasons", kinds=["Decision"], limit=1) == ()
    assert note("all reasons decision", kinds=["Decision"]) == ()
    assert note("*", kinds=["Decision"]) == ()
    (of_four,) = note("every decision", kinds=["Decision"])
    assert of_four.startswith("only 4 of the 5 entities that pass the filters match")


def test_what_is_too_much_for_a_star_is_listed_by_a_blank_query(memory: Memory) -> None:
    memory.remember(
        [{"name": f"Decision {number}", "kind": "Decision"} for number in range(1_010)]
        + [{"name": "Reasons", "kind": "Decision"}]
    )
    options: FilterOptions = {"kinds": ["Decision"]}
    answer = memory.search("all reasons", mode="keyword", scope="project", **options)
    (note,) = answer.notes
    assert note == (
        "only 1 of the 1,000 entities or more that pass the filters matches the query; "
        "a blank query lists them all"
    )
    assert memory.search("", scope="project", **options).total == 1_011


def test_of_very_many_values_the_commonest_are_named(memory: Memory) -> None:
    memory.remember([{"name": str(number), "tags": [f"t{number:02}"]} for number in range(15)])
    (note,) = notes(memory, "zeppelin", scope="project", tags=["t"])
    assert note.endswith("t10, t11 and 3 more")


@pytest.mark.usefixtures("memory")
def test_a_suggestion_names_nothing_of_another_project(memory: Memory, project: str) -> None:
    memory.remember([{"name": "Waterfront hangar"}], project=f"{project}-other")
    assert "aterfront" not in " ".join(notes(memory, "watrefrontt"))
    assert notes(memory, "watrefrontt", project=f"{project}-other") == (
        "nothing was found; did you mean `Waterfront`?",
    )


def test_a_query_that_finds_something_takes_no_second_statement(
    memory: Memory, reads: list[str]
) -> None:
    memory.remember(BOATS)
    memory.search("harbour", mode="keyword")
    assert "read/near_words" not in reads
    memory.search("harbuor", mode="keyword")
    assert reads.count("read/near_words") == 1


@pytest.mark.usefixtures("environment")
def test_the_terminal_asks_with_one_mark(
    project: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAPHMEM_PROJECT", project)
    assert cli.main(["remember", "Berth map", "--text", "Shows the harbour."]) == 0
    assert cli.main(["search", "harbuor", "--mode", "keyword"]) == 1
    assert "did you mean `harbour`?\n" in capsys.readouterr().out
    assert cli.main(["context", "harbuor", "--mode", "keyword"]) == 1
    assert "did you mean `harbour`?\n" in capsys.readouterr().err


def test_an_unknown_relation_type_to_follow_is_named_with_the_known_ones(
    memory: Memory,
) -> None:
    memory.remember(
        [{"name": "Lake"}, {"name": "Pond"}], [{"from": "Lake", "relation": "NEAR", "to": "Pond"}]
    )

    def notes_of(query: str, *types: str, expand: bool = True) -> tuple[str, ...]:
        return memory.search(
            query, mode="keyword", scope="project", expand=expand, follow={"types": list(types)}
        ).notes

    unknown = (
        "no relation is of the type near; there are NEAR. "
        "Case matters in a relation type, so give NEAR"
    )
    assert notes_of("lake", "near") == notes_of("zeppelin", "near") == (unknown,)
    assert notes_of("lake", "near", "NEAR") == notes_of("lake", "near", expand=False) == ()
