"""Operators hold over everything an entity says, in however many passages."""

import pytest

from graphmem.memory import Memory

LONG = "Filler about nothing in particular, sentence after sentence. " * 30
MANUAL = {
    "name": "Harbour manual",
    "title": "How to run the marina",
    "tags": ["guide"],
    "text": f"# Bootstrap\n\nCreate a berth plan first.\n\n{LONG}\n\n# Ending\n\nA temporary file "
    f"is kept by validateToken.\n\n{LONG}",
}
NOTE = {"name": "Short note", "text": "Create a file and keep it."}


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.remember([MANUAL, NOTE])
    return memory


def names(memory: Memory, query: str, **options: object) -> list[str]:
    return [hit.name for hit in memory.search(query, expand=False, **options).hits]  # type: ignore[arg-type]


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
    ],
)
def test_words_of_an_operator_may_stand_in_different_passages(
    told: Memory, query: str, found: list[str]
) -> None:
    assert names(told, query) == found
    assert names(told, query, mode="keyword") == found


def test_both_kinds_of_entity_answer_one_query(told: Memory) -> None:
    assert set(names(told, "create AND file")) == {"Harbour manual", "Short note"}


def test_the_passage_shown_is_one_that_holds_the_words(told: Memory) -> None:
    hit = told.search("berth AND guide", mode="keyword").hits[0]

    assert "berth plan" in hit.passages[0].text


def test_an_entity_that_grows_and_shrinks_is_found_all_the_same(memory: Memory) -> None:
    memory.remember([{"name": "Log", "text": "The first word is anchor."}])
    assert names(memory, "anchor NOT winch") == ["Log"]
    memory.remember([{"name": "Log", "observations": ["A second word is winch."]}])
    assert names(memory, "anchor AND winch") == ["Log"]
    assert names(memory, "anchor NOT winch") == []
    memory.remember([{"name": "Log", "text": "anchor"}], overwrite=True)
    assert names(memory, "anchor NOT winch") == ["Log"]
