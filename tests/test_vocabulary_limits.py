"""Kinds, relation types and attributes' names: the store takes so many, and says so."""

import uuid

import pytest

from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.write import vocabulary


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store takes no name that it does not have."""
    monkeypatch.setattr(vocabulary, "MOST_NAMES", 0)


def name() -> str:
    return f"new_{uuid.uuid4().hex}"


@pytest.mark.usefixtures("full")
def test_a_kind_too_many_is_refused_and_the_others_are_written(memory: Memory) -> None:
    kind = name()

    report = memory.remember([{"name": "A", "kind": kind}, {"name": "B"}])

    assert [item.outcome for item in report.items] == ["refused", "created"]
    assert f"kind must be one that exists already, got '{kind}'. The store has" in (
        report.items[0].reason or ""
    )
    assert "must be one that exists already" in (report.items[0].reason or "")


@pytest.mark.usefixtures("full")
def test_an_attributes_name_too_many_is_refused(memory: Memory) -> None:
    (item,) = memory.remember([{"name": "A", "attributes": {name(): 1}}]).items

    assert item.outcome == "refused"
    assert "names of attributes" in (item.reason or "")


def test_a_relation_type_too_many_is_refused(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}], [{"from": "A", "relation": "NEAR", "to": "B"}])
    monkeypatch.setattr(vocabulary, "MOST_NAMES", 0)
    one, other = ({"from": "A", "relation": relation, "to": "B"} for relation in ("NEAR", name()))

    report = memory.remember(relations=[one, other])

    assert [item.outcome for item in report.items] == ["unchanged", "refused"]
    assert "relation types" in (report.items[1].reason or "")


def test_the_first_new_names_fill_the_remaining_room(
    graph: Graph, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = len(graph.read("read/vocabulary")[0]["kinds"]) + 1
    monkeypatch.setattr(vocabulary, "MOST_NAMES", room)
    first, second = name(), name()

    report = memory.remember(
        [{"name": "A", "kind": first}, {"name": "B", "kind": second}, {"name": "C", "kind": first}]
    )

    assert [item.outcome for item in report.items] == ["created", "refused", "created"]


def test_known_names_are_not_looked_up_again(graph: Graph, memory: Memory) -> None:
    said = {"name": "A", "kind": name(), "attributes": {name(): 1}}
    memory.remember([said])
    before = graph.statements
    memory.remember([said])
    known = graph.statements - before

    before = graph.statements
    memory.remember([said | {"kind": name()}])

    # One names the new kind, and one asks what the change replaced.
    assert graph.statements - before == known + 2
