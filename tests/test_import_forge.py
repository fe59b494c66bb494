"""`graphmem import forge`: every pattern of a Forge memory, where it belongs, once."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem.adapters.forge import importer as forge
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model import Entity, Item
from graphmem.transfer import FORMATS, Row

VITEST: dict[str, Any] = {
    "id": "mem_1772359200000_k3f9", "timestamp": "2026-03-01T10:00:00.000Z",
    "pattern": "pnpm vitest --run (watch mode hangs in CI)", "category": "test_command",
    "confidence": 0.9, "scope": "project", "tags": ["ci"],
}  # fmt: skip
NPM: dict[str, Any] = {
    "id": "mem_1772359260000_a01z", "timestamp": "2026-03-01T10:01:00.000Z",
    "pattern": "avoid npm test, use pnpm test instead", "category": "test_command",
    "confidence": 0.8, "scope": "project",
}  # fmt: skip
ATOMIC: dict[str, Any] = {
    "id": "mem_1772359320000_zz90", "timestamp": "2026-03-01T10:02:00.000Z",
    "pattern": "write state files to a temporary name, then rename", "category": "convention",
    "confidence": 0.7, "scope": "global",
}  # fmt: skip


def learned(folder: Path, *lines: object, name: str = "project.jsonl") -> Path:
    """A repository whose Forge memory has these lines."""
    memory = folder / ".forge" / "memory"
    memory.mkdir(parents=True, exist_ok=True)
    written = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (memory / name).write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return folder


def rows(path: Path) -> list[Row]:
    return list(FORMATS["forge"].read(path))


def entities(path: Path) -> list[Entity]:
    return [row.value for row in rows(path) if isinstance(row.value, Entity)]


def refused(path: Path) -> list[tuple[str, str]]:
    return [
        (row.place, row.value.reason or "") for row in rows(path) if isinstance(row.value, Item)
    ]


@pytest.fixture
def atomic(memory: Memory) -> Iterator[str]:
    """The entity of the pattern that all projects share, purged when a test has ended."""
    name = f"convention: {ATOMIC['pattern']}"
    yield name
    memory.purge(name, project="@user")


# What becomes of a pattern


def test_a_pattern_becomes_an_entity_with_everything_its_line_says(
    memory: Memory, tmp_path: Path
) -> None:
    memory.import_("forge", learned(tmp_path, VITEST))
    entity = memory.get("test_command: pnpm vitest --run (watch mode hangs in CI)")[0].entity
    assert (entity.kind, entity.category, entity.confidence) == ("Pattern", "test_command", 0.9)
    assert (entity.text, entity.tags) == (VITEST["pattern"], ("ci",))
    assert str(entity.created_at) == "2026-03-01 10:00:00+00:00"
    assert entity.attributes == {"id": VITEST["id"]}
    assert entity.source == ".forge/memory/project.jsonl"


def test_other_fields_are_attributes_whatever_they_are_called_and_hold(tmp_path: Path) -> None:
    (row,) = FORMATS["forge"].read(
        learned(tmp_path, {**VITEST, "source": "a review", "seen": [{"at": 1}]})
    )
    assert isinstance(row.value, Entity)
    assert row.value.attributes == {
        "id": VITEST["id"], "source_": "a review", "seen": '[{"at": 1}]',
    }  # fmt: skip


def test_the_project_file_belongs_to_the_project_and_the_global_one_to_the_user(
    memory: Memory, tmp_path: Path, atomic: str
) -> None:
    learned(tmp_path, VITEST, {**NPM, "scope": "global"})
    learned(tmp_path, ATOMIC, name="global.jsonl")
    assert [row.project for row in rows(tmp_path)] == [None, None, "@user"]
    report = memory.import_("forge", tmp_path)
    assert report.counts("entity")["created"] == 3
    assert memory.stats().entities == 2
    assert memory.get(atomic, project="@user")


def test_in_a_file_of_another_name_the_lines_say_where_they_belong(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    without = {key: value for key, value in NPM.items() if key != "scope"}
    path.write_text("\n".join(map(json.dumps, [VITEST, ATOMIC, without])))
    assert [row.project for row in rows(path)] == [None, "@user", None]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (".", ".forge/memory/project.jsonl"),
        (".forge", "memory/project.jsonl"),
        (".forge/memory", "project.jsonl"),
        (".forge/memory/project.jsonl", "project.jsonl"),
    ],
)
def test_a_path_may_be_the_repository_a_folder_of_it_or_a_file(
    tmp_path: Path, path: str, source: str
) -> None:
    (entity,) = entities(learned(tmp_path, VITEST) / path)
    assert entity.source == source


def test_a_folder_without_a_forge_memory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"\.forge/memory"):
        rows(tmp_path)
    (tmp_path / "memory").mkdir()
    with pytest.raises(InvalidInput, match=r"\.forge/memory"):
        rows(tmp_path)


def test_a_memory_without_patterns_imports_nothing(tmp_path: Path) -> None:
    (tmp_path / ".forge" / "memory").mkdir(parents=True)
    assert rows(tmp_path) == []
    assert rows(learned(tmp_path, "", "   ")) == []


def test_a_category_is_found_as_it_is_written_and_by_its_words(
    memory: Memory, tmp_path: Path
) -> None:
    memory.import_("forge", learned(tmp_path, VITEST, {**ATOMIC, "scope": "project"}))
    for query in ("test_command", "commands"):
        (hit,) = memory.search(query, mode="keyword").hits
        assert hit.name.startswith("test_command: ")


def test_a_line_without_confidence_counts_as_forge_counts_it(tmp_path: Path) -> None:
    line = {"pattern": "a", "category": "convention"}
    assert [e.confidence for e in entities(learned(tmp_path, line))] == [0.5]


def test_a_category_that_forge_has_not_is_kept(tmp_path: Path) -> None:
    assert [e.category for e in entities(learned(tmp_path, {**NPM, "category": "contract"}))] == [
        "contract"
    ]


def test_names_of_long_patterns_stay_short_and_apart(tmp_path: Path) -> None:
    lines = [{**NPM, "pattern": "always " * 400 + end} for end in ("so", "not so")]
    all_entities = entities(learned(tmp_path, *lines))
    assert len({pattern.name for pattern in all_entities}) == 2
    assert max(len(pattern.name) for pattern in all_entities) < 150
    assert [pattern.text for pattern in all_entities] == [line["pattern"] for line in lines]


@pytest.mark.parametrize(
    "pattern",
    [
        "a\nb\tc",
        "with \x07 a bell",
        "\u202eturned round",
        "ёлка 🌲 на CI",
        "[x] {y} \\z",
        "#",
        "-- ",
    ],
)
def test_any_visible_text_is_a_pattern(memory: Memory, tmp_path: Path, pattern: str) -> None:
    report = memory.import_("forge", learned(tmp_path, {**NPM, "pattern": pattern}))
    assert [item.outcome for item in report.items] == ["created"]
    assert memory.get(report.items[0].name)[0].entity.text == pattern


# Said twice


@pytest.mark.usefixtures("atomic")
def test_a_second_import_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    learned(tmp_path, VITEST, {**NPM, "timestamp": None})
    learned(tmp_path, ATOMIC, name="global.jsonl")
    memory.import_("forge", tmp_path)
    before = [*memory.export(), *memory.export(project="@user")]
    report = memory.import_("forge", tmp_path)
    assert {item.outcome for item in report.items} == {"unchanged"}
    assert [*memory.export(), *memory.export(project="@user")] == before


def test_the_same_text_in_the_same_category_is_one_pattern_with_the_higher_confidence(
    tmp_path: Path,
) -> None:
    again = {
        **VITEST, "id": "later", "pattern": "PNPM  vitest --run (watch mode hangs in ci)",
        "confidence": 0.95, "timestamp": "2026-02-01T00:00:00Z", "tags": ["CI", "pnpm"],
    }  # fmt: skip
    (entity,) = entities(learned(tmp_path, VITEST, again))
    assert (entity.text, entity.confidence) == (VITEST["pattern"], 0.95)
    assert [tag.casefold() for tag in entity.tags] == ["ci", "pnpm"]
    assert str(entity.created_at) == "2026-02-01 00:00:00+00:00"
    assert entity.attributes["id"] == VITEST["id"]


@pytest.mark.parametrize("category", [None, "", "left out"])
def test_a_pattern_without_a_category_loads(tmp_path: Path, category: str | None) -> None:
    line = {**NPM, "category": category}
    if category == "left out":
        del line["category"]
    (entity,) = entities(learned(tmp_path, line))
    assert (entity.category, entity.text) == (None, NPM["pattern"])


def test_one_tag_may_stand_for_a_list(tmp_path: Path) -> None:
    (entity,) = entities(learned(tmp_path, {**NPM, "tags": "ci"}))
    assert entity.tags == ("ci",)


@pytest.mark.parametrize("timestamp", [1772359200000, 1772359200, 1772359200.0])
def test_a_timestamp_may_be_a_number(tmp_path: Path, timestamp: float) -> None:
    (entity,) = entities(learned(tmp_path, {**NPM, "timestamp": timestamp}))
    assert str(entity.created_at) == "2026-03-01 10:00:00+00:00"


def test_a_pattern_says_when_it_holds(tmp_path: Path) -> None:
    line = {"pattern": "Tag releases", "category": "process", "valid_until": "2026-05-31"}
    (entity,) = entities(learned(tmp_path, line))
    assert entity.to_json()["valid_until"] == "2026-05-31"


def test_a_file_whose_name_can_be_no_source_is_read(tmp_path: Path) -> None:
    path = tmp_path / f"{'x' * 201}.jsonl"
    path.write_text(json.dumps(NPM))
    (row,) = rows(path)
    assert isinstance(row.value, Entity)
    assert row.value.source is None


def test_the_same_text_in_another_category_is_another_pattern(tmp_path: Path) -> None:
    assert len(entities(learned(tmp_path, NPM, {**NPM, "category": "tool_usage"}))) == 2


@pytest.mark.parametrize("long", ["Straße und Brücke " * 40, "ß" * 100, "word " * 23 + "testament"])
def test_long_patterns_that_differ_in_case_alone_are_one(tmp_path: Path, long: str) -> None:
    lines = [{**NPM, "pattern": long}, {**NPM, "pattern": long.upper()}]
    assert len(entities(learned(tmp_path, *lines))) == 1


def test_a_confidence_that_grew_since_is_not_lowered_again(memory: Memory, tmp_path: Path) -> None:
    memory.import_("forge", learned(tmp_path, NPM))
    (name,) = (hit.name for hit in memory.search("npm", mode="keyword").hits)
    memory.remember([{"name": name, "confidence": 0.95}])
    report = memory.import_("forge", learned(tmp_path, NPM))
    assert [item.outcome for item in report.items] == ["unchanged"]
    assert memory.get(name)[0].entity.confidence == 0.95


# What is gone


def test_a_pattern_removed_from_the_file_is_no_longer_found(memory: Memory, tmp_path: Path) -> None:
    memory.import_("forge", learned(tmp_path, VITEST, NPM))
    report = memory.import_("forge", learned(tmp_path, VITEST))
    assert [item.name for item in report.items if item.outcome == "removed"] == [
        "test_command: avoid npm test, use pnpm test instead"
    ]
    assert [hit.name for hit in memory.search("npm", mode="keyword").hits] == []
    memory.import_("forge", learned(tmp_path, VITEST, NPM))
    assert len(memory.search("npm", mode="keyword").hits) == 1


@pytest.fixture
def shared(memory: Memory, project: str) -> Iterator[str]:
    """A word that no other test says in the layer of the user."""
    word = f"w{project[-12:]}"
    yield word
    hits = memory.search(word, project="@user", mode="keyword").hits
    if hits:
        memory.forget([hit.key for hit in hits], project="@user")


def test_the_last_global_pattern_removed_from_the_file_is_no_longer_found(
    memory: Memory, tmp_path: Path, shared: str
) -> None:
    learned(tmp_path, VITEST)
    memory.import_("forge", learned(tmp_path, {**ATOMIC, "pattern": shared}, name="global.jsonl"))
    assert memory.search(shared, mode="keyword").count == 1
    memory.import_("forge", learned(tmp_path, name="global.jsonl"))
    assert memory.search(shared, mode="keyword").count == 0


def test_one_repository_does_not_remove_what_another_learned_for_all(
    memory: Memory, project: str, tmp_path: Path, shared: str
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        (folder / ".git" / "objects").mkdir(parents=True)
        (folder / ".git" / "refs").mkdir()
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        lines = [{**ATOMIC, "pattern": f"{shared} {folder.name}"}]
        learned(folder, *lines, name="global.jsonl")
    memory.import_("forge", one)
    memory.import_("forge", two, project=f"{project}-two")
    assert memory.search(shared, mode="keyword").count == 2


@pytest.mark.parametrize("line", ["{half", json.dumps({**NPM, "confidence": 7})])
def test_a_file_with_a_line_that_cannot_be_used_loses_nothing(
    memory: Memory, tmp_path: Path, line: str
) -> None:
    memory.import_("forge", learned(tmp_path, VITEST, NPM))
    report = memory.import_("forge", learned(tmp_path, VITEST, line))
    assert [item.outcome for item in report.items if item.outcome == "removed"] == []
    assert memory.search("npm", mode="keyword").count == 1


def test_a_file_that_cannot_be_read_loses_nothing(memory: Memory, tmp_path: Path) -> None:
    memory.import_("forge", learned(tmp_path, VITEST, NPM))
    file = tmp_path / ".forge" / "memory" / "project.jsonl"
    file.unlink()
    file.mkdir()
    report = memory.import_("forge", tmp_path)
    assert [(item.outcome, item.place) for item in report.items] == [
        ("refused", ".forge/memory/project.jsonl")
    ]
    assert memory.search("npm", mode="keyword").count == 1


# What is refused


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{not json", "not JSON"),
        ('{"pattern": "half', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "line"),
        ("null", "line"),
        ({**NPM, "pattern": None}, "pattern"),
        ({**NPM, "pattern": " \n "}, "pattern"),
        ({**NPM, "pattern": "\x07\u200e"}, "pattern"),
        ({**NPM, "pattern": ["a"]}, "pattern"),
        ({**NPM, "pattern": "a" * 1_100_000}, "1 MiB"),
        ({**NPM, "category": "c" * 201}, "category"),
        ({**NPM, "category": {}}, "category"),
        ({**NPM, "confidence": 1.01}, "confidence"),
        ({**NPM, "confidence": -0.1}, "confidence"),
        ({**NPM, "confidence": "high"}, "confidence"),
        ({**NPM, "confidence": True}, "confidence"),
        ('{"pattern": "a", "category": "b", "confidence": NaN}', "confidence"),
        ({**NPM, "timestamp": "yesterday"}, "timestamp"),
        ({**NPM, "timestamp": 1e300}, "timestamp"),
        ({**NPM, "timestamp": True}, "timestamp"),
        ({**NPM, "tags": [1]}, "tags[0]"),
        ({**NPM, "id": "a" * 1_100_000}, "id"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused_with_its_number_and_the_others_load(
    tmp_path: Path, line: object, reason: str
) -> None:
    path = learned(tmp_path, VITEST, "", line, ATOMIC)
    ((place, why),) = refused(path)
    assert place == ".forge/memory/project.jsonl:3"
    assert reason in why
    assert [row.place[-2:] for row in rows(path) if isinstance(row.value, Entity)] == [":1", ":4"]


def test_an_unknown_scope_is_refused_where_the_line_decides(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(json.dumps({**NPM, "scope": "galaxy"}))
    ((place, why),) = refused(path)
    assert (place, "project, global" in why) == ("kept.jsonl:1", True)


def test_bytes_that_are_no_text_are_refused_and_a_byte_order_mark_is_not(tmp_path: Path) -> None:
    learned(tmp_path)
    file = tmp_path / ".forge" / "memory" / "project.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(VITEST).encode() + b"\r\n\xff\xfe\r\n")
    assert [place for place, _ in refused(tmp_path)] == [".forge/memory/project.jsonl:2"]
    assert len(entities(tmp_path)) == 1


def test_a_pipe_is_no_file_to_wait_for(tmp_path: Path) -> None:
    learned(tmp_path, VITEST)
    os.mkfifo(tmp_path / ".forge" / "memory" / "global.jsonl")
    reason = "cannot be read: it is not a regular file"
    assert refused(tmp_path) == [(".forge/memory/global.jsonl", reason)]


def test_a_name_is_cut_between_words() -> None:
    name = forge.name_of("word " * 22 + "testament and more", "convention")
    assert name.startswith("convention: word word ")
    assert "test" not in name


def test_a_name_says_the_category_and_the_pattern() -> None:
    assert forge.name_of(" Use  pnpm ", "tool_usage") == "tool_usage: Use pnpm"
