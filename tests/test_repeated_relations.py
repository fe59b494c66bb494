"""Relations that a file states several times: reading the file again changes nothing."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from graphmem.memory import Memory
from graphmem.memory.imports import held_relations
from graphmem.memory.imports.run import ROWS
from graphmem.model import Report

# The rows between two of one relation, so that they are not taken together.
BETWEEN = [{"type": "entity", "name": f"Buoy {number}"} for number in range(ROWS)]
ENDS = [{"type": "entity", "name": name} for name in ("Harbour", "Tide feed", "Store")]
PAIRS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"note": "reads it"}, {"note": "reads it twice"}),
    ({"note": "reads it", "weight": 0.5}, {"confidence": 0.9}),
    ({}, {"attributes": {"since": 2019}}),
    ({"attributes": {"since": 2019}}, {"attributes": {"since": 2020, "by": "Ana"}}),
    ({"note": "reads it"}, {}),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "facts.jsonl"


def relations(fields: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"type": "relation", "from": "Harbour", "relation": f"USES {number}", "to": "Tide feed"}
        | more
        for number, more in enumerate(fields)
    ]


def write(path: Path, *parts: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(line) for part in parts for line in part))


def outcomes(report: Report) -> set[str]:
    return {item.outcome for item in report.items if item.what == "relation"}


def notes(memory: Memory) -> dict[str, str | None]:
    return {link.relation: link.note for link in memory.get("Harbour")[0].neighbours}


@pytest.mark.parametrize("others_speak", [False, True])
def test_a_relation_that_is_stated_twice_is_unchanged_when_the_file_is_read_again(
    memory: Memory, path: Path, *, others_speak: bool
) -> None:
    first, second = zip(*PAIRS, strict=True)
    write(path, ENDS, relations(first), BETWEEN, relations(second))
    memory.import_("jsonl", path)
    if others_speak:
        own = [line | {"attributes": {"own": True}} for line in relations({} for _ in PAIRS)]
        memory.remember([], [{k: v for k, v in line.items() if k != "type"} for line in own])
        memory.import_("jsonl", path)
    before = list(memory.export(history=True))
    for dry_run in (True, False, False):
        report = memory.import_("jsonl", path, dry_run=dry_run)
        assert outcomes(report) == {"unchanged"}
        assert report.counts("relation")["unchanged"] == 2 * len(PAIRS)
    assert list(memory.export(history=True)) == before
    assert notes(memory)["USES 0"] == "reads it twice"


def test_what_no_statement_of_a_relation_has_any_more_goes(memory: Memory, path: Path) -> None:
    write(path, ENDS, relations([{"note": "old", "weight": 0.5}]), BETWEEN, relations([{}]))
    memory.import_("jsonl", path)
    write(path, ENDS, relations([{"confidence": 0.7}]), BETWEEN, relations([{"note": "new"}]))
    for expected in ("updated", "unchanged"):
        report = memory.import_("jsonl", path)
        assert outcomes(report) == {expected}
        assert report.counts("relation")[expected] == 2
    (relation,) = [line for line in memory.export() if line["type"] == "relation"]
    assert (relation["note"], relation["confidence"]) == ("new", 0.7)
    assert "weight" not in relation


def test_more_relations_than_are_held_back_are_written_as_they_come(
    memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_relations, "MOST_HELD_ROWS", 3)
    fields = [{"note": f"{number}"} for number in range(10)]
    write(path, ENDS, relations(fields))
    memory.import_("jsonl", path)
    fields = [{"note": f"new {number}"} for number in range(10)]
    write(path, ENDS, relations(fields), BETWEEN, relations(fields))
    assert outcomes(memory.import_("jsonl", path)) == {"updated", "unchanged"}
    assert notes(memory) == {f"USES {number}": f"new {number}" for number in range(10)}
    assert outcomes(memory.import_("jsonl", path)) == {"unchanged"}


def test_a_file_that_is_read_again_corrects_when_its_relation_was_made(
    memory: Memory, path: Path
) -> None:
    for moment in ("2025-03-01T00:00:00Z", "2024-03-01T00:00:00Z"):
        write(path, ENDS, relations([{"created_at": moment}]))
        assert outcomes(memory.import_("jsonl", path)) <= {"created", "updated"}
        exported = [line for line in memory.export() if line["type"] == "relation"]
        assert [line["created_at"] for line in exported] == [moment]


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_relation_that_one_call_states_several_times_is_created_once(
    memory: Memory, *, dry_run: bool
) -> None:
    uses = {"from": "Harbour", "relation": "USES", "to": "Tide feed"}
    stated = [uses, uses, uses | {"note": "reads it"}, uses | {"note": "reads it"}]
    report = memory.remember(ENDS, stated, dry_run=dry_run)
    assert [item.outcome for item in report.items if item.what == "relation"] == [
        "created", "unchanged", "updated", "unchanged"
    ]  # fmt: skip


def test_a_relation_that_is_there_is_updated_by_what_adds_to_it(memory: Memory) -> None:
    uses = {"from": "Harbour", "relation": "USES", "to": "Tide feed"}
    memory.remember(ENDS, [uses])
    report = memory.remember([], [uses | {"note": "reads it"}, uses])
    assert [item.outcome for item in report.items] == ["updated", "unchanged"]
    assert outcomes(memory.remember([], [uses, uses])) == {"unchanged"}
