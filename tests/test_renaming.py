"""An entity is renamed: it answers to both names, and links go on to lead to it."""

import json
from pathlib import Path
from typing import Any

import pytest

from changed_entities import page, remember_cache
from graphmem.errors import InvalidInput
from graphmem.memory import Memory


@pytest.fixture
def cache(memory: Memory) -> dict[str, Any]:
    return remember_cache(memory)


def test_a_renamed_entity_keeps_its_links_and_answers_to_both_names(
    memory: Memory, cache: dict[str, Any]
) -> None:
    memory.rename("Redis cache", "Valkey cache")
    now = page(memory, "Valkey cache")
    assert now["name"] == "Valkey cache"
    assert now["key"] == cache["key"]
    assert now["aliases"] == ["Redis cache"]
    assert now["relations"] == cache["relations"]
    assert page(memory, "Redis cache") == now
    assert memory.search("Valkey cache").hits[0].name == "Valkey cache"
    assert memory.search("Redis cache").hits[0].name == "Valkey cache"


def test_a_renamed_entity_is_read_from_its_layer_by_both_names(memory: Memory) -> None:
    memory.remember([{"name": "Redis cache"}])
    memory.rename("Redis cache", "Valkey cache")
    for name in ("Redis cache", "valkey  CACHE"):
        assert [entity.name for entity in memory.in_layers([name])] == ["Valkey cache"]
    assert len(memory.in_layers(["Redis cache", "Valkey cache"])) == 1


@pytest.mark.usefixtures("cache")
def test_both_names_of_a_renamed_entity_lead_to_it_in_every_call(
    memory: Memory, tmp_path: Path
) -> None:
    memory.rename("Redis cache", "Valkey cache")
    memory.remember([{"name": "Valkey cache", "category": "infra"}])
    memory.remember([{"name": "Redis cache", "status": "draft"}])
    path = tmp_path / "notes.jsonl"
    path.write_text(
        "\n".join(
            json.dumps(one)
            for one in (
                {"type": "entity", "name": "valkey  CACHE", "observations": ["From a file."]},
                {"type": "relation", "from": "Valkey cache", "relation": "R", "to": "Valkey"},
            )
        )
    )
    for _ in range(2):
        report = memory.import_("jsonl", path)
        assert not report.refused
    now = page(memory, "Valkey cache")
    assert (now["category"], now["status"]) == ("infra", "draft")
    assert [observation["text"] for observation in now["observations"]][-1] == "From a file."
    assert {relation["relation"] for relation in now["relations"]} == {"SERVES", "REPLACES", "R"}
    assert memory.stats().entities == 3
    assert now["name"] == "Valkey cache"


@pytest.mark.usefixtures("cache")
def test_remembering_a_former_name_reports_the_entity_written_to(memory: Memory) -> None:
    memory.rename("Redis cache", "Valkey cache")
    note = (
        "'redis CACHE' is a former name of 'Valkey cache', so that entity is meant; "
        "a new one needs another name"
    )
    told = [
        memory.remember([{"name": name, "tags": ["fast"]}], dry_run=dry_run).notes
        for name in ("redis  CACHE", "valkey CACHE")
        for dry_run in (True, False)
    ]
    assert [note in notes for notes in told] == [True, True, False, False]
    refused = memory.remember([{"name": "Redis cache", "if_revision": 1}])
    assert (len(refused.refused), refused.notes) == (1, ())


def test_renaming_to_the_name_of_another_entity_is_refused(
    memory: Memory, cache: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput, match=r"^new_name must not be .* `merge` merges the two"):
        memory.rename("Redis cache", "Session store")
    assert page(memory, "Redis cache") == cache
    memory.rename("Redis cache", "Cache")
    with pytest.raises(InvalidInput, match=r"^new_name must not be .* `merge` merges the two"):
        memory.rename("Session store", "Cache")
    memory.rename("Cache", "redis CACHE")
    assert page(memory, "Redis cache")["name"] == "redis CACHE"
    assert memory.stats().entities == 3


def test_a_new_name_that_is_an_alias_of_another_entity_leads_to_the_renamed_one(
    memory: Memory,
) -> None:
    memory.remember([{"name": "Old"}, {"name": "Other", "aliases": ["New"]}])
    memory.rename("Old", "New")
    assert page(memory, "New")["name"] == "New"
    assert page(memory, "Old")["name"] == "New"
    memory.link("New", "BESIDE", "Other")
    assert [relation["name"] for relation in page(memory, "New")["relations"]] == ["Other"]
