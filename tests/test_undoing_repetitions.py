"""What others say again stays when the change that said it first is undone."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem.calls import acting
from graphmem.errors import Conflict
from graphmem.memory import Memory

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
SAYING: dict[str, Any] = {"name": "Pier", "observations": ["It is closed."]}


@pytest.fixture
def pier(memory: Memory) -> Memory:
    with acting("Eva"):
        memory.remember([{"name": "Pier", "kind": "Place"}])
    return memory


def say(memory: Memory, by: str, **others: object) -> str:
    """Have somebody say it; gives the change, or that before where nothing was noted."""
    with acting(by):
        memory.remember([{**SAYING, **others}])
    return memory.changes(BEGINNING).changes[0].id


def observations(memory: Memory) -> list[str]:
    return [one.text for one in memory.get("Pier")[0].entity.observations]


def undo(memory: Memory, change: str) -> None:
    with acting("Eva"):
        memory.undo(change)


def test_what_another_caller_repeats_stays_until_that_is_undone_too(pier: Memory) -> None:
    first = say(pier, "Ana")
    again = say(pier, "Ben")
    undo(pier, first)
    assert observations(pier) == ["It is closed."]
    undo(pier, again)
    assert observations(pier) == []
    undo(pier, "last")
    assert observations(pier) == ["It is closed."]


def test_repetitions_are_undone_in_any_order(pier: Memory) -> None:
    changes = [say(pier, name) for name in ("Ana", "Ben", "Cleo")]
    for place in (0, 2, 1):
        assert observations(pier) == ["It is closed."]
        undo(pier, changes[place])
    assert observations(pier) == []
    changes = [say(pier, name) for name in ("Ana", "Ben", "Cleo")]
    for place in (1, 2, 0):
        assert observations(pier) == ["It is closed."]
        undo(pier, changes[place])
    assert observations(pier) == []


def test_what_a_caller_said_before_is_repeated_without_a_change(pier: Memory) -> None:
    first = say(pier, "Ana")
    assert say(pier, "Ana") == first
    again = say(pier, "Ben")
    assert again != first
    assert say(pier, "Ana") == say(pier, "Ben") == again
    assert pier.get("Pier")[0].entity.observations[0].created_at is not None
    undo(pier, first)
    assert observations(pier) == ["It is closed."]
    report = pier.remember([SAYING])
    assert report.entities["unchanged"] == 1


def test_other_things_that_the_change_said_are_undone(pier: Memory) -> None:
    first = say(pier, "Ana", tags=["closed"], observations=["It is closed.", "It is old."])
    say(pier, "Ben")
    undo(pier, first)
    assert observations(pier) == ["It is closed."]
    assert pier.get("Pier")[0].entity.tags == ()


def test_a_repetition_does_not_keep_an_earlier_correction_from_being_undone(pier: Memory) -> None:
    say(pier, "Ana")
    identifier = pier.get("Pier")[0].entity.observations[0].id
    correction = {"id": identifier, "valid_until": "2026-01-31"}
    with acting("Ana"):
        pier.edit({"name": "Pier", "observations": [correction]})
    change = pier.changes(BEGINNING).changes[0].id
    say(pier, "Ben")
    undo(pier, change)
    assert pier.get("Pier")[0].entity.observations[0].valid_until is None


def test_the_creation_of_what_another_caller_repeated_is_not_undone(memory: Memory) -> None:
    first = say(memory, "Ana")
    again = say(memory, "Ben")
    with pytest.raises(Conflict, match="by Ben"):
        undo(memory, first)
    undo(memory, again)
    undo(memory, first)
    assert memory.get("Pier")[0].entity.status == "removed"


def test_what_an_import_says_too_stays_as_its_own(pier: Memory, tmp_path: Path) -> None:
    path = tmp_path / "piers.jsonl"
    path.write_text(json.dumps({"type": "entity", **SAYING}))
    first = say(pier, "Ana")
    pier.import_("jsonl", path)
    undo(pier, first)
    assert observations(pier) == ["It is closed."]
    path.write_text(json.dumps({"type": "entity", "name": "Pier"}))
    pier.import_("jsonl", path)
    assert observations(pier) == []


def test_what_a_caller_says_after_an_import_stays_when_that_is_undone(
    pier: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "piers.jsonl"
    path.write_text(json.dumps({"type": "entity", **SAYING}))
    pier.import_("jsonl", path)
    imported = pier.changes(BEGINNING).changes[0].id
    say(pier, "Ben")
    undo(pier, imported)
    assert observations(pier) == ["It is closed."]
    path.write_text(json.dumps({"type": "entity", "name": "Pier"}))
    pier.import_("jsonl", path)
    assert observations(pier) == ["It is closed."]


def test_history_tells_of_a_repetition_without_a_difference(pier: Memory) -> None:
    say(pier, "Ana")
    say(pier, "Ben")
    newest = pier.history("Pier").revisions[0]
    assert (newest.by, newest.differences) == ("Ben", ())
