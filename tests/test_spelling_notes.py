"""Kinds and relation types that are spelled almost alike are two, and a note says so."""

import pytest

from graphmem.memory import Memory


@pytest.fixture
def linked(memory: Memory) -> Memory:
    memory.remember(
        [{"name": "A"}, {"name": "B"}], [{"from": "A", "relation": "CONCERNS", "to": "B"}]
    )
    return memory


def test_a_new_relation_whose_type_the_project_has_in_another_case_says_so(linked: Memory) -> None:
    (note,) = linked.link("A", "concerns", "B").notes
    assert note.startswith("`concerns` and `CONCERNS` are two relation types")
    assert linked.link("A", "concerns", "B").notes == ()
    assert linked.link("B", "CAUSES", "A").notes == ()


@pytest.mark.parametrize("other", ["depends on", "depends_on", "DependsOn", "DEPENDS-ON"])
def test_a_type_spelled_with_other_marks_between_its_words_says_so(
    linked: Memory, other: str
) -> None:
    linked.link("A", "DEPENDS_ON", "B")
    (note,) = linked.link("B", other, "A").notes
    assert note.startswith(f"`{other}` and `DEPENDS_ON` are two relation types")
    assert linked.unlink("A", "B", other).notes[1:] == (
        "there is DEPENDS_ON; case, spaces and punctuation matter in a relation type",
    )


def test_exploring_by_a_type_in_another_case_names_that_of_the_project(linked: Memory) -> None:
    _, note = linked.explore("A", relations=["concerns"]).notes
    assert note.startswith("no relation is of the type concerns; there are CONCERNS. Case matters")
    assert note.endswith("so give CONCERNS")


def test_types_of_other_projects_are_not_named(linked: Memory, memory: Memory) -> None:
    linked.unlink("A", "B", "CONCERNS")
    assert memory.link("A", "Concerns", "B").notes == ()


def test_unlink_names_the_type_that_is_there_in_another_case(linked: Memory) -> None:
    report = linked.unlink("A", "B", "concerns")
    assert (report.items, report.notes[1:]) == (
        (),
        ("there is CONCERNS; case, spaces and punctuation matter in a relation type",),
    )


def test_a_kind_that_the_project_has_in_another_case_says_so(memory: Memory) -> None:
    memory.remember([{"name": "Ann", "kind": "Person"}, {"name": "Lena", "kind": "Person"}])

    (note,) = memory.remember([{"name": "Lena", "kind": "person"}]).notes
    assert note.startswith("`person` and `Person` are two kinds")
    assert memory.remember([{"name": "Lena", "kind": "person"}]).notes == ()
    assert memory.remember([{"name": "Pier", "kind": "Place"}]).notes == ()


def test_a_kind_that_nothing_is_of_any_more_is_not_named(memory: Memory) -> None:
    memory.remember([{"name": "Ann", "kind": "Person"}])
    assert memory.remember([{"name": "Ann", "kind": "person"}]).notes == ()
