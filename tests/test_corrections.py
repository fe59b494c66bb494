"""An entity is corrected: what is replaced, what is taken away, what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from changed_entities import CACHE, page, refusals, remember_cache
from graphmem.calls import acting
from graphmem.errors import InvalidInput, NotFound
from graphmem.memory import Memory


@pytest.fixture
def cache(memory: Memory) -> dict[str, Any]:
    return remember_cache(memory)


def test_an_observation_is_replaced_by_its_id_and_keeps_its_place(
    memory: Memory, cache: dict[str, Any]
) -> None:
    first, second = cache["observations"]
    assert cache["revision"] == 1
    memory.edit(
        {"name": "Redis cache", "observations": [{"id": first["id"], "text": "It is slow."}]}
    )
    now = page(memory, "Redis cache")
    assert [observation["text"] for observation in now["observations"]] == [
        "It is slow.",
        "It is cheap.",
    ]
    assert now["observations"][0]["created_at"] == first["created_at"]
    assert now["observations"][1] == second
    assert now["revision"] == 2


def test_an_edit_removes_items_and_fields(memory: Memory, cache: dict[str, Any]) -> None:
    gone = cache["observations"][1]["id"]
    memory.remember(
        [
            {
                "name": "Redis cache",
                "unset": ["title", "text"],
                "remove": {"tags": ["old"], "attributes": ["owner"], "observations": [gone]},
            }
        ]
    )
    now = page(memory, "Redis cache")
    assert "title" not in now
    assert "text" not in now
    assert "attributes" not in now
    assert now["tags"] == ["infra"]
    assert [observation["text"] for observation in now["observations"]] == ["It is fast."]


def test_a_stale_revision_is_refused_and_names_what_changed(
    memory: Memory, cache: dict[str, Any]
) -> None:
    with acting("Anna"):
        memory.remember([{"name": "Redis cache", "title": "Another title"}])
    report = memory.edit({"name": "Redis cache", "title": "Mine", "if_revision": cache["revision"]})
    (reason,) = refusals(report)
    assert "if_revision is 1, but its revision is 2" in reason
    assert "Anna changed title at" in reason
    assert page(memory, "Redis cache")["title"] == "Another title"
    assert not memory.edit({"name": "Redis cache", "title": "Mine", "if_revision": 2}).refused
    assert page(memory, "Redis cache")["title"] == "Mine"


@pytest.mark.usefixtures("cache")
def test_a_correction_is_reported_under_the_name_as_the_entity_has_it(memory: Memory) -> None:
    report = memory.edit({"name": "redis  CACHE", "title": "Another title"})
    refused = memory.edit({"name": "Another title", "title": "Mine", "if_revision": 1})
    assert [item.name for item in (*report.items, *refused.items)] == ["Redis cache"] * 2
    assert [item.outcome for item in (*report.items, *refused.items)] == ["updated", "refused"]


@pytest.mark.parametrize(
    ("entity", "reason"),
    [
        ({"name": "Nobody", "if_revision": 1}, "it is not there"),
        ({"name": "Redis cache", "remove": {"observations": ["x"]}}, "no observation with the id"),
        ({"name": "Redis cache", "observations": [{"id": "x", "text": "y"}]}, "no observation"),
        ({"name": "Redis cache", "unset": ["name"]}, "must name fields of"),
        ({"name": "Redis cache", "unset": ["title"], "title": "x"}, "that is given as well"),
        ({"name": "Redis cache", "remove": {"names": ["x"]}}, "must be an object with the fields"),
        ({"name": "Redis cache", "remove": ["x"]}, "must be an object with the fields"),
        ({"name": "Redis cache", "if_revision": 0}, "must be a whole number from 1"),
        ({"name": "Redis cache", "if_revision": True}, "must be a whole number from 1"),
    ],
)
def test_what_cannot_be_corrected_is_refused_and_leaves_everything(
    memory: Memory, cache: dict[str, Any], entity: dict[str, Any], reason: str
) -> None:
    (refused,) = refusals(memory.remember([entity]))
    assert reason in refused
    assert page(memory, "Redis cache") == cache
    with pytest.raises(NotFound):
        memory.get("Nobody")


def test_a_tag_that_an_import_asserts_stays_away(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"type": "entity", **CACHE}))
    memory.import_("jsonl", path)
    first = page(memory, "Redis cache")["observations"][0]["id"]
    memory.edit({"name": "Redis cache", "remove": {"tags": ["old"], "observations": [first]}})
    memory.import_("jsonl", path)
    now = page(memory, "Redis cache")
    assert now["tags"] == ["infra"]
    assert [observation["text"] for observation in now["observations"]] == ["It is cheap."]


def test_an_import_may_not_take_back_what_others_said(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"type": "entity", "name": "A", "unset": ["title"]}))
    (reason,) = refusals(memory.import_("jsonl", path))
    assert "unset" in reason


@pytest.mark.usefixtures("cache")
def test_relations_are_reported_between_entities_as_they_are_called(memory: Memory) -> None:
    memory.rename("Valkey", "Valkey Store")
    replaced = memory.supersede("Redis cache", "Valkey Store")
    assert [item.name for item in replaced.items][1:] == [
        "Valkey Store -[SUPERSEDES]-> Redis cache"
    ]
    removed = memory.unlink("Valkey Store", "Redis cache", "REPLACES")
    assert [item.name for item in removed.items] == ["Valkey Store -[REPLACES]-> Redis cache"]
    again = memory.unlink("Valkey Store", "Redis cache", "REPLACES")
    assert again.items == ()
    assert again.notes == (
        "there is no relation REPLACES from Valkey Store to Redis cache, so none was removed",
    )
    with pytest.raises(InvalidInput, match=r"^new_name must not .* It leads to Valkey Store;"):
        memory.rename("Redis cache", "Valkey")
