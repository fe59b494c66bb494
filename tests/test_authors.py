"""Every fact knows who asserted it: an import replaces its own word, and nobody else's."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphmem.graph import Graph, Transaction
from graphmem.memory import Memory
from graphmem.migrations import MIGRATIONS, Migration
from graphmem.model import Report
from stores import lines_of

NOTE = """---
kind: Decision
tags: [infra]
owner: ops
---
Sessions are kept in Redis.
"""


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Redis cache.md").write_text(f"{NOTE}\nIt serves the [[Session store]].\n")
    (folder / "Session store.md").write_text("Keeps who is signed in.")
    return folder


def outcomes(report: Report) -> set[str]:
    return {item.outcome for item in report.items}


def line(memory: Memory, name: str = "Redis cache") -> dict[str, Any]:
    return memory.get(name)[0].entity.to_json()


def jsonl(path: Path, *lines: dict[str, object]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


ADDITIONS: list[dict[str, object]] = [
    {"observations": ["Seen by hand."]},
    {"tags": ["by-hand"]},
    {"aliases": ["ADR-7"]},
    {"attributes": {"rank": 3}},
    {"title": "By hand", "category": "by-hand", "confidence": 0.5, "source": "me"},
    {"status": "draft", "kind": "Idea", "text": "Written by hand."},
    {"attributes": {"owner": "me"}},
]


@pytest.mark.parametrize("addition", ADDITIONS, ids="-".join)
def test_what_is_noted_on_an_imported_entity_outlives_the_next_import(
    memory: Memory, notes: Path, addition: dict[str, object]
) -> None:
    memory.import_("markdown", notes)
    memory.remember([{"name": "Redis cache", **addition}])
    noted = list(memory.export())
    assert outcomes(memory.import_("markdown", notes)) == {"unchanged"}
    assert list(memory.export()) == noted


def test_an_import_repeated_after_notes_writes_nothing(memory: Memory, notes: Path) -> None:
    memory.import_("markdown", notes)
    for addition in ADDITIONS:
        memory.remember([{"name": "Redis cache", **addition}])
    memory.link("Redis cache", "ABOUT", "Session store")
    memory.forget("Session store")
    before = list(lines_of(memory, str(memory.project)))
    assert outcomes(memory.import_("markdown", notes)) == {"unchanged"}
    assert before == list(lines_of(memory, str(memory.project)))


def test_a_note_that_is_gone_is_removed_with_its_links(memory: Memory, notes: Path) -> None:
    (notes / "Tide feed.md").write_text("---\nsource: the harbour\n---\nUses [[Redis cache]].")
    memory.import_("markdown", notes)
    memory.link("Session store", "USES", "Redis cache")
    (notes / "Redis cache.md").write_text(NOTE)
    (notes / "Session store.md").unlink()
    (notes / "Tide feed.md").write_text("---\nkind: [\n---\n")
    # A file that cannot be read may hold anything.
    assert memory.import_("markdown", notes).counts("entity")["removed"] == 0
    assert [neighbour.name for neighbour in memory.get("Redis cache")[0].neighbours] == [
        "Session store", "Tide feed", "Session store",
    ]  # fmt: skip
    (notes / "Tide feed.md").unlink()
    # One of two notes of a name is refused, and hides nothing.
    (notes / "old").mkdir()
    (notes / "old" / "Redis cache.md").write_text("---\nname: Redis cache\n---\nAnother one.")
    report = memory.import_("markdown", notes)
    assert report.counts("entity")["removed"] == 2
    assert report.counts("relation")["removed"] == 1
    assert memory.stats().statuses == {"active": 1, "removed": 2}
    # What somebody linked stays, hidden with the entity.
    (notes / "Session store.md").write_text("Keeps who is signed in.")
    memory.import_("markdown", notes)
    (link,) = memory.get("Redis cache")[0].neighbours
    assert (link.relation, link.direction, link.name) == ("USES", "in", "Session store")


def test_an_import_removes_only_its_own_assertions(memory: Memory, notes: Path) -> None:
    memory.import_("markdown", notes)
    memory.remember([{"name": "Redis cache", "tags": ["infra", "hot"], "observations": ["Seen."]}])
    (notes / "Redis cache.md").write_text("Nothing is said any more.")
    memory.import_("markdown", notes)
    now = line(memory)
    assert now["tags"] == ["infra", "hot"]
    assert [o["text"] for o in now["observations"]] == ["Seen."]
    assert now["text"] == "Nothing is said any more."
    assert "attributes" not in now
    assert now["kind"] == "Thing"


def test_the_later_value_of_a_field_wins_and_the_earlier_one_returns(
    memory: Memory, tmp_path: Path
) -> None:
    file = jsonl(tmp_path / "a.jsonl", {"type": "entity", "name": "A", "title": "One"})
    memory.import_("jsonl", file)
    memory.remember([{"name": "A", "title": "Two"}])
    assert line(memory, "A")["title"] == "Two"
    jsonl(file, {"type": "entity", "name": "A", "title": "Three"})
    memory.import_("jsonl", file)
    assert line(memory, "A")["title"] == "Three"
    jsonl(file, {"type": "entity", "name": "A"})
    memory.import_("jsonl", file)
    assert line(memory, "A")["title"] == "Two"


def test_a_text_that_was_overruled_comes_back_and_is_found(memory: Memory, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "a.jsonl", {"type": "entity", "name": "A", "text": "The lighthouse."})
    memory.import_("jsonl", file)
    memory.remember([{"name": "A", "text": "The harbour."}])
    assert [hit.name for hit in memory.search("harbour").hits] == ["A"]
    assert memory.search("lighthouse", mode="keyword").hits == ()
    memory.remember([{"name": "A", "text": ""}])
    jsonl(file, {"type": "entity", "name": "A", "text": "The lighthouse at night."})
    memory.import_("jsonl", file)
    assert [hit.name for hit in memory.search("lighthouse", mode="keyword").hits] == ["A"]


def test_two_imports_of_one_entity_each_keep_their_assertions(
    memory: Memory, tmp_path: Path
) -> None:
    first = jsonl(tmp_path / "a.jsonl", {"type": "entity", "name": "A", "tags": ["x", "both"]})
    second = jsonl(tmp_path / "b.jsonl", {"type": "entity", "name": "A", "tags": ["y", "both"]})
    memory.import_("jsonl", first)
    memory.import_("jsonl", second)
    assert outcomes(memory.import_("jsonl", first)) == {"unchanged"}
    jsonl(first, {"type": "entity", "name": "A"})
    memory.import_("jsonl", first)
    assert sorted(line(memory, "A")["tags"]) == ["both", "y"]


def test_an_entity_that_somebody_else_asserts_stays_when_its_source_is_gone(
    memory: Memory, tmp_path: Path, whole: Callable[[Path], Report]
) -> None:
    folder = tmp_path / "facts"
    folder.mkdir()
    file = jsonl(folder / "a.jsonl", {"name": "A", "text": "From the file.", "tags": ["x"]},
                 {"name": "B", "text": "From the file."})  # fmt: skip
    whole(folder)
    memory.remember([{"name": "A", "observations": ["Seen by hand."]}])
    file.write_text("")
    report = whole(folder)
    assert [(item.name, item.outcome) for item in report.items] == [
        ("A", "updated"),
        ("B", "removed"),
    ]
    kept = memory.get("A")[0].entity
    assert (kept.status, kept.text, kept.tags) == ("active", None, ())
    assert [o.text for o in kept.observations] == ["Seen by hand."]
    assert memory.get("B")[0].entity.status == "removed"
    assert memory.get("B")[0].entity.text == "From the file."


def test_whoever_remembers_what_a_source_dropped_takes_it_over(
    memory: Memory, tmp_path: Path, whole: Callable[[Path], Report]
) -> None:
    folder = tmp_path / "facts"
    folder.mkdir()
    jsonl(folder / "a.jsonl", {"name": "A", "text": "From the file."})
    whole(folder)
    (folder / "a.jsonl").write_text("")
    whole(folder)
    memory.remember([{"name": "A"}])
    assert outcomes(whole(folder)) == set()
    assert memory.get("A")[0].entity.text == "From the file."
    assert memory.get("A")[0].entity.status == "active"


def test_a_forgotten_entity_stays_forgotten_when_its_source_is_imported_again(
    memory: Memory, notes: Path
) -> None:
    memory.import_("markdown", notes)
    memory.forget("Redis cache")
    (notes / "Redis cache.md").write_text("---\nstatus: active\n---\nNew words.")
    memory.import_("markdown", notes)
    assert memory.get("Redis cache")[0].entity.status == "forgotten"
    memory.remember([{"name": "Redis cache"}])
    assert memory.get("Redis cache")[0].entity.status == "active"
    assert memory.get("Redis cache")[0].entity.text == "New words."


@pytest.mark.parametrize("hidden_by", ["import", "caller"])
def test_a_note_that_is_hidden_is_removed_with_its_file_unless_a_caller_hid_it(
    memory: Memory, notes: Path, hidden_by: str
) -> None:
    file = notes / "Redis cache.md"
    file.write_text(f"---\nstatus: {'deprecated' if hidden_by == 'import' else 'active'}\n---\n")
    memory.import_("markdown", notes)
    if hidden_by == "caller":
        memory.supersede("Redis cache", "Session store")
    file.unlink()
    memory.import_("markdown", notes)
    status = memory.get("Redis cache")[0].entity.status
    assert status == ("removed" if hidden_by == "import" else "superseded")


def test_what_was_restored_follows_its_source_again(memory: Memory, notes: Path) -> None:
    memory.import_("markdown", notes)
    before = line(memory)
    memory.forget("Redis cache")
    memory.restore("Redis cache")
    assert line(memory).get("attributes") == before.get("attributes")
    (notes / "Redis cache.md").write_text("New words.")
    memory.import_("markdown", notes)
    now = memory.get("Redis cache")[0].entity
    assert (now.status, now.text) == ("active", "New words.")
    assert not now.attributes


def test_values_that_a_caller_replaced_stay_replaced(memory: Memory, notes: Path) -> None:
    memory.import_("markdown", notes)
    memory.remember(
        [{"name": "Redis cache", "tags": ["mine"], "observations": ["mine"]}], overwrite=True
    )
    assert outcomes(memory.import_("markdown", notes)) == {"unchanged"}
    now = line(memory)
    assert now["tags"] == ["mine"]
    assert "attributes" not in now


def test_an_observation_that_a_caller_replaced_stays_away(memory: Memory, tmp_path: Path) -> None:
    said: dict[str, object] = {"type": "entity", "name": "A", "observations": ["one", "two"]}
    file = jsonl(tmp_path / "a.jsonl", said)
    memory.import_("jsonl", file)
    memory.remember([{"name": "A", "observations": ["two", "three"]}], overwrite=True)
    assert outcomes(memory.import_("jsonl", file)) == {"unchanged"}
    assert [o["text"] for o in line(memory, "A")["observations"]] == ["two", "three"]
    memory.remember([{"name": "A", "observations": ["one"]}])
    memory.import_("jsonl", file)
    jsonl(file, {"type": "entity", "name": "A"})
    memory.import_("jsonl", file)
    assert sorted(o["text"] for o in line(memory, "A")["observations"]) == ["one", "three", "two"]


# Relations


def relations(memory: Memory) -> dict[str, Any]:
    return {
        f"{line['from']} {line['relation']} {line['to']}": line.get("note")
        for line in memory.export()
        if line["type"] == "relation"
    }


@pytest.fixture
def joined(tmp_path: Path) -> Path:
    folder = tmp_path / "facts"
    folder.mkdir()
    jsonl(folder / "a.jsonl", {"name": "A"}, {"name": "B"},
          {"from": "A", "relation": "USES", "to": "B", "note": "from the file"})  # fmt: skip
    return folder


def test_a_relation_that_a_person_asserts_too_stays_when_its_source_is_gone(
    memory: Memory, joined: Path, whole: Callable[[Path], Report]
) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    memory.link("A", "USES", "B", note="by hand")
    whole(joined)
    assert relations(memory) == {"A USES B": "from the file"}
    assert outcomes(whole(joined)) == {"unchanged"}
    jsonl(joined / "a.jsonl", {"name": "A"}, {"name": "B"})
    assert outcomes(whole(joined)) == {"unchanged"}
    assert relations(memory) == {"A USES B": "by hand"}


def test_the_later_value_of_a_relation_wins(
    memory: Memory, joined: Path, whole: Callable[[Path], Report]
) -> None:
    whole(joined)
    memory.link("A", "USES", "B", note="by hand", weight=0.5)
    assert outcomes(whole(joined)) == {"unchanged"}
    assert relations(memory) == {"A USES B": "by hand"}
    (link,) = memory.get("A")[0].neighbours
    assert link.weight == 0.5
    jsonl(joined / "a.jsonl", {"name": "A"}, {"name": "B"},
          {"from": "A", "relation": "USES", "to": "B", "note": "new in the file"})  # fmt: skip
    assert "updated" in outcomes(whole(joined))
    assert relations(memory) == {"A USES B": "new in the file"}
    assert memory.get("A")[0].neighbours[0].weight == 0.5


def test_an_unlinked_relation_is_not_brought_back_by_an_import(
    memory: Memory, joined: Path, whole: Callable[[Path], Report]
) -> None:
    whole(joined)
    assert len(memory.unlink("A", "B").items) == 1
    assert outcomes(whole(joined)) == {"unchanged"}
    assert relations(memory) == {}
    memory.link("A", "USES", "B")
    whole(joined)
    assert relations(memory) == {"A USES B": "from the file"}


def test_each_relation_that_a_person_took_away_stays_away(
    memory: Memory, tmp_path: Path, whole: Callable[[Path], Report]
) -> None:
    links: list[dict[str, object]] = [
        {"from": "A", "relation": sort, "to": "B"} for sort in ("OWNS", "SELLS", "USES")
    ]
    jsonl(tmp_path / "a.jsonl", {"name": "A"}, {"name": "B"}, *links)
    whole(tmp_path)
    memory.unlink("A", "B", "USES")
    memory.unlink("A", "B", "OWNS")
    whole(tmp_path)
    assert list(relations(memory)) == ["A SELLS B"]
    memory.link("A", "USES", "B")
    whole(tmp_path)
    assert sorted(relations(memory)) == ["A SELLS B", "A USES B"]


def test_a_relation_whose_only_source_drops_it_is_deleted(
    memory: Memory, joined: Path, whole: Callable[[Path], Report]
) -> None:
    whole(joined)
    jsonl(joined / "a.jsonl", {"name": "A"}, {"name": "B"})
    assert whole(joined).counts("relation")["removed"] == 1
    assert relations(memory) == {}


# Stores made before authors were noted


@pytest.fixture
def older(memory: Memory, notes: Path, graph: Graph) -> Memory:
    """A project as it was written before, an import's mark and no authors, brought up to date."""
    memory.import_("markdown", notes)
    memory.remember([{"name": "Redis cache", "tags": ["noted"], "observations": ["noted"]},
                     {"name": "By hand", "text": "Written by hand."}])  # fmt: skip
    with graph._session("WRITE") as session:
        session.run(
            "MATCH (entity:Entity {project: $project}) "
            "SET entity.filters = entity.graphmem_filters, entity.graphmem_filters = null, "
            "entity.imported = head([a IN entity.asserted_by WHERE a <> 'caller']), "
            "entity.asserted_by = null, entity.graphmem_assertions = null "
            "WITH entity OPTIONAL MATCH (entity)-[:HAS_PASSAGE]->(passage) "
            "SET passage.asserted_by = null "
            "WITH entity OPTIONAL MATCH (entity)-[relation:!HAS_PASSAGE]->() "
            "SET relation.imported = head(relation.asserted_by), relation.asserted_by = null",
            project=memory.project,
        ).consume()
        rows = session.run(
            "MATCH (entity:Entity {project: $project}) RETURN entity.key AS key ORDER BY key",
            project=memory.project,
        )
        keys = [row["key"] for row in rows]
    for migration in MIGRATIONS:
        assert graph.write(partial(change, migration=migration, keys=keys))
    return memory


def change(transaction: Transaction, migration: Migration, keys: list[str]) -> bool:
    return migration.change is None or migration.change(transaction, keys)


def test_an_older_store_keeps_everything(older: Memory, notes: Path) -> None:
    before = list(older.export())
    assert outcomes(older.import_("markdown", notes)) == {"unchanged"}
    assert list(older.export()) == before
    assert outcomes(older.import_("markdown", notes)) == {"unchanged"}


def test_an_older_stores_imports_replace_what_they_say_from_then_on(
    older: Memory, notes: Path
) -> None:
    older.import_("markdown", notes)
    (notes / "Redis cache.md").write_text("New words.")
    older.import_("markdown", notes)
    now = line(older)
    assert now["text"] == "New words."
    assert now["tags"] == ["noted"]
    assert [o["text"] for o in now["observations"]] == ["noted"]


def test_a_note_on_an_older_store_outlives_the_next_import(older: Memory, notes: Path) -> None:
    older.remember([{"name": "Redis cache", "title": "By hand", "tags": ["later"]}])
    before = list(older.export())
    older.import_("markdown", notes)
    assert list(older.export()) == before
