"""`graphmem import memory-server`: the file of MCP's reference memory server, whole."""

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.memory import Memory
from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS

ANNA: dict[str, Any] = {
    "type": "entity", "name": "Anna Weber", "entityType": "person",
    "observations": ["Works on the tide feed", "Prefers mornings"],
}  # fmt: skip
FEED: dict[str, Any] = {
    "type": "entity", "name": "Tide feed", "entityType": "service", "observations": [],
}  # fmt: skip
WORKS: dict[str, Any] = {
    "type": "relation", "from": "Anna Weber", "to": "Tide feed", "relationType": "works on",
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


def write(path: Path, *lines: object) -> None:
    written = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")


def test_entities_observations_and_relations_come_over_and_are_found(
    memory: Memory, path: Path
) -> None:
    write(path, WORKS, ANNA, FEED)
    assert [item.outcome for item in memory.import_("memory-server", path).items] == ["created"] * 3
    (page,) = memory.get("Anna Weber")
    assert page.kind == "person"
    assert [observation.text for observation in page.entity.observations] == ANNA["observations"]
    assert [(link.relation, link.name) for link in page.neighbours] == [("works on", "Tide feed")]
    (hit, *_) = memory.search("who prefers mornings", mode="keyword").hits
    assert hit.name == "Anna Weber"
    report = memory.import_("memory-server", path)
    assert {item.outcome for item in report.items} == {"unchanged"}


def test_names_that_differ_in_case_alone_are_one_entity_and_again_unchanged(
    memory: Memory, path: Path
) -> None:
    other = {"name": "anna  weber", "entityType": "Person", "observations": ["Knows the quay"]}
    broken = ANNA | {"name": ""}
    write(path, ANNA | {"since": 2019}, WORKS, broken, broken, FEED, ANNA | other | {"team": "sea"})
    report = memory.import_("memory-server", path)
    assert [item.name for item in report.items if item.outcome == "created"] == [
        "Tide feed", "Anna Weber", "Anna Weber -[works on]-> Tide feed",
    ]  # fmt: skip
    (page,) = memory.get("Anna Weber")
    assert (page.kind, page.entity.attributes) == ("Person", {"since": 2019, "team": "sea"})
    texts = [observation.text for observation in page.entity.observations]
    assert texts == [*ANNA["observations"], "Knows the quay"]
    counts = memory.import_("memory-server", path).counts("entity")
    assert (counts["unchanged"], counts["updated"]) == (2, 0)


def test_lines_that_are_too_large_together_are_taken_one_by_one(path: Path) -> None:
    halves = [[f"{half} {number}" for number in range(3000)] for half in ("First", "Second")]
    write(path, *(ANNA | {"observations": half} for half in halves))
    values = [row.value for row in FORMATS["memory-server"].read(path)]
    texts = [
        [observation.text for observation in value.observations]
        for value in values
        if isinstance(value, Entity)
    ]
    assert sorted(texts) == halves


def test_what_is_gone_from_the_file_is_removed_and_notes_of_others_stay(
    memory: Memory, path: Path
) -> None:
    write(path, ANNA, FEED, WORKS)
    memory.import_("memory-server", path)
    memory.remember([{"name": "Anna Weber", "observations": ["Noted by hand"]}])
    write(path, ANNA | {"observations": ["Prefers mornings"]})
    memory.import_("memory-server", path)
    (page,) = memory.get("Anna Weber")
    texts = {observation.text for observation in page.entity.observations}
    assert texts == {"Prefers mornings", "Noted by hand"}
    assert page.neighbours == ()
    assert memory.get("Tide feed")[0].status == "removed"


def test_what_cannot_be_used_is_refused_with_its_line(path: Path) -> None:
    write(
        path, ANNA, "{broken", [1], {"type": ["entity"]}, ANNA | {"name": ""},
        WORKS | {"relationType": None}, FEED | {"observations": 5},
        FEED | {"createdAt": "2026", "more": {"a": 1}, "project": "x", "entityType": "Entity",
                "observations": [" ", "One."]},
    )  # fmt: skip
    rows = list(FORMATS["memory-server"].read(path))
    refused = [row.value for row in rows if isinstance(row.value, Item)]
    assert [item.name for item in refused] == [f"memory.jsonl:{line}" for line in range(2, 8)]
    assert [item.what for item in refused].index("relation") == 4
    entity = rows[-1].value
    assert isinstance(entity, Entity)
    assert entity.to_json()["attributes"] == {
        "createdAt": "2026", "more": '{"a": 1}', "project_": "x", "entityType": "Entity",
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["Entity", "Thing", "", " a  b ", 5])
def test_a_type_that_is_no_kind_as_it_stands_is_an_attribute(path: Path, kind: object) -> None:
    write(path, ANNA | {"entityType": kind}, ANNA | {"name": "Ben"})
    values = [row.value for row in FORMATS["memory-server"].read(path)]
    odd, plain = [value.to_json() for value in values if isinstance(value, Entity)]
    assert odd["attributes"] == {"entityType": kind}
    assert "attributes" not in plain


def read(path: Path) -> list[Entity | Relation | Item]:
    values = [row.value for row in FORMATS["memory-server"].read(path)]
    return [value for value in values if isinstance(value, Entity | Relation | Item)]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_of_a_fork_is_read_like_lines(path: Path, indent: int | None) -> None:
    write(path, ANNA, FEED, WORKS)
    expected = read(path)
    graph = {"entities": [ANNA, {"name": "Tide feed", "type": "service"}], "relations": [WORKS]}
    by_name = {"Anna Weber": ANNA, "Tide feed": {"entityType": "service"}}
    for document in (graph, [ANNA, FEED, WORKS], graph | {"entities": by_name}):
        path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
        assert read(path) == expected


def test_the_parts_of_a_document_that_cannot_be_used_are_named(path: Path) -> None:
    path.write_text(json.dumps({"entities": [FEED, 5, ANNA | {"name": ""}], "relations": [{}]}))
    refused = [value for value in read(path) if isinstance(value, Item)]
    assert [(item.what, item.name) for item in refused] == [
        ("entity", "entities[1]"), ("entity", "entities[2]"), ("relation", "relations[0]"),
    ]  # fmt: skip
    path.write_text('{\n"other": []\n}')
    assert len([value for value in read(path) if isinstance(value, Item)]) == 3


def test_what_forks_add_to_lines_is_read(path: Path) -> None:
    dated = {"content": "Prefers tea.", "timestamp": "2026-03-01T10:00:00Z", "durability": "long"}
    marker = {"type": "_aim", "source": "mcp-knowledge-graph"}
    more = {"strength": 0.9, "weight": 2, "metadata": {"by": "Ben"}, "createdAt": None}
    undated = {"content": "Knows the quay.", "timestamp": "long ago"}
    write(path, marker, ANNA | {"observations": [dated, undated]},
          FEED | {"observations": "A lone text."}, WORKS | more)  # fmt: skip
    anna, feed, works = read(path)
    assert isinstance(anna, Entity)
    observations = [(item.text, str(item.created_at)) for item in anna.observations]
    assert observations == [
        ("Prefers tea.", "2026-03-01 10:00:00+00:00"), ("Knows the quay.", "None"),
    ]  # fmt: skip
    assert isinstance(feed, Entity)
    assert [observation.text for observation in feed.observations] == ["A lone text."]
    assert isinstance(works, Relation)
    assert works.attributes == {"strength": 0.9, "weight_": 2, "metadata": '{"by": "Ben"}'}


def test_a_document_changes_nothing_when_it_is_imported_again(memory: Memory, path: Path) -> None:
    twice = ANNA | {"observations": "Knows the quay."}
    document = {"entities": [ANNA, FEED, twice], "relations": [WORKS | {"strength": 1}, WORKS]}
    path.write_text(json.dumps(document, indent=2))
    memory.import_("memory-server", path)
    before = list(memory.export(history=True))
    report = memory.import_("memory-server", path)
    assert {item.outcome for item in report.items} == {"unchanged"}
    assert list(memory.export(history=True)) == before
