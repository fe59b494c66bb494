"""memcp's notes of what searches found, made in the background."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

import memcp_agents
from agents import agent_of
from graphmem.adapters.memcp.profile.reflection import upkeep_of
from graphmem.adapters.memcp.profile.tools import Tools
from graphmem.errors import InvalidInput
from graphmem.graph import Transaction
from graphmem.memory import Memory
from memcp_agents import stale, uses

tools = memcp_agents.tools


@pytest.fixture
def filled(memory: Memory, tools: Tools) -> Memory:
    del tools  # closes what it noted at the end
    memory.remember(
        [{"name": "auth", "text": "tokens"}, {"name": "users", "text": "people"}],
        [{"from": "auth", "relation": "uses", "to": "users"}],
    )
    return memory


def test_search_notes_the_direct_hits_alone(filled: Memory, tools: Tools) -> None:
    stale(filled, "auth", 40, 0.3)
    stale(filled, "users", 40, 0.3)
    answer = tools.search("tokens")
    assert [found.origin for found in answer.entities] == ["direct", "expanded"]
    assert upkeep_of(filled).tracker.settle()
    assert uses(filled, "auth", "users") == [(1, 1.0), (0, 0.3)]


def test_search_notes_what_it_returned_and_nothing_below_its_limit(
    memory: Memory, tools: Tools
) -> None:
    memory.remember([{"name": f"n{n}", "text": "letter " * (n + 1)} for n in range(3)])
    (first,) = tools.search("letter", limit=1).entities
    upkeep_of(memory).tracker.settle()
    counted = dict(zip(["n0", "n1", "n2"], uses(memory, "n0", "n1", "n2"), strict=True))
    assert {name for name, (count, _) in counted.items() if count} == {first.name}


def test_search_counts_every_find(filled: Memory, tools: Tools) -> None:
    for _ in range(5):
        tools.search("tokens")
    upkeep_of(filled).tracker.settle()
    assert uses(filled, "auth") == [(5, 1.0)]


def test_search_is_the_same_after_it_was_noted(filled: Memory, tools: Tools) -> None:
    first = tools.search("tokens people").model_dump()
    upkeep_of(filled).tracker.settle()
    exported = list(filled.export())
    assert tools.search("tokens people").model_dump() == first
    upkeep_of(filled).tracker.settle()
    assert list(filled.export()) == exported


def test_noting_a_find_changes_nothing_an_entity_says(filled: Memory, tools: Tools) -> None:
    before = filled.get("auth")[0].to_json()
    tools.search("tokens")
    upkeep_of(filled).tracker.settle()
    assert filled.get("auth")[0].to_json() == before


def test_remembering_again_keeps_how_an_entity_was_used(filled: Memory, tools: Tools) -> None:
    tools.search("tokens")
    upkeep_of(filled).tracker.settle()
    again = filled.remember([{"name": "auth", "text": "tokens"}])
    assert again.items[0].outcome == "unchanged"
    filled.remember([{"name": "auth", "text": "tokens, longer", "attributes": {"owner": "ops"}}])
    filled.remember([{"name": "auth", "tags": ["a"]}], overwrite=True)
    assert uses(filled, "auth") == [(1, 1.0)]
    with pytest.raises(InvalidInput, match="access_count"):
        filled.search("tokens", where={"attributes": {"access_count": 1}})


def test_the_marks_of_use_cannot_be_said(memory: Memory) -> None:
    for name in ("accessed", "access_count", "decay_weight"):
        report = memory.remember([{"name": "x", "attributes": {name: 1}}])
        assert "graphmem's own" in (report.items[0].reason or "")


def test_search_does_not_fail_where_a_find_cannot_be_noted(
    filled: Memory, tools: Tools, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(work: Callable[[Transaction], object]) -> object:
        del work
        from graphmem.errors import DatabaseUnavailable  # noqa: PLC0415 - where it is raised

        raise DatabaseUnavailable("no Neo4j answers")

    monkeypatch.setattr(filled.graph, "write", broken)
    with caplog.at_level(logging.WARNING, logger="graphmem"):
        assert tools.search("tokens").count == 2
        assert upkeep_of(filled).tracker.settle()
    assert "could not be noted: no Neo4j answers" in caplog.text
    monkeypatch.undo()
    tools.search("tokens")
    upkeep_of(filled).tracker.settle()
    assert uses(filled, "auth") == [(1, 1.0)]


def test_a_memory_notes_what_waits_before_it_closes_and_nothing_after(
    filled: Memory, tools: Tools
) -> None:
    tools.search("tokens")
    upkeep_of(filled).close()
    assert uses(filled, "auth") == [(1, 1.0)]
    tools.search("tokens")
    assert upkeep_of(filled).tracker.settle()
    assert uses(filled, "auth") == [(1, 1.0)]


def test_a_server_notes_what_it_found_before_it_ends(
    environment: dict[str, str], tmp_path: Path, filled: Memory
) -> None:
    options = ("--profile", "memcp", "--project", str(filled.project))
    with agent_of(environment, tmp_path, *options) as agent:
        assert agent.call("search", query="tokens")["count"] == 2
    assert uses(filled, "auth", "users") == [(1, 1.0), (0, 1.0)]


@pytest.mark.parametrize(("options", "setting"), [(["--read-only"], "true"), ([], "false")])
def test_a_server_that_only_reads_or_is_told_so_notes_nothing(
    environment: dict[str, str], tmp_path: Path, filled: Memory, options: list[str], setting: str
) -> None:
    started = ("--profile", "memcp", "--project", str(filled.project), *options)
    quiet = environment | {"GRAPHMEM_TRACK_ACCESS": setting}
    with agent_of(quiet, tmp_path, *started) as agent:
        assert agent.call("search", query="tokens")["count"] == 2
        if options:
            assert agent.tools() == {
                "search", "get_entity", "list_labels", "list_types", "traverse", "find_path",
                "similar",
            }  # fmt: skip
    assert uses(filled, "auth") == [(0, 1.0)]
    assert (tmp_path / "log").read_text() == ""
