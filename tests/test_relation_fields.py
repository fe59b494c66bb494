"""A field of a relation is set and unset; both are recorded and can be taken back."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from graphmem import cli
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model import Relation
from graphmem.server import LazyMemory, build

SAID: dict[str, Any] = {
    "note": "hot",
    "weight": 0.5,
    "confidence": 0.8,
    "source": "wiki",
    "valid_until": "2030-01-01",
    "attributes": {"owner": "ops", "since": 2024},
}
ENDS = {"from": "A", "relation": "USES", "to": "B"}


@pytest.fixture
def linked(memory: Memory) -> Memory:
    memory.remember([{"name": "A"}, {"name": "B"}])
    memory.link("A", "USES", "B", **SAID)
    return memory


def stated(memory: Memory) -> dict[str, Any]:
    """What the relation says by now."""
    (line,) = (line for line in memory.export() if line["type"] == "relation")
    return {name: value for name, value in line.items() if name in SAID}


def test_each_field_is_unset_alone_and_comes_back_by_undo(linked: Memory) -> None:
    before = stated(linked)
    assert before == SAID
    for name in ("note", "weight", "confidence", "source", "valid_until"):
        (item,) = linked.link("A", "USES", "B", unset=[name]).items
        assert item.outcome == "updated"
        assert stated(linked) == {one: value for one, value in SAID.items() if one != name}
        (difference,) = linked.history("A", limit=1).revisions[0].differences
        assert (name in dict(difference.before), name in dict(difference.after)) == (True, False)  # type: ignore[call-overload]
        linked.undo("last")
        assert stated(linked) == before


@pytest.mark.parametrize("name", ["A", "B"])
def test_history_shows_what_a_relation_said_when_it_was_made(linked: Memory, name: str) -> None:
    linked.link("A", "USES", "B", unset=["source"], note="cold")
    linked.link("A", "USES", "B", note="warm")

    def notes() -> list[str]:
        revisions = linked.history(name).revisions
        made = [d.after for r in revisions for d in r.differences if d.before is None]
        return [dict(relation)["note"] for relation in made if relation is not True]  # type: ignore[call-overload]

    assert notes() == ["hot"]
    linked.unlink("A", "B")
    linked.link("A", "USES", "B", note="new")
    assert notes()[0] == "new"


def test_history_names_when_a_relation_begins_as_reports_do(linked: Memory) -> None:
    linked.link("A", "SERVES", "B", valid_from="2024-01-01")
    linked.link("A", "SERVES", "B", valid_from="2024-01-01", note="ended", valid_until="2024-06-30")
    differences = [
        difference
        for revision in linked.history("A").revisions
        for difference in revision.differences
    ]
    assert [difference.field for difference in differences if "SERVES" in difference.field] == [
        "the relation SERVES to B from 2024-01-01"
    ] * 2


def test_an_attribute_is_unset_and_the_others_stay(linked: Memory) -> None:
    linked.link("A", "USES", "B", unset=["attributes.owner", "note"], weight=0.7)
    now = stated(linked)
    assert (now["attributes"], now["weight"], "note" in now) == ({"since": 2024}, 0.7, False)


def test_unsetting_an_absent_field_is_no_change(linked: Memory) -> None:
    linked.link("A", "USES", "B", unset=["note", "attributes.owner"])
    (item,) = linked.link("A", "USES", "B", unset=["note", "attributes.owner"]).items
    assert item.outcome == "unchanged"


def test_of_two_values_in_one_call_the_later_wins(linked: Memory) -> None:
    linked.remember(relations=[{**ENDS, "unset": ["note", "source"]}, {**ENDS, "note": "cold"}])
    assert (stated(linked)["note"], stated(linked).get("source")) == ("cold", None)
    linked.remember(relations=[{**ENDS, "note": "warm"}, {**ENDS, "unset": ["note"]}])
    assert "note" not in stated(linked)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"unset": ["noet"]}, r"unset must name fields of note, weight, .* attributes\.NAME"),
        ({"unset": ["valid_from"]}, "unlink this one, and link it again"),
        ({"unset": ["attributes."]}, "must name fields of"),
        ({"unset": ["note"], "note": "x"}, "must not name a field that is given as well"),
        ({"unset": ["attributes.a"], "attributes": {"a": 1}}, "that is given as well"),
        ({"unset": "note"}, "must be a list"),
        ({"unset": [5]}, "must be text"),
        ({"unset": ["note"] * 2000}, "at most 1000"),
    ],
)
def test_what_cannot_be_unset_is_refused_with_what_is_allowed(
    given: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        Relation.from_json({**ENDS, **given}, corrects=True)


def test_a_file_may_not_unset_what_others_said(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"type": "relation", **ENDS, "unset": ["note"]}))
    (refused,) = memory.import_("jsonl", path).refused
    assert "unset" in str(refused.reason)


def test_what_an_import_asserts_and_a_caller_unsets_stays_away(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    lines: list[dict[str, object]] = [
        {"type": "entity", "name": "A"},
        {"type": "entity", "name": "B"},
        {"type": "relation", **ENDS, **SAID},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    memory.import_("jsonl", path)
    memory.link("A", "USES", "B", unset=["note", "attributes.owner"])
    for _ in range(2):
        memory.import_("jsonl", path)
        assert "note" not in stated(memory)
        assert stated(memory)["attributes"] == {"since": 2024}
    memory.link("A", "USES", "B", note="by hand")
    assert stated(memory)["note"] == "by hand"


def test_the_terminal_and_agents_unset_fields(
    linked: Memory, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linked, "close", lambda: None)  # other tests go on with its connection
    command = ["link", "A", "USES", "B", "--project", str(linked.project)]
    assert cli.main([*command, "--unset", "note", "--unset", "attributes.owner"]) == 0
    assert cli.main([*command, "--unset", "noet"]) == 2
    assert "attributes.NAME" in capsys.readouterr().err
    assert cli.main([*command, "--attribute", "owner=dev", "--source", "talk"]) == 0
    now = stated(linked)
    assert (now.get("note"), now["attributes"]["owner"], now["source"]) == (None, "dev", "talk")

    async def call() -> None:
        async with Client(build(LazyMemory(lambda: linked, seconds=10))) as client:
            link = {"from": "A", "relation": "USES", "to": "B"}
            await client.call_tool("link", {**link, "unset": ["weight"]})
            await client.call_tool("remember", {"relations": [{**link, "unset": ["source"]}]})

    asyncio.run(call())
    assert stated(linked).keys() & {"weight", "source", "note"} == set()
