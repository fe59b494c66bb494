"""A change is undone: what comes back, what stays, what is refused."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import neo4j
import pytest

from changed_entities import page, refusals, remember_cache, without_times
from graphmem.calls import acting
from graphmem.errors import Conflict, NotFound
from graphmem.graph import Row, Transaction
from graphmem.memory import Memory
from graphmem.write.history import effects
from listeners import Interruption

BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def cache(memory: Memory) -> dict[str, Any]:
    return remember_cache(memory)


@pytest.mark.usefixtures("cache")
def test_a_merge_is_undone(memory: Memory) -> None:
    memory.remember(
        [{"name": "Redis", "text": "A server.", "observations": ["It is written in C."]}],
        [
            {"from": "Redis", "relation": "SERVES", "to": "Session store", "weight": 0.5},
            {"from": "Redis", "relation": "PART_OF", "to": "Redis cache"},
        ],
    )
    names = ("Redis cache", "Redis", "Session store", "Valkey")
    before = [without_times(page(memory, name)) for name in names]
    memory.merge("Redis", "Redis cache")
    change = memory.changes(BEGINNING).changes[0]
    assert change.verb == "merge"
    assert memory.undo(change.id).changes
    assert [without_times(page(memory, name)) for name in names] == before
    assert not memory.undo(change.id).changes
    memory.undo(memory.changes(BEGINNING).changes[0].id)
    assert memory.stats().entities == 3
    assert page(memory, "Redis")["name"] == "Redis cache"
    memory.undo(memory.changes(BEGINNING).changes[0].id)
    assert [without_times(page(memory, name)) for name in names] == before


def test_a_call_that_changed_an_entity_twice_is_undone_as_one(memory: Memory) -> None:
    memory.remember([{"name": "Pier", "title": "One"}])
    memory.remember([{"name": "Pier", "title": "Two"}, {"name": "Pier", "title": "Three"}])
    assert page(memory, "Pier")["revision"] == 3
    memory.undo("last")
    assert page(memory, "Pier")["title"] == "One"


@pytest.mark.usefixtures("cache")
def test_an_undo_reports_what_it_changed(memory: Memory) -> None:
    with acting("alice"):
        memory.rename("Valkey", "Valkey cache")
    change = memory.changes(BEGINNING).changes[0]
    (undone,) = memory.undo("last").notes
    assert undone.startswith("undone: `rename` by alice at 2")
    (nothing,) = memory.undo(change.id).notes
    assert nothing.startswith("nothing changed: `rename` by alice at 2")


def test_restore_brings_back_what_was_forgotten(memory: Memory, cache: dict[str, Any]) -> None:
    memory.forget("Redis cache")
    assert memory.restore(["Redis cache", "Valkey"]).counts("entity") == {
        "created": 0, "updated": 1, "unchanged": 1, "removed": 0, "refused": 0,
    }  # fmt: skip
    assert without_times(page(memory, "Redis cache")) == without_times(cache)


def test_undo_brings_back_a_status_that_restore_does_not(memory: Memory) -> None:
    memory.remember([{"name": "Pier", "status": "draft"}])
    memory.forget("Pier")
    memory.restore("Pier")
    assert page(memory, "Pier")["status"] == "active"
    memory.undo("last")
    memory.undo(next(c.id for c in memory.changes(BEGINNING).changes if c.verb == "forget"))
    assert page(memory, "Pier")["status"] == "draft"


def test_a_purge_leaves_neither_entity_nor_history(memory: Memory, cache: dict[str, Any]) -> None:
    memory.edit({"name": "Redis cache", "title": "A secret"})
    memory.rename("Redis cache", "Cache")
    memory.purge("Cache")
    for name in ("Cache", "Redis cache"):
        with pytest.raises(NotFound):
            memory.get(name)
    rows = memory.graph.read("read/revisions", keys=[cache["key"]], limit=10)
    assert rows == []
    assert page(memory, "Valkey")["relations"] == []
    memory.remember([{"name": "Cache"}])
    assert page(memory, "Cache")["revision"] == 1
    with pytest.raises(NotFound):
        memory.purge(["Session store", "Nobody"])
    assert page(memory, "Session store")


@pytest.mark.usefixtures("cache")
def test_an_undo_leaves_later_changes_to_other_fields(memory: Memory) -> None:
    memory.edit({"name": "Redis cache", "title": "Wrong", "tags": ["wrong"]})
    wrong = memory.history("Redis cache").revisions[0].change
    assert wrong is not None
    memory.remember([{"name": "Redis cache", "observations": ["Noted later."]}])
    memory.undo(wrong)
    now = page(memory, "Redis cache")
    assert (now["title"], now["tags"]) == ("Cache in Redis", ["infra", "old"])
    assert [observation["text"] for observation in now["observations"]][-1] == "Noted later."


@pytest.mark.usefixtures("cache")
def test_a_later_change_to_the_same_fields_refuses_an_undo(memory: Memory) -> None:
    memory.edit({"name": "Redis cache", "title": "Wrong"})
    wrong = memory.history("Redis cache").revisions[0].change
    assert wrong is not None
    with acting("Anna"):
        memory.edit({"name": "Redis cache", "title": "Right"})
    with pytest.raises(Conflict, match="title of 'redis cache' was changed since, by Anna"):
        memory.undo(wrong)
    assert page(memory, "Redis cache")["title"] == "Right"
    with pytest.raises(NotFound):
        memory.undo("no such change")


def test_undo_removes_and_restores_links(memory: Memory, cache: dict[str, Any]) -> None:
    memory.link("Redis cache", "SERVES", "Session store", note="not any more")
    memory.link("Valkey", "NEW", "Session store")
    memory.unlink("Valkey", "Redis cache")
    for change in memory.changes(BEGINNING).changes[:3]:
        memory.undo(change.id)
    assert page(memory, "Redis cache")["relations"] == cache["relations"]
    assert [relation["relation"] for relation in page(memory, "Valkey")["relations"]] == [
        "REPLACES"
    ]


@pytest.mark.usefixtures("cache")
def test_a_link_that_was_removed_before_and_made_again_is_undone(memory: Memory) -> None:
    memory.unlink("Valkey", "Redis cache")
    memory.link("Valkey", "REPLACES", "Redis cache", note="once more")
    memory.undo("last")
    assert page(memory, "Valkey")["relations"] == []
    memory.undo("last")
    assert page(memory, "Valkey")["relations"][0]["note"] == "once more"
    # What came later is no part of it.
    again = memory.changes(BEGINNING).changes[2]
    memory.link("Valkey", "REPLACES", "Redis cache", note="changed")
    with pytest.raises(Conflict):
        memory.undo(again.id)


@pytest.mark.usefixtures("cache")
def test_undoing_a_creation_is_refused_once_somebody_added_to_the_entity(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    change = memory.changes(BEGINNING).changes[0]
    assert (change.created, change.names) == (2, ("A", "B"))
    memory.remember([{"name": "A", "observations": ["Noted later."]}])
    with pytest.raises(Conflict):
        memory.undo(change.id)
    memory.undo(memory.changes(BEGINNING).changes[0].id)
    undone = memory.undo(change.id)
    assert [(item.name, item.outcome) for item in undone.items] == [
        ("A", "removed"), ("B", "removed"),
    ]  # fmt: skip
    assert memory.get("A")[0].entity.status == "removed"
    assert not memory.search("A").hits
    assert memory.undo("last").entities["updated"] == 2


def test_nothing_of_a_large_change_is_undone_if_some_of_it_was_changed_since(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "BATCH", 2)
    memory.remember([{"name": name} for name in "ABC"])
    creation = memory.changes(BEGINNING).changes[0]
    memory.edit({"name": "C", "title": "Later"})
    with pytest.raises(Conflict, match="title of 'c' was changed since"):
        memory.undo(creation.id)
    assert memory.stats().statuses == {"active": 3}


def test_an_undo_of_the_last_change_goes_on_with_one_that_was_interrupted(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "BATCH", 2)
    memory.remember([{"name": name} for name in "ABCDE"])
    with pytest.raises(KeyboardInterrupt):
        memory.undo("last", progress=Interruption("Undoing"))
    assert memory.stats().statuses == {"active": 3, "removed": 2}
    report = memory.undo("last")
    assert [item.name for item in report.items] == ["C", "D", "E"]
    assert "an undo that had been interrupted; it is complete now" in report.notes[-1]
    assert memory.stats().statuses == {"removed": 5}


def test_an_undo_that_is_complete_is_undone_as_the_last_change(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}], [{"from": "A", "relation": "USES", "to": "B"}])
    memory.undo("last")
    memory.undo("last")
    assert memory.stats().statuses == {"active": 2}
    assert [neighbour.name for neighbour in memory.get("A")[0].neighbours] == ["B"]


def test_an_undo_takes_few_entities_with_long_texts_at_once(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "TRANSACTION_BYTES", 100_000)
    memory.remember([{"name": name, "text": "A quay. " * 1_000} for name in "ABCDEF"])
    locked: list[int] = []
    run = Transaction.run

    def listening(transaction: Transaction, name: str, /, **parameters: Any) -> list[Row]:  # noqa: ANN401 - as given
        if name == "write/lock_entities":
            locked.append(len(parameters["keys"]))
        return run(transaction, name, **parameters)

    monkeypatch.setattr(Transaction, "run", listening)
    memory.undo("last")
    assert sum(locked) == 6
    assert max(locked) < 3


def test_the_creation_of_an_entity_that_came_back_from_a_merge_is_undone(memory: Memory) -> None:
    memory.remember([{"name": "B"}])
    memory.remember(
        [{"name": "A", "text": "alpha"}], [{"from": "A", "relation": "USES", "to": "B"}]
    )
    creation = memory.changes(BEGINNING).changes[0]
    before = without_times(page(memory, "A"))
    memory.merge("A", "B")
    with pytest.raises(Conflict, match=r"of 'a' was changed since, by .* undo that first"):
        memory.undo(creation.id)
    memory.undo("last")

    assert [(item.name, item.outcome) for item in memory.undo(creation.id).items] == [
        ("A", "removed")
    ]
    assert (memory.stats().entities, memory.get("A")[0].entity.status) == (2, "removed")
    assert memory.get("B")[0].neighbours == ()
    assert memory.undo(creation.id).items == ()
    memory.undo("last")
    assert without_times(page(memory, "A")) == before


@pytest.mark.parametrize("ends", [("Quay", "Pier"), ("Pier", "Quay")], ids=" to ".join)
def test_a_merge_that_was_undone_is_not_made_again_over_a_link_since(
    memory: Memory, ends: tuple[str, str]
) -> None:
    memory.remember([{"name": name} for name in ("Pier", "Jetty", "Quay")])
    memory.merge("Pier", "Jetty")
    memory.undo("last")
    undo = memory.changes(BEGINNING).changes[0]
    memory.link(ends[0], "NEAR", ends[1])
    link = memory.changes(BEGINNING).changes[0]
    with pytest.raises(Conflict, match=rf"NEAR.* since by change {link.id}; undo that first"):
        memory.undo(undo.id)
    assert [other.name for other in memory.get("Quay")[0].neighbours] == ["Pier"]
    memory.undo(link.id)
    memory.undo(undo.id)
    assert memory.get("Pier")[0].name == "Jetty"


@pytest.mark.parametrize("name", ["A pier", "Some pier"])
def test_a_merge_is_undone_and_made_again_in_parts_with_every_link(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(effects, "BATCH", 2)
    boats = [f"Boat {number}" for number in range(5)]
    memory.remember(
        [{"name": one} for one in (name, "Harbour", *boats)],
        [{"from": boat, "relation": "AT", "to": name, "note": boat} for boat in boats],
    )
    memory.merge(name, "Harbour")
    for place in (name, "Harbour", name):
        memory.undo("last")
        links = [memory.get(boat)[0].neighbours[0] for boat in boats]
        assert [(link.name, link.note) for link in links] == [(place, boat) for boat in boats]


def test_a_merge_that_is_made_again_keeps_what_others_linked(
    memory: Memory, session: neo4j.Session
) -> None:
    memory.remember([{"name": "Pier"}, {"name": "Jetty"}])
    memory.merge("Pier", "Jetty")
    memory.undo("last")
    linked = "MATCH (entity:Entity {project: $project})--(:Chart {of: $project}) RETURN entity.name"
    session.run(
        "MATCH (entity:Entity {project: $project, name: 'Pier'}) "
        "CREATE (:Chart {of: $project})-[:SHOWS]->(entity)",
        project=memory.project,
    ).consume()
    memory.undo("last")
    assert session.run(linked, project=memory.project).value() == ["Jetty"]
    session.run("MATCH (chart:Chart {of: $project}) DETACH DELETE chart", project=memory.project)


def test_errors_name_the_layer_that_has_a_missing_name(memory: Memory) -> None:
    rule = f"Rule of {memory.project}"
    memory.remember([{"name": rule}], project="@user")
    with pytest.raises(NotFound, match=r"but in @user: name that as the project"):
        memory.get(rule)
    assert "but in @user" in refusals(memory.forget([rule]))[0]
    (reason,) = refusals(memory.link(rule, "FORBIDS", rule))
    assert reason == (
        f"there is no entity {rule!r} in {memory.project}, but in @user, and relations join "
        f"entities of one project; remember one of that name in {memory.project}"
    )
    assert page(memory, rule, project="@user")["name"] == rule
    with pytest.raises(NotFound, match=r"in @user; search for it"):
        memory.get("Nobody's", project="@user")


@pytest.mark.usefixtures("cache")
def test_a_name_that_leads_nowhere_is_refused_and_the_others_are_restored(memory: Memory) -> None:
    memory.forget(["Valkey", "Session store"])
    report = memory.restore(["Valkey", "Nobody", "Session store"])
    assert [item.outcome for item in report.items] == ["updated", "refused", "updated"]
    assert "there is no entity 'Nobody'" in refusals(report)[0]


def test_an_agent_undoes_the_last_change_as_that_only_where_it_made_it(memory: Memory) -> None:
    with acting("Anna"):
        memory.remember([{"name": "Quay"}])
    (change,) = memory.changes("2020-01-01").changes
    with acting("Ben"):
        with pytest.raises(Conflict, match=f"is not yours: `remember` by Anna at .*{change.id}"):
            memory.undo("last")
        assert memory.undo(change.id).changes
        assert memory.undo("last").changes
    assert memory.undo("last").changes  # a person sees whose it is


def test_a_link_of_an_import_that_is_undone_is_the_imports_again(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "notes.jsonl"
    lines: list[dict[str, str]] = [
        {"type": "entity", "name": "A"},
        {"type": "entity", "name": "B"},
        {"type": "relation", "from": "A", "relation": "R", "to": "B", "note": "first"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    memory.import_("jsonl", path)
    memory.unlink("A", "B")
    memory.undo("last")
    lines[2]["note"] = "second"
    path.write_text("\n".join(map(json.dumps, lines)))
    memory.import_("jsonl", path)
    assert page(memory, "A")["relations"][0]["note"] == "second"


def test_what_was_purged_cannot_be_undone(memory: Memory) -> None:
    memory.remember([{"name": "A"}])
    memory.purge("A")
    report = memory.undo("last")
    assert report.items == ()
    (note,) = report.notes
    assert re.fullmatch(
        "nothing changed: `purge` by .* at .* cannot be undone; earlier changes can, .*", note
    )


def test_an_undo_of_links_reports_the_links(memory: Memory) -> None:
    memory.remember([{"name": "Pier"}, {"name": "Buoy"}])
    memory.link("Pier", "NEAR", "Buoy")
    memory.link("Pier", "NEAR", "Buoy", note="since spring")
    memory.unlink("Pier", "Buoy")
    told = [
        [(item.what, item.name, item.outcome) for item in memory.undo(change.id).items]
        for change in memory.changes(BEGINNING).changes[:3]
    ]
    link = ("relation", "Pier -[NEAR]-> Buoy")
    assert told == [[(*link, "updated")], [(*link, "updated")], [(*link, "removed")]]


def test_an_undo_of_an_undo_says_what_is_done_again(memory: Memory) -> None:
    memory.remember([{"name": "Pier"}])
    memory.edit({"name": "Pier", "title": "One"})
    edit = memory.changes(BEGINNING).changes[0].id
    memory.undo("last")
    (note,) = memory.undo("last").notes
    assert note.endswith(f", so what it had undone, change {edit}, is done again")
    assert memory.get("Pier")[0].entity.title == "One"
