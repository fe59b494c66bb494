"""Pairs of entities that may be one are listed with reasons."""

import json
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput
from graphmem.memory import Memory


def test_pairs_that_may_be_one_are_listed_with_reasons(memory: Memory) -> None:
    memory.remember(
        [
            {"name": "Redis cache", "aliases": ["ADR-7"], "text": "Sessions are kept in Redis."},
            {"name": "ADR-7", "text": "A record of a decision."},
            {"name": "Cache of sessions", "text": "Sessions are kept in Redis."},
            {"name": "Harbour", "text": "Ships lie there."},
            {"name": "Session store"},
        ],
        [
            {"from": "Redis cache", "relation": "SERVES", "to": "Session store"},
            {"from": "ADR-7", "relation": "ABOUT", "to": "Session store"},
        ],
    )
    told = memory.duplicates(threshold=0.5)
    pairs = {frozenset((pair.first, pair.second)): pair for pair in told.pairs}
    named = pairs[frozenset(("Redis cache", "ADR-7"))]
    assert (named.names, named.neighbours) == (("adr - 7",), 1)
    assert told.pairs[0] == named
    alike = pairs[frozenset(("Redis cache", "Cache of sessions"))]
    assert alike.cosine is not None
    assert "they mean nearly the same" in alike.reasons
    assert not any("Harbour" in pair for pair in pairs)
    assert told.complete
    with pytest.raises(InvalidInput):
        memory.duplicates(threshold=2)


def test_functions_of_one_name_are_no_duplicates_by_it(memory: Memory, tmp_path: Path) -> None:
    for name, call in (("tides", "quays()"), ("ropes", "knots(2, 3)"), ("boats", "sails(wind)")):
        (tmp_path / f"{name}.py").write_text(f"def main():\n    return {call}\n")
    memory.import_("code", tmp_path)
    assert not any(pair.names for pair in memory.duplicates(threshold=0.1).pairs)
    memory.remember([{"name": "boats.py::main", "observations": ["It is slow."]}])
    pairs = [pair for pair in memory.duplicates(threshold=0.1).pairs if pair.names]
    assert {name for pair in pairs for name in (pair.first, pair.second)} == {
        "boats.py::main", "ropes.py::main", "tides.py::main",
    }  # fmt: skip
    assert all("boats.py::main" in (pair.first, pair.second) for pair in pairs)


def test_code_of_an_export_has_no_duplicates_by_name_either(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "code.jsonl"
    with path.open("w") as lines:
        for name in ("tides", "ropes"):
            (tmp_path / f"{name}.py").write_text(f"def main():\n    return {name}()\n")
        memory.import_("code", tmp_path)
        lines.writelines(json.dumps(line) + "\n" for line in memory.export())
    memory.delete_project(str(memory.project))
    memory.import_("jsonl", path)
    assert not any(pair.names for pair in memory.duplicates(threshold=0.1).pairs)
    memory.remember([{"name": "tides.py::main", "observations": ["It is slow."]}])
    (pair,) = [pair for pair in memory.duplicates(threshold=0.1).pairs if pair.names]
    assert {pair.first, pair.second} == {"ropes.py::main", "tides.py::main"}


def test_remember_notes_a_possible_duplicate(memory: Memory) -> None:
    memory.remember([{"name": "Redis cache", "aliases": ["ADR-7"], "title": "The cache"}])
    report = memory.remember([{"name": "ADR-7"}, {"name": "Other"}])
    (note,) = [one for one in report.notes if "merge" in one]
    assert note.startswith("'ADR-7' may be 'Redis cache', which is called 'ADR-7' as well; ")
    assert "Other" not in note
    again = memory.remember([{"name": "ADR-7", "tags": ["t"]}])
    assert not [one for one in again.notes if "merge" in one]
