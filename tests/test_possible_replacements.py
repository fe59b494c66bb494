"""A note where a new relation may be in the place of another one of its type."""

from collections.abc import Callable

import pytest

from graphmem.errors import DatabaseError
from graphmem.graph import Graph, Row
from graphmem.memory import Memory

PEOPLE = ("Ana", "Ben", "Cem", "Dee", "Eva", "Fay")
NOTE = (
    "'Ana' already has WORKS_AT to 'Acme', and few entities of kind 'Person' have two of these; "
    "if 'Beta' replaces 'Acme', link it again with `replaces` set to `from`, which ends the other "
    "one"
)


@pytest.fixture
def people(memory: Memory) -> Memory:
    """Six people, each of whom works at Acme."""
    kinds = dict.fromkeys(PEOPLE, "Person") | dict.fromkeys(("Acme", "Beta", "Gamma"), "Company")
    memory.remember(
        [{"name": name, "kind": kind} for name, kind in kinds.items()],
        [{"from": name, "relation": "WORKS_AT", "to": "Acme"} for name in PEOPLE],
    )
    return memory


def test_a_note_is_given_for_a_second_relation_of_a_type_that_others_have_once(
    people: Memory,
) -> None:
    report = people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01")

    assert report.notes == (NOTE,)
    assert people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01").notes == ()
    replaced = people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from")
    assert replaced.notes == ("Ana -[WORKS_AT]-> Acme ended 2026-02-28, since it was replaced",)


def test_the_note_also_appears_for_other_names_and_in_a_dry_run(people: Memory) -> None:
    people.remember([{"name": "Ana", "aliases": ["Annie"]}])
    relation = {"from": "Annie", "relation": "WORKS_AT", "to": "Beta"}

    assert people.remember(relations=[relation], dry_run=True).notes == (NOTE,)
    assert people.remember(relations=[relation]).notes == (NOTE,)


def test_no_note_if_other_entities_have_several_such_relations(people: Memory) -> None:
    people.link("Ben", "WORKS_AT", "Gamma")

    assert people.link("Ana", "WORKS_AT", "Beta").notes == ()


def test_no_note_if_few_entities_of_the_kind_have_such_a_relation(people: Memory) -> None:
    people.remember([{"name": "Fay", "kind": "Company"}])
    report = people.remember(
        [{"name": "Gus"}],
        [{"from": "Gus", "relation": "WORKS_AT", "to": name} for name in ("Acme",)],
    )
    assert report.notes == ()
    assert people.link("Gus", "WORKS_AT", "Beta").notes == ()

    assert people.link("Ana", "WORKS_AT", "Beta").notes == ()


def test_no_note_for_several_relations_at_once_or_for_one_with_an_end(people: Memory) -> None:
    two = [{"from": "Ana", "relation": "WORKS_AT", "to": name} for name in ("Beta", "Gamma")]

    assert people.remember(relations=two).notes == ()
    assert people.link("Ben", "WORKS_AT", "Beta", valid_until="2026-01-01").notes == ()


def test_ended_and_hidden_relations_do_not_count(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Acme", valid_until="2026-01-01")
    assert people.link("Ana", "WORKS_AT", "Beta").notes == ()
    people.forget(["Beta"])
    assert people.link("Ana", "WORKS_AT", "Gamma").notes == ()


def test_relations_of_another_project_do_not_count(
    people: Memory, memory_of: Callable[[str], Memory], project: str
) -> None:
    assert people.project == project
    other = memory_of(f"{project}-other")
    other.remember([{"name": name, "kind": "Person"} for name in ("Ana", "Acme", "Beta")])
    other.link("Ana", "WORKS_AT", "Acme")

    assert other.link("Ana", "WORKS_AT", "Beta").notes == ()


def test_a_write_is_reported_even_if_the_search_for_similar_relations_fails(
    people: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Graph.read

    def fail_once(self: Graph, name: str, **parameters: object) -> list[Row]:
        if name == "read/relations_of_many":
            raise DatabaseError("too slow")
        return read(self, name, **parameters)

    monkeypatch.setattr(Graph, "read", fail_once)
    report = people.link("Ana", "WORKS_AT", "Beta")

    assert [item.outcome for item in report.items] == ["created"]
    assert report.notes == ()
