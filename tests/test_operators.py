"""Operators hold over everything an entity says, in however many passages."""

import pytest

from fakes import FakeEmbedder
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.search import Weights
from keyword_searches import find
from memories import memory_with

LONG = "Filler about nothing in particular, sentence after sentence. " * 30
MANUAL = {
    "name": "Harbour manual",
    "title": "How to run the marina",
    "tags": ["guide"],
    "text": f"# Bootstrap\n\nCreate a berth plan first.\n\n{LONG}\n\n# Ending\n\nA temporary file "
    f"is kept by validateToken, says the policy on e-mail.\n\n{LONG}",
}
NOTE = {
    "name": "Short note",
    "text": "Create the file and keep it for queries.",
    "attributes": {"owner": "ops", "due-date": 2026, "review.by": "The crew"},
}
REMARK = {
    "name": "Remark",
    "text": "The redis file says owner:ops, owner ops, getOwner and opsTeam. At 12:30 it runs "
    "std::vector and crew.py::main.",
}
SAILS = {
    "name": "Sails",
    "text": f"# One\n\nIt wins with the sheet.\n\n{LONG}\n\n# Two\n\nМачта этого года, кодекс и "
    f"кодировка.\n\n{LONG}",
}
GLASS = {
    "name": "Glass",
    "text": f"# One\n\nThe anchor of the newspaper.\n\n{LONG}\n\n# Two\n\nA glass window.\n\n"
    f"{LONG}",
}


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.remember([MANUAL, NOTE])
    return memory


def names(memory: Memory, query: str, **options: object) -> list[str]:
    return [hit.name for hit in memory.search(query, expand=False, scope="project", **options).hits]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("bootstrap AND temporary", ["Harbour manual"]),
        ("bootstrap AND guide", ["Harbour manual"]),
        ("marina AND validate AND berth", ["Harbour manual"]),
        ("file NOT temporary", ["Short note"]),
        ("create NOT bootstrap", ["Short note"]),
        ('"temporary file" AND "berth plan"', ["Harbour manual"]),
        ("tag:guide AND temporary", ["Harbour manual"]),
        ("title:marina AND temp*", ["Harbour manual"]),
        ("bootstrap AND missing", []),
        ("text:marina AND temporary", []),
        ("policy AND berth", ["Harbour manual"]),
        ("policies AND berth", ["Harbour manual"]),
        ("query NOT marina", ["Short note"]),
        ("queries NOT marina", ["Short note"]),
        ("create NOT policies", ["Short note"]),
        ("title:NOT marina", ["Short note"]),
        ("the NOT bootstrap", ["Short note"]),
        ("e-mail* AND berth", ["Harbour manual"]),
        ("e-mial~2 AND berth", ["Harbour manual"]),
        ("owner:op*", []),
        ("owner:ops", ["Short note"]),
        ("tag:—", []),
        ("validateToken AND berth", ["Harbour manual"]),
        ("validate_token AND berth", ["Harbour manual"]),
        ("validateBerth AND file", []),
        ("token NOT validateToken", []),
        ("create NOT validateToken", ["Short note"]),
        ("create NOT tokenFile", ["Short note", "Harbour manual"]),
    ],
)
def test_words_of_an_operator_may_stand_in_different_passages(
    filled: Memory, query: str, found: list[str]
) -> None:
    assert sorted(names(filled, query)) == sorted(found)
    assert sorted(names(filled, query, mode="keyword")) == sorted(found)


@pytest.fixture
def other(memory: Memory) -> Memory:
    memory.remember([NOTE, REMARK, SAILS, GLASS])
    return memory


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("file NOT owner:ops", ["Remark"]),
        ("due-date:2026", ["Short note"]),
        ('"review.by":"the crew"', ["Short note"]),
        ("redis NOT owner:ops", ["Remark"]),
        ("win NOT redis", ["Sails"]),
        ("win AND sheet", ["Sails"]),
        ("winning AND sheet", ["Sails"]),
        ("sheet NOT win", []),
        ("мачта NOT код", ["Sails"]),
        ("мачта AND год", ["Sails"]),
        ("sheet NOT the", ["Sails"]),
        ("redis NOT the", ["Remark"]),
        ('"the sheet" NOT it', ["Sails"]),
        ("std::vec*", ["Remark"]),
        ("crew.py::mai*", ["Remark"]),
        ("12:3*", ["Remark"]),
        ("anchor NOT win", ["Glass"]),
        ("glass NOT new", ["Glass"]),
    ],
)
def test_operators_ask_for_what_is_meant_and_no_more(
    other: Memory, query: str, found: list[str]
) -> None:
    assert sorted(names(other, query, mode="keyword")) == sorted(found)


def test_a_note_names_the_filter_for_a_field_unknown_to_queries(filled: Memory) -> None:
    note = "`{}:` cannot be used in a query; filter with `{}`"
    filled.edit({"name": "Short note", "status": "draft"})
    answer = filled.search("file status:draft")
    assert answer.hits
    assert answer.notes == (note.format("status", "status"),)
    answer = filled.search("Source:wiki AND file")
    assert answer.hits == ()
    assert answer.notes == (note.format("Source", "where"),)
    assert filled.search('"status:draft" file').notes == ()


def test_a_note_names_an_attribute_that_no_entity_has(filled: Memory) -> None:
    [note] = filled.search("localhost:8080").notes
    assert "`localhost:`" in note
    assert not filled.search("owner:ops").notes


def test_a_query_matches_entities_of_one_passage_and_of_several(filled: Memory) -> None:
    assert set(names(filled, "create AND file")) == {"Harbour manual", "Short note"}


def test_the_passage_shown_is_one_that_holds_the_words(filled: Memory) -> None:
    hit = filled.search("berth AND guide", mode="keyword").hits[0]

    assert "berth plan" in hit.passages[0].text


def test_the_passage_of_a_phrase_is_shown_in_a_long_document(filled: Memory) -> None:
    for mode in ("hybrid", "keyword"):
        hit = filled.search('"temporary file"', mode=mode, highlight=True).hits[0]
        assert "A temporary file" in hit.passages[0].text
        assert "**temporary** **file**" in hit.passages[0].snippet


@pytest.mark.parametrize(
    ("query", "options", "shown"),
    [
        ("policies", {}, "**policy**"),
        ("valid*", {}, "**validateToken**"),
        ("tokens", {}, "**validateToken**"),
        ("temporray~", {}, "**temporary**"),
        ("file NOT berth", {"kinds": ["Thing"]}, "**file**"),
    ],
)
def test_what_a_query_found_is_marked(
    memory: Memory, query: str, options: dict[str, object], shown: str
) -> None:
    memory.remember(
        [{"name": "m", "text": "A temporary file by validateToken, says the policy on e-mail."}]
    )
    hit = memory.search(query, highlight=True, **options).hits[0]  # type: ignore[arg-type]
    assert shown in hit.passages[0].snippet


def test_a_prefix_longer_than_the_stem_matches(memory: Memory) -> None:
    memory.remember([{"name": "m", "text": "Authentication of configurations"}])
    for query in ("authentica", "configurat", "authenticat NOT payment", "authe AND confi"):
        assert names(memory, query, prefixes=True, mode="keyword") == ["m"], query
    assert names(memory, "authentica", mode="keyword") == []


def test_a_word_with_one_wrong_letter_matches_only_with_fuzzy_names(memory: Memory) -> None:
    memory.remember([{"name": "rocket"}])
    assert names(memory, "socket", mode="keyword") == ["rocket"]
    assert names(memory, "socket", mode="keyword", fuzzy_names=False) == []


def test_an_entity_that_grows_and_shrinks_is_found_all_the_same(memory: Memory) -> None:
    memory.remember([{"name": "Log", "text": "The first word is anchor."}])
    assert names(memory, "anchor NOT winch") == ["Log"]
    memory.remember([{"name": "Log", "observations": ["A second word is winch."]}])
    assert names(memory, "anchor AND winch") == ["Log"]
    assert names(memory, "anchor NOT winch") == []
    memory.remember([{"name": "Log", "text": "anchor"}], overwrite=True)
    assert names(memory, "anchor NOT winch") == ["Log"]


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
def test_operators_decide_what_matches(words: Memory, query: str, found: set[str]) -> None:
    for mode in ("hybrid", "keyword"):
        assert {hit.name for hit in find(words, query, mode=mode, expand=False).hits} == found


def test_with_operators_embeddings_decide_the_order(words: Memory) -> None:
    answer = find(
        words, "create OR bootstrap OR tide", mode="hybrid", explain=True, expand=False,
        weights=Weights(cosine_low=0.1),
    )  # fmt: skip
    parts = [hit.explanation for hit in answer.hits]
    assert any(
        part.leg == "vector" for explanation in parts if explanation for part in explanation.legs
    )


def test_an_option_sets_the_operator_between_adjacent_words(words: Memory) -> None:
    assert {hit.name for hit in find(words, "create bootstrap", operator="and").hits} == {"Both"}
    assert len(find(words, "create bootstrap", operator="or").hits) == 3


@pytest.mark.parametrize(
    ("query", "embedded"),
    [
        ("redis AND cache NOT tokens", "redis cache"),
        ('"session cache"~3 OR sess* OR sesion~', "session cache sess sesion"),
        ("redis AND owner:ops tag:infra", "redis infra"),
        ("NOT redis", "NOT redis"),
        ("owner:ops", "owner:ops"),
        ("localhost:8080 (refused)", "localhost:8080 (refused)"),
        ("why is redis - slow?", "why is redis - slow?"),
    ],
)
def test_what_is_wanted_is_embedded(graph: Graph, project: str, query: str, embedded: str) -> None:
    model = FakeEmbedder()
    memory = memory_with(model, graph, project)
    memory.remember([NOTE])
    memory.search(query)
    assert model.asked == [embedded]


ENDLESS = [
    "*a?b" * 2_000,
    "a*" * 3_000,
    " ".join(f"w{i}~2" for i in range(64)),
    " ".join(f"unusual{i}~ someIdentifierOf{i}Parts_and_more" for i in range(32)),
]


@pytest.mark.parametrize("query", ENDLESS)
def test_very_long_patterns_are_no_error(words: Memory, query: str) -> None:
    assert find(words, query).notes
