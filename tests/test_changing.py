"""What is known can be corrected, renamed, merged, replaced, deleted, looked back on, undone."""

import itertools
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import neo4j
import pytest

from concurrent_calls import at_once
from graphmem import read, text
from graphmem.calls import acting
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.graph import Row, Transaction
from graphmem.memory import Memory
from graphmem.memory.writing.planned import Planned
from graphmem.memory.writing.relating import relate
from graphmem.migrations.superseded import lead_on
from graphmem.model import Entity, Relation, Report
from graphmem.write import Merge, WriteOptions
from graphmem.write.history import effects
from listeners import Interruption

CACHE: dict[str, Any] = {
    "name": "Redis cache",
    "kind": "Decision",
    "title": "Cache in Redis",
    "text": "Sessions are kept in Redis.",
    "tags": ["infra", "old"],
    "observations": ["It is fast.", "It is cheap."],
    "attributes": {"owner": "ops"},
}


@pytest.fixture
def cache(memory: Memory) -> dict[str, Any]:
    memory.remember(
        [CACHE, {"name": "Session store"}, {"name": "Valkey"}],
        [
            {"from": "Redis cache", "relation": "SERVES", "to": "Session store", "note": "fast"},
            {"from": "Valkey", "relation": "REPLACES", "to": "Redis cache"},
        ],
    )
    return page(memory, "Redis cache")


def page(memory: Memory, name: str, project: str | None = None) -> dict[str, Any]:
    return memory.get(name, project=project)[0].to_json()


def without_times(page: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in page.items() if k not in {"updated_at", "revision"}}


def refusals(report: Any) -> list[str]:  # noqa: ANN401
    return [str(item.reason) for item in report.refused]


def test_the_last_change_is_not_one_of_a_clock_that_was_ahead(
    memory: Memory, session: neo4j.Session
) -> None:
    memory.remember([{"name": "Buoy", "text": "Red."}])
    memory.edit({"name": "Buoy", "text": "Green."})
    session.run(
        "MATCH (change:GraphmemChange {project: $project, verb: 'edit'}) "
        "SET change.at = datetime() + duration('P2D')",
        project=memory.project,
    ).consume()
    memory.remember([{"name": "Pier"}])
    assert [item.name for item in memory.undo("last").items] == ["Pier"]


def test_an_observation_is_replaced_by_its_id_and_keeps_its_place(
    memory: Memory, cache: dict[str, Any]
) -> None:
    first, second = cache["observations"]
    assert cache["revision"] == 1
    memory.edit(
        {"name": "Redis cache", "observations": [{"id": first["id"], "text": "It is slow."}]}
    )
    now = page(memory, "Redis cache")
    assert [one["text"] for one in now["observations"]] == ["It is slow.", "It is cheap."]
    assert now["observations"][0]["created_at"] == first["created_at"]
    assert now["observations"][1] == second
    assert now["revision"] == 2


def test_items_and_fields_are_taken_away(memory: Memory, cache: dict[str, Any]) -> None:
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
    assert [one["text"] for one in now["observations"]] == ["It is fast."]


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
    made = memory.edit({"name": "redis  CACHE", "title": "Another title"})
    refused = memory.edit({"name": "Another title", "title": "Mine", "if_revision": 1})
    assert [item.name for item in (*made.items, *refused.items)] == ["Redis cache"] * 2
    assert [item.outcome for item in (*made.items, *refused.items)] == ["updated", "refused"]


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
    assert [one["text"] for one in now["observations"]] == ["It is cheap."]


def test_an_import_may_not_take_back_what_others_said(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"type": "entity", "name": "A", "unset": ["title"]}))
    (reason,) = refusals(memory.import_("jsonl", path))
    assert "unset" in reason


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
def test_whoever_says_the_new_name_or_the_old_one_means_the_renamed_entity(
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
    assert [one["text"] for one in now["observations"]][-1] == "From a file."
    assert {one["relation"] for one in now["relations"]} == {"SERVES", "REPLACES", "R"}
    assert memory.stats().entities == 3
    assert now["name"] == "Valkey cache"


@pytest.mark.usefixtures("cache")
def test_whoever_remembers_a_former_name_is_told_what_was_written_to(memory: Memory) -> None:
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


def test_a_name_of_another_entity_is_refused(memory: Memory, cache: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"^new_name must not be .* `merge` merges the two"):
        memory.rename("Redis cache", "Session store")
    assert page(memory, "Redis cache") == cache
    memory.rename("Redis cache", "Cache")
    with pytest.raises(InvalidInput, match=r"^new_name must not be .* `merge` merges the two"):
        memory.rename("Session store", "Cache")
    memory.rename("Cache", "redis CACHE")
    assert page(memory, "Redis cache")["name"] == "redis CACHE"
    assert memory.stats().entities == 3


@pytest.mark.usefixtures("cache")
def test_a_merge_is_told_first_and_keeps_everything(memory: Memory) -> None:
    memory.remember(
        [{"name": "Redis", "title": "Redis itself", "text": "A server.", "tags": ["db"],
          "observations": ["It is fast.", "It is written in C."]}],
        [
            {"from": "Redis", "relation": "SERVES", "to": "Session store", "weight": 0.5},
            {"from": "Redis", "relation": "PART_OF", "to": "Redis cache"},
            {"from": "Valkey", "relation": "FORK_OF", "to": "Redis"},
        ],
    )  # fmt: skip
    before = page(memory, "Redis cache"), page(memory, "Redis")
    told = memory.merge("Redis", "Redis cache", dry_run=True)
    assert told.fields["title"] == ("Redis itself", "Cache in Redis")
    assert (page(memory, "Redis cache"), page(memory, "Redis")) == before
    assert memory.merge("Redis", "Redis cache") == told
    now = page(memory, "Redis")
    assert now["name"] == "Redis cache"
    assert now["aliases"] == ["Redis", "Redis itself"]
    assert now["tags"] == ["infra", "old", "db"]
    texts = [one["text"] for one in now["observations"]]
    assert texts == ["It is fast.", "It is cheap.", "It is written in C.", "A server."]
    links = {(one["relation"], one["direction"], one["name"]) for one in now["relations"]}
    assert links == {
        ("SERVES", "out", "Session store"),
        ("REPLACES", "in", "Valkey"),
        ("FORK_OF", "in", "Valkey"),
    }
    (serves,) = (one for one in now["relations"] if one["relation"] == "SERVES")
    assert (serves["note"], serves["weight"]) == ("fast", 0.5)
    memory.remember([{"name": "Redis", "category": "database"}])
    assert page(memory, "Redis cache")["category"] == "database"
    assert memory.stats().entities == 3


@pytest.mark.usefixtures("cache")
def test_a_former_name_leads_to_the_entity_without_being_an_alias(memory: Memory) -> None:
    memory.remember([{"name": "Redis"}])
    memory.merge("Redis", "Redis cache")
    memory.rename("Valkey", "Valkey server")
    for name in ("Redis cache", "Valkey server"):
        memory.remember([{"name": name, "tags": ["kept"]}], overwrite=True)
        assert "aliases" not in page(memory, name)
    assert [page(memory, name)["name"] for name in ("REDIS", "valkey")] == [
        "Redis cache", "Valkey server",
    ]  # fmt: skip
    report = memory.link("Redis", "NEAR", "Valkey")
    assert report.refused == ()
    assert "NEAR" in {link["relation"] for link in page(memory, "Redis cache")["relations"]}


def test_the_note_of_a_merge_counts_one_as_one() -> None:
    (note,) = Merge({}, relations=1, dropped=0, observations=2, aliases=()).report("p", "B").notes
    assert note == "1 relation and 2 observations moved; no field differed"
    kinds = {"kind": ("Service", "Decision")}
    (note,) = (
        Merge(kinds, relations=0, dropped=0, observations=1, aliases=()).report("p", "B").notes
    )
    assert note == "0 relations and 1 observation moved; kind differed, and B kept its own"


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


BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.mark.usefixtures("cache")
def test_what_was_superseded_is_found_by_what_replaced_it(memory: Memory) -> None:
    memory.supersede("Redis cache", "Valkey", note="licence")
    assert page(memory, "Redis cache")["status"] == "superseded"
    for query in ("Redis cache", "where are sessions kept"):
        for filters in ({}, {"kinds": ["Thing"]}):
            answer = memory.search(query, **filters)  # type: ignore[arg-type]
            (hit,) = (one for one in answer.hits if one.name == "Valkey")
            assert "Redis cache" not in [one.name for one in answer.hits]
            links = {(via.seed, via.relation, via.note) for via in hit.via}
            assert ("Redis cache", "SUPERSEDES", "licence") in links
    old = memory.search("Redis cache", status=["superseded"]).hits
    assert [one.name for one in old] == ["Redis cache"]
    assert "Redis cache" not in [one.name for one in memory.recent().hits]
    memory.restore("Redis cache")
    assert page(memory, "Redis cache")["status"] == "active"
    (link,) = (
        one for one in page(memory, "Valkey")["relations"] if one["relation"] == "SUPERSEDES"
    )
    assert link["note"] == "licence"


@pytest.mark.usefixtures("cache")
def test_a_relation_that_says_what_is_superseded_tells_that_it_hides_nothing(
    memory: Memory,
) -> None:
    note = "'Redis cache' is still found: the relation alone hides nothing; `supersede` does"
    assert memory.link("Valkey", "SUPERSEDES", "redis cache").notes == (note,)
    assert memory.link("Valkey", "SUPERSEDES", "redis cache", note="licence").notes == ()
    memory.supersede("Redis cache", "Valkey")
    assert memory.get("Redis cache")[0].status == "superseded"
    assert note not in memory.link("Session store", "SUPERSEDES", "Redis cache").notes


@pytest.mark.usefixtures("cache")
def test_a_page_names_what_its_entity_superseded(memory: Memory) -> None:
    memory.remember([{"name": "Dragonfly"}, {"name": "Ferry"}])
    memory.link("Dragonfly", "SUPERSEDES", "Ferry")
    memory.forget("Ferry")
    memory.supersede("Redis cache", "Valkey", note="licence")
    moment = memory.changes("2026-01-01").changes[0].at
    assert moment is not None
    memory.supersede("Valkey", "Dragonfly")

    def superseded(relations: list[dict[str, Any]]) -> list[tuple[str, str, str | None]]:
        return [
            (one["name"], one["status"], one["note"])
            for one in relations
            if one["relation"] == "SUPERSEDES" and one["direction"] == "out"
        ]

    assert superseded(page(memory, "Valkey")["relations"]) == [
        ("Redis cache", "superseded", "licence")
    ]
    new = page(memory, "Dragonfly")
    assert superseded(new["relations"]) == [
        ("Redis cache", "superseded", None),
        ("Valkey", "superseded", None),
    ]
    assert new.get("omitted_relations") is None
    then: dict[str, Any] = memory.get_as_of("Valkey", moment).to_json()
    assert superseded(then["relations"]) == [("Redis cache", "superseded", "licence")]
    # Other relations of hidden entities are left out as before.
    assert page(memory, "Session store")["relations"] == []


@pytest.mark.usefixtures("cache")
def test_a_replacement_that_is_hidden_itself_is_noted(memory: Memory) -> None:
    memory.forget("Valkey")
    (note,) = memory.supersede("Redis cache", "valkey").notes
    assert note == (
        "'valkey' is forgotten, so searches find neither of the two; `restore` brings it back"
    )
    memory.restore("Valkey")
    assert memory.supersede("Redis cache", "Valkey").notes == ()
    memory.supersede("Valkey", "Session store")
    # From what was superseded, a search is led on.
    assert memory.supersede("Redis cache", "Valkey").notes == ()


@pytest.mark.usefixtures("cache")
def test_a_replacement_is_not_undone_before_a_later_one(memory: Memory) -> None:
    memory.supersede("Redis cache", "Valkey")
    memory.supersede("Redis cache", "Session store")
    second, first = memory.changes(BEGINNING, limit=2).changes
    assert memory.supersede("Redis cache", "Session store").counts("entity")["unchanged"] == 1
    assert memory.changes(BEGINNING).changes[0].id == second.id
    with pytest.raises(Conflict, match=f"status of .redis cache. .*change {second.id}.; undo"):
        memory.undo(first.id)
    assert page(memory, "Redis cache")["status"] == "superseded"
    memory.undo(second.id)
    assert page(memory, "Redis cache")["status"] == "superseded"
    memory.undo(first.id)
    assert page(memory, "Redis cache")["status"] == "active"
    relations = [one["relation"] for one in page(memory, "Redis cache")["relations"]]
    assert relations == ["SERVES", "REPLACES"]


@pytest.mark.usefixtures("cache")
def test_a_write_to_what_searches_leave_out_says_so(memory: Memory) -> None:
    memory.supersede("Redis cache", "Valkey")
    memory.forget("Session store")
    hidden = ", and follow no relation to it"
    report = memory.remember(
        [{"name": "Redis cache", "tags": ["old"]}, {"name": "Valkey", "tags": ["new"]}],
        [{"from": "Valkey", "relation": "SERVES", "to": "Session store"}],
    )
    assert report.notes == (
        f"'Redis cache' is superseded: searches leave it out{hidden}",
        f"'Session store' is forgotten: searches leave it out{hidden}",
    )
    # What is forgotten lives again with the first word on it; a status is the caller's own.
    lives = memory.remember([{"name": "Session store"}, {"name": "Valkey", "status": "deprecated"}])
    assert lives.notes == ()


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


@pytest.mark.usefixtures("cache")
def test_an_undo_says_what_it_took_back(memory: Memory) -> None:
    with acting("alice"):
        memory.rename("Valkey", "Valkey cache")
    change = memory.changes(BEGINNING).changes[0]
    (undone,) = memory.undo("last").notes
    assert undone.startswith("undone: `rename` by alice at 2")
    (nothing,) = memory.undo(change.id).notes
    assert nothing.startswith("nothing changed: `rename` by alice at 2")


@pytest.mark.usefixtures("cache")
def test_a_circle_of_replacements_is_refused(memory: Memory) -> None:
    memory.supersede("Redis cache", "Valkey")
    memory.supersede("Valkey", "Session store")
    with pytest.raises(InvalidInput, match="must not be superseded"):
        memory.supersede("Session store", "Redis cache")
    with pytest.raises(InvalidInput, match="both names lead to the same one"):
        memory.supersede("Valkey", "Valkey")


def test_what_was_forgotten_comes_back(memory: Memory, cache: dict[str, Any]) -> None:
    memory.forget("Redis cache")
    assert memory.restore(["Redis cache", "Valkey"]).counts("entity") == {
        "created": 0, "updated": 1, "unchanged": 1, "removed": 0, "refused": 0,
    }  # fmt: skip
    assert without_times(page(memory, "Redis cache")) == without_times(cache)


def test_what_is_purged_leaves_nothing(memory: Memory, cache: dict[str, Any]) -> None:
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
def test_a_change_is_undone_beside_what_came_later(memory: Memory) -> None:
    memory.edit({"name": "Redis cache", "title": "Wrong", "tags": ["wrong"]})
    wrong = memory.history("Redis cache").revisions[0].change
    assert wrong is not None
    memory.remember([{"name": "Redis cache", "observations": ["Noted later."]}])
    memory.undo(wrong)
    now = page(memory, "Redis cache")
    assert (now["title"], now["tags"]) == ("Cache in Redis", ["infra", "old"])
    assert [one["text"] for one in now["observations"]][-1] == "Noted later."


@pytest.mark.usefixtures("cache")
def test_what_was_changed_since_is_not_undone(memory: Memory) -> None:
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


def test_links_are_undone(memory: Memory, cache: dict[str, Any]) -> None:
    memory.link("Redis cache", "SERVES", "Session store", note="not any more")
    memory.link("Valkey", "NEW", "Session store")
    memory.unlink("Valkey", "Redis cache")
    for change in memory.changes(BEGINNING).changes[:3]:
        memory.undo(change.id)
    assert page(memory, "Redis cache")["relations"] == cache["relations"]
    assert [one["relation"] for one in page(memory, "Valkey")["relations"]] == ["REPLACES"]


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
def test_a_creation_is_undone_unless_somebody_added_to_it(memory: Memory) -> None:
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


@pytest.mark.usefixtures("cache")
def test_a_change_that_only_linked_names_where_its_relations_start(memory: Memory) -> None:
    memory.link("Valkey", "SERVES", "Session store")
    change = memory.changes(BEGINNING).changes[0]
    assert (change.changed, change.relations, change.names) == (0, 1, ("Valkey",))


@pytest.mark.usefixtures("cache")
def test_every_change_can_say_why(memory: Memory) -> None:
    memory.rename("Valkey", "Valkey cache", note="its full name")
    memory.merge("Valkey cache", "Redis cache", note="they are one")
    memory.undo("last", note="they are not")
    notes = [change.note for change in memory.changes(BEGINNING).changes]
    assert notes[:3] == ["they are not", "they are one", "its full name"]


def test_a_name_that_only_a_layer_has_is_told_with_the_layer(memory: Memory) -> None:
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


@pytest.mark.usefixtures("cache")
def test_changes_of_a_day_include_its_end(memory: Memory) -> None:
    today = datetime.now(UTC).date()
    first, last = today - timedelta(days=1), today + timedelta(days=1)
    assert memory.changes(first.isoformat(), last.isoformat()).changes
    latest = memory.changes(BEGINNING).changes[0]
    assert latest.at is not None
    assert memory.changes(BEGINNING, latest.at).changes[0] == latest
    assert memory.changes(BEGINNING, latest.at.date().isoformat()).changes[0] == latest
    assert memory.changes(BEGINNING, latest.at - timedelta(microseconds=1)).changes == ()


@pytest.mark.usefixtures("cache")
def test_histories_say_whether_there_is_more(memory: Memory) -> None:
    for number in range(3):
        memory.edit({"name": "Redis cache", "title": f"Title {number}"})
    whole = memory.history("Redis cache")
    assert not whole.truncated
    for limit in range(1, len(whole.revisions) + 1):
        told = memory.history("Redis cache", limit=limit)
        assert told.revisions == whole.revisions[:limit]
        assert told.truncated == (limit < len(whole.revisions))
    since = whole.revisions[1].at
    assert since is not None
    assert memory.history("Redis cache", since=since).revisions == whole.revisions[:2]
    assert memory.changes(BEGINNING, limit=3).truncated
    assert not memory.changes(BEGINNING, limit=4).truncated


def test_a_page_says_what_it_leaves_out(memory: Memory) -> None:
    others = [f"Mole {number}" for number in range(203)]
    memory.remember(
        [{"name": "Harbour"}, *({"name": name} for name in others)],
        [
            {
                "from": "Harbour", "relation": "HAS", "to": name,
                "confidence": 0.5, "source": "a chart", "attributes": {"length": 40},
            }
            for name in others
        ],
    )  # fmt: skip
    page = memory.get("Harbour")[0]
    assert (len(page.neighbours), page.omitted_relations) == (200, 3)
    first = page.to_json()["relations"][0]  # type: ignore[index] # an object of JSON
    assert (first["confidence"], first["source"]) == (0.5, "a chart")
    assert first["attributes"] == {"length": 40}
    # What is hidden stands in the way of none.
    memory.forget(others[:3])
    page = memory.get("Harbour")[0]
    assert (len(page.neighbours), page.omitted_relations) == (200, None)
    then = memory.get_as_of("Harbour", datetime.now(UTC))
    assert then.neighbours[0].source == "a chart"


@pytest.mark.usefixtures("cache")
def test_history_tells_who_changed_what_and_when(memory: Memory) -> None:
    with acting("an agent"):
        memory.edit({"name": "Redis cache", "title": "Cache in Valkey"})
    memory.forget("Redis cache")
    told = memory.history("Redis cache")
    assert [one.verb for one in told.revisions[:2]] == ["forget", "edit"]
    assert {one.verb for one in told.revisions[2:]} == {"remember"}
    edit = told.revisions[1]
    assert (edit.by, edit.revision) == ("an agent", 2)
    (difference,) = edit.differences
    assert (difference.field, difference.before, difference.after) == (
        "title", "Cache in Redis", "Cache in Valkey",
    )  # fmt: skip
    assert told.to_json()["revisions"]


def test_each_change_of_a_link_is_told_with_what_it_made_of_it(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    for note in ("first", "second", "third"):
        memory.link("A", "NEAR", "B", note=note)
    third, second, *_ = memory.history("A").revisions
    sides: list[Any] = [
        side
        for one in (second, third)
        for side in (one.differences[0].before, one.differences[0].after)
    ]
    assert [side["note"] for side in sides] == ["first", "second", "second", "third"]


@pytest.mark.usefixtures("cache")
def test_a_link_that_was_removed_and_made_again_is_told_as_deleted_and_created(
    memory: Memory,
) -> None:
    memory.link("Redis cache", "SERVES", "Valkey", note="fast", valid_until="2030-01-01")
    memory.unlink("Redis cache", "Valkey", "SERVES")
    memory.link("Redis cache", "SERVES", "Valkey", attributes={"port": 6379})

    again, removed, made = memory.history("Redis cache", limit=3).revisions

    fields = [(one.differences[0].before, one.differences[0].after) for one in (again, removed)]
    assert fields == [
        (None, {"port": 6379}),
        ({"note": "fast", "valid_until": "2030-01-01"}, None),
    ]
    assert made.verb == "remember"


def test_an_entity_is_shown_as_it_was(memory: Memory, cache: dict[str, Any]) -> None:
    moments = [datetime.now(UTC)]
    memory.edit({"name": "Redis cache", "title": "Second", "remove": {"tags": ["old"]}})
    memory.link("Redis cache", "SERVES", "Valkey")
    moments.append(datetime.now(UTC))
    memory.unlink("Redis cache", "Session store")
    memory.rename("Redis cache", "Cache")
    first = memory.get_as_of("Cache", moments[0]).to_json()
    assert without_times(first) == without_times(cache)
    assert first["revision"] == 1
    second: dict[str, Any] = memory.get_as_of("Cache", moments[1]).to_json()
    assert (second["name"], second["title"], second["tags"]) == ("Redis cache", "Second", ["infra"])
    assert {one["name"] for one in second["relations"]} == {"Session store", "Valkey"}
    with pytest.raises(NotFound, match="did not exist at"):
        memory.get_as_of("Cache", "2020-01-01")


def test_a_change_counts_from_its_very_moment_on(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    memory.edit({"name": "A", "title": "Title"})
    memory.link("B", "NEAR", "A")
    memory.edit({"name": "A", "title": "Again"})
    moments = [one.at for one in memory.history("A").revisions if one.at]
    again, linked, edited, created = moments

    def shown(moment: datetime) -> tuple[str | None, list[str], datetime | None]:
        then = memory.get_as_of("A", moment)
        return then.entity.title, [one.name for one in then.neighbours], then.updated_at

    states = [
        (None, [], created), ("Title", [], edited), ("Title", ["B"], edited),
        ("Again", ["B"], again),
    ]  # fmt: skip
    tick = timedelta(microseconds=1)
    assert [shown(moment) for moment in (created, edited, linked, again)] == states
    assert [shown(moment - tick) for moment in (edited, linked, again)] == states[:3]
    with pytest.raises(NotFound, match="did not exist at"):
        memory.get_as_of("A", created - tick)


def test_an_entity_that_came_back_from_a_merge_is_shown_as_it_was(memory: Memory) -> None:
    before = datetime.now(UTC)
    memory.remember([{"name": "B"}])
    memory.remember([{"name": "A", "text": "alpha"}])
    first = datetime.now(UTC)
    memory.edit({"name": "A", "title": "Title"})
    second = datetime.now(UTC)
    joined: list[datetime] = []
    for _ in range(2):
        memory.merge("A", "B")
        joined.append(datetime.now(UTC))
        memory.undo("last")

    shown = [memory.get_as_of("A", moment) for moment in (first, second, datetime.now(UTC))]

    assert [(then.entity.title, then.revision) for then in shown] == [
        (None, 1), ("Title", 2), ("Title", 6),
    ]  # fmt: skip
    assert {then.entity.text for then in shown} == {"alpha"}
    for moment in joined:
        with pytest.raises(
            NotFound, match=r"had been merged into another entity, and was restored"
        ):
            memory.get_as_of("A", moment)
    with pytest.raises(NotFound, match="did not exist at"):
        memory.get_as_of("A", before)


def test_an_entity_that_was_merged_since_is_shown_as_it_was_by_its_names_of_then(
    memory: Memory,
) -> None:
    before = datetime.now(UTC)
    memory.remember(
        [{"name": "A", "text": "alpha"}, {"name": "B", "text": "beta"}, {"name": "C"}],
        [
            {"from": "A", "relation": "USES", "to": "C"},
            {"from": "C", "relation": "NEAR", "to": "A"},
        ],
    )
    first, page_then = datetime.now(UTC), page(memory, "A")
    memory.rename("A", "A2")
    memory.edit({"name": "A2", "title": "Title"})
    second = datetime.now(UTC)
    memory.merge("A2", "B")
    memory.rename("B", "Both")
    third = datetime.now(UTC)

    def shown(name: str, moment: datetime) -> Any:  # noqa: ANN401 - JSON
        return memory.get_as_of(name, moment).to_json()

    key = text.key(str(memory.project), "A")
    for name in ("A", "a", "A2", key):
        assert shown(name, first) == page_then
        assert (shown(name, second)["name"], shown(name, second)["title"]) == ("A2", "Title")
    for name in ("A", "A2", "B", "Both"):
        assert (shown(name, third)["name"], shown(name, third)["text"]) == ("Both", "beta")
    assert {shown(name, second)["name"] for name in ("B", "Both")} == {"B"}
    with pytest.raises(NotFound, match="Both did not exist"):
        memory.get_as_of("A", before)
    with pytest.raises(NotFound, match="there is no entity"):
        memory.get_as_of("Z", second)


def test_a_name_that_was_given_back_since_leads_to_whom_it_meant(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "alpha"}])
    memory.rename("A", "A2")
    renamed = datetime.now(UTC)
    memory.undo("last")
    assert memory.get_as_of("A2", renamed).entity.text == "alpha"
    memory.remember([{"name": "B", "text": "beta"}])
    memory.rename("B", "A2")
    assert memory.get_as_of("A2", renamed).entity.text == "alpha"
    assert memory.get_as_of("A2", datetime.now(UTC)).entity.text == "beta"


def test_a_name_that_came_back_from_a_merge_leads_to_whom_it_meant_between(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "alpha"}, {"name": "B", "text": "beta"}])
    memory.rename("A", "New")
    memory.merge("New", "B")
    merged = datetime.now(UTC)
    memory.undo("last")
    assert memory.get_as_of("New", merged).name == "B"
    assert memory.get_as_of("New", datetime.now(UTC)).entity.text == "alpha"


def test_the_history_of_an_entity_that_came_back_from_a_merge_is_whole(memory: Memory) -> None:
    memory.remember([{"name": "B"}])
    memory.remember([{"name": "A", "text": "alpha"}])
    memory.edit({"name": "A", "title": "Title"})
    memory.merge("A", "B")
    memory.undo("last")

    returned, merged, edited, created = memory.history("A").revisions

    assert [one.verb for one in (returned, merged, edited, created)] == [
        "undo", "merge", "edit", "remember",
    ]  # fmt: skip
    assert [one.field for one in created.differences] == ["created"]
    lost = {one.field: one.before for one in merged.differences if one.after is None}
    assert (lost["name"], lost["text"], lost["title"]) == ("A", "alpha", "Title")
    assert {one.field: one.after for one in returned.differences} == lost
    assert memory.history("A", limit=2).revisions == (returned, merged)


def test_the_links_of_a_moment_have_the_names_and_kinds_of_then(memory: Memory) -> None:
    memory.remember(
        [{"name": "A"}, {"name": "Joined", "kind": "Part"}, {"name": "Stays"},
         {"name": "Plain"}, {"name": "Named", "kind": "Idea"}],
        [{"from": "A", "relation": "USES", "to": "Joined", "note": "daily"},
         {"from": "Plain", "relation": "USES", "to": "A"},
         {"from": "A", "relation": "USES", "to": "Named"}],
    )  # fmt: skip
    moment = datetime.now(UTC)
    then = memory.get_as_of("A", moment).neighbours
    assert {(one.name, one.kind, one.note) for one in then} == {
        ("Joined", "Part", "daily"), ("Plain", "Thing", None), ("Named", "Idea", None),
    }  # fmt: skip

    memory.merge("Joined", "Stays")
    memory.merge("Plain", "Stays")
    memory.edit({"name": "Named", "kind": "Decision"})
    memory.rename("Named", "Renamed")
    memory.edit({"name": "Renamed", "title": "Once more"})

    assert memory.get_as_of("A", moment).neighbours == then


def test_the_links_of_a_moment_are_those_that_a_page_of_then_had(
    memory: Memory, whole: Callable[..., Report], tmp_path: Path
) -> None:
    """Those of what was hidden are missing, and one from an entity to itself is there twice."""
    lines, imported = (
        tmp_path / "lines.jsonl",
        '{"name": "Imported"}\n{"name": "A", "kind": "Place"}\n',
    )
    memory.remember([{"name": "M"}, {"name": "A", "kind": "Idea"}, {"name": "Old"}])
    lines.write_text(imported)
    whole(tmp_path)
    ends = ("Old", "M", "Imported", "A")
    links = [{"from": "M", "relation": "USES", "to": name} for name in ends]
    for start, end in (("A", "M"), ("M", "Old")):
        links.append({"from": start, "relation": "BUILDS", "to": end})
    memory.remember(relations=links)
    pages: list[tuple[datetime, dict[str, Any]]] = []

    def look() -> None:
        pages.append((datetime.now(UTC), page(memory, "M")))
        for moment, then in pages:
            assert memory.get_as_of("M", moment).to_json()["relations"] == then["relations"]

    look()
    memory.forget("Old")
    lines.write_text("")
    whole(tmp_path)
    look()
    memory.restore("Old")
    lines.write_text(imported)
    whole(tmp_path)
    memory.merge("Old", "A")
    look()
    memory.edit({"name": "A", "kind": "Decision"})
    look()

    assert [len(then["relations"]) for _, then in pages] == [7, 4, 6, 6]


def test_links_that_others_took_away_since_are_shown_whatever_the_entity_is_called(
    memory: Memory,
) -> None:
    name = 'Café "Ü\\'
    memory.remember(
        [{"name": name}, {"name": "B"}, {"name": "C"}],
        [{"from": "B", "relation": "NEAR", "to": name},
         {"from": "C", "relation": "NEAR", "to": name, "valid_from": "2020-01-01"}],
    )  # fmt: skip
    moment = datetime.now(UTC)
    memory.unlink("B", name)
    memory.unlink("C", name)

    assert [one.name for one in memory.get_as_of(name, moment).neighbours] == ["B", "C"]


def test_a_link_that_another_entity_changed_is_shown_as_of_each_moment(memory: Memory) -> None:
    def note(words: str) -> datetime:
        memory.link("B", "NEAR", "A", note=words)
        made = memory.history("B").revisions[0].at
        assert made is not None
        return made

    memory.remember([{"name": "A"}, {"name": "B"}], [])
    memory.link("B", "NEAR", "A", note="first")
    moments = [datetime.now(UTC), note("second"), note("third")]

    notes = [memory.get_as_of("A", moment).neighbours[0].note for moment in moments]

    assert notes == ["first", "second", "third"]
    memory.rename("B", "C")
    renamed = memory.history("C").revisions[0].at
    memory.rename("C", "D")
    assert renamed is not None
    assert memory.get_as_of("A", renamed).neighbours[0].name == "C"


def test_a_page_of_a_moment_says_what_it_leaves_out(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = [{"from": "A", "relation": "USES", "to": name} for name in ("B", "C", "D")]
    memory.remember([{"name": name} for name in "ABCD"], links)
    monkeypatch.setattr("graphmem.read.RELATIONS", 2)

    then = memory.get_as_of("A", datetime.now(UTC))

    assert [one.name for one in then.neighbours] == ["B", "C"]
    assert then.omitted_relations == 1


def test_a_clock_that_was_set_back_does_not_reorder_the_history(
    memory: Memory, project: str
) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    for title in ("first", "second"):
        memory.edit({"name": "A", "title": title})
    memory.link("B", "NEAR", "A")
    with memory.graph._session("WRITE") as session:  # the clock of the first edit was ahead
        session.run(
            "MATCH (revision:GraphmemRevision {key: $key, revision: 2}) "
            "SET revision.at = revision.at + duration({days: 1})",
            key=text.key(project, "A"),
        ).consume()
    revisions = memory.history("A").revisions
    assert [one.revision for one in revisions] == [None, 3, 2, 1]


def test_a_merge_into_a_hidden_entity_says_that_searches_leave_it_out(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "alpha"}, {"name": "B"}, {"name": "C"}])
    assert memory.merge("A", "C").warning("C") is None
    memory.forget("B")
    merge = memory.merge("C", "B")
    assert merge.hidden == "forgotten"
    warning = "B is forgotten: searches leave it out, and what was merged into it"
    assert merge.report("P", "B").notes[1:] == (warning,)


def test_the_history_calls_a_link_by_the_call_that_made_it(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    memory.link("A", "NEAR", "B")
    memory.unlink("A", "B")
    verbs = [change.verb for change in memory.changes(BEGINNING).changes]
    assert verbs == ["unlink", "link", "remember"]


def test_a_neighbour_that_got_its_kind_later_had_the_default_one(memory: Memory) -> None:
    near = {"from": "A", "relation": "NEAR", "to": "B"}
    memory.remember([{"name": "A"}, {"name": "B"}], [near])
    moment = datetime.now(UTC)
    memory.remember([{"name": "B", "kind": "Place"}])
    (link,) = memory.get_as_of("A", moment).neighbours
    assert (link.name, link.kind) == ("B", "Thing")


def test_a_link_of_a_moment_leads_to_what_was_purged_since_by_its_key(memory: Memory) -> None:
    memory.remember(
        [{"name": "A"}, {"name": "Old Part"}], [{"from": "A", "relation": "USES", "to": "Old Part"}]
    )
    moment = datetime.now(UTC)
    memory.unlink("A", "Old Part")
    memory.purge("Old Part")

    (link,) = memory.get_as_of("A", moment).neighbours

    assert (link.relation, link.name) == ("USES", "old part")


def test_what_changed_nothing_is_no_change(memory: Memory, cache: dict[str, Any]) -> None:
    before = memory.changes(BEGINNING)
    memory.remember([Entity.from_json(CACHE)])
    memory.rename("Redis cache", "Redis cache")
    memory.restore("Redis cache")
    assert memory.changes(BEGINNING) == before
    assert page(memory, "Redis cache") == cache


def test_the_examples_of_the_page_work(memory: Memory) -> None:
    page = Path(__file__).parents[1] / "docs" / "changing.md"
    names: dict[str, object] = {"memory": memory}
    blocks = re.findall(
        r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    for code in blocks:
        exec(code, names)  # noqa: S102 - the page's own
    assert len(blocks) == 8


@pytest.mark.usefixtures("cache")
def test_old_history_is_deleted_and_nothing_else(memory: Memory) -> None:
    memory.edit({"name": "Redis cache", "title": "Second"})
    now = datetime.now(UTC)
    memory.edit({"name": "Redis cache", "title": "Third"})
    before = page(memory, "Redis cache")
    assert memory.compact(now) > 0
    assert memory.compact(now) == 0
    assert memory.compact(now - timedelta(days=1)) == 0
    assert page(memory, "Redis cache") == before
    told = memory.history("Redis cache").revisions
    assert [one.differences[0].after for one in told] == ["Third"]
    assert memory.get_as_of("Redis cache", now).entity.title == "Second"
    with pytest.raises(NotFound, match="was deleted by `graphmem db compact`"):
        memory.get_as_of("Redis cache", now - timedelta(seconds=1))
    assert memory.undo("last").changes
    assert page(memory, "Redis cache")["title"] == "Second"
    with pytest.raises(InvalidInput, match="must not lie in the future"):
        memory.compact("2100-01-01")


@pytest.mark.usefixtures("cache")
def test_a_change_that_began_earlier_is_kept_as_long_as_a_revision_of_it(
    memory: Memory, session: neo4j.Session
) -> None:
    now = datetime.now(UTC)
    memory.edit({"name": "Redis cache", "title": "Third"})
    change = memory.changes(BEGINNING).changes[0]
    session.run(
        "MATCH (change:GraphmemChange {id: $id}) SET change.at = $at",
        id=change.id, at=now - timedelta(days=1),
    ).consume()  # fmt: skip
    memory.compact(now)
    assert memory.history("Redis cache").revisions[0].verb == change.verb


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
    pairs = {frozenset((one.first, one.second)): one for one in told.pairs}
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


def test_whoever_makes_a_twin_is_told_of_it(memory: Memory) -> None:
    memory.remember([{"name": "Redis cache", "aliases": ["ADR-7"], "title": "The cache"}])
    report = memory.remember([{"name": "ADR-7"}, {"name": "Other"}])
    (note,) = [one for one in report.notes if "merge" in one]
    assert "'ADR-7' may be 'Redis cache'" in note
    assert "Other" not in note
    again = memory.remember([{"name": "ADR-7", "tags": ["t"]}])
    assert not [one for one in again.notes if "merge" in one]


def test_restoring_what_an_import_hides_says_how_it_is_found_again(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "rules.jsonl"
    path.write_text('{"type": "entity", "name": "Rule", "status": "deprecated"}')
    memory.import_("jsonl", path)
    report = memory.restore(["Rule", "rule", "Missing"])
    assert [item.outcome for item in report.items] == ["unchanged", "unchanged", "refused"]
    (note,) = report.notes
    assert note.startswith(
        "'Rule' stays deprecated, since an import asserts that; to have it found"
    )
    memory.remember([{"name": "Rule", "status": "active"}])
    assert memory.restore("Rule").notes == ()
    found = memory.search("rule", scope="project").hits
    assert [hit.name for hit in found] == ["Rule"]


def test_a_store_of_an_earlier_version_learns_what_leads_on(
    memory: Memory, session: neo4j.Session
) -> None:
    memory.remember(
        [{"name": "Old", "text": "It was made of oak."}, {"name": "New"}],
        [{"from": "New", "relation": "SUPERSEDES", "to": "Old"}],
    )
    key = page(memory, "Old")["key"]
    memory.supersede("Old", "New")
    session.run(
        "MATCH (old:Entity {key: $key})-[:HAS_PASSAGE]->(passage) SET passage.live = false "
        "SET passage.filters = replace(passage.filters, $word, $dead) "
        "SET old.graphmem_filters = replace(old.graphmem_filters, $word, $dead)",
        key=key,
        word=text.token("live", "True"),
        dead=text.token("live", "False"),
    ).consume()
    assert memory.search("oak").hits == ()
    for _ in range(2):
        assert memory.graph.write(partial(lead_on, keys=[key]))
    assert [hit.name for hit in memory.search("oak").hits] == ["New"]


def test_a_new_name_that_is_an_alias_of_another_entity_leads_to_the_renamed_one(
    memory: Memory,
) -> None:
    memory.remember([{"name": "Old"}, {"name": "Other", "aliases": ["New"]}])
    memory.rename("Old", "New")
    assert page(memory, "New")["name"] == "New"
    assert page(memory, "Old")["name"] == "New"
    memory.link("New", "BESIDE", "Other")
    assert [one["name"] for one in page(memory, "New")["relations"]] == ["Other"]


def test_two_that_replace_each_other_at_once_make_no_circle(memory: Memory) -> None:
    for number in range(5):
        first, second = f"First {number}", f"Second {number}"
        memory.remember([{"name": first}, {"name": second}])
        refused: list[str] = []

        def replace(old: str, new: str, refused: list[str] = refused) -> None:
            try:
                memory.supersede(old, new)
            except InvalidInput as error:
                refused.append(str(error))

        at_once(partial(replace, first, second), partial(replace, second, first))
        assert len(refused) == 1
        statuses = {page(memory, name)["status"] for name in (first, second)}
        assert statuses == {"active", "superseded"}


def test_what_was_restored_and_is_replaced_again_is_reported(memory: Memory) -> None:
    memory.remember([{"name": "Old"}, {"name": "New"}])
    memory.supersede("Old", "New")
    memory.restore("Old")
    again = memory.supersede("Old", "New")
    assert [item.outcome for item in again.items] == ["updated", "unchanged"]
    assert page(memory, "Old")["status"] == "superseded"
    assert not memory.supersede("Old", "New").changes


def test_an_entity_of_the_longest_name_is_replaced_with_its_link(memory: Memory) -> None:
    name = "n" * 512
    memory.remember([{"name": name}, {"name": "New"}])
    report = memory.supersede(name, "New", note="why")
    assert [item.outcome for item in report.items] == ["updated", "created"]
    change = memory.changes(BEGINNING).changes[0]
    assert (change.verb, change.note, change.relations, change.changed) == (
        "supersede", "why", 1, 1,
    )  # fmt: skip
    memory.undo("last")
    assert page(memory, name)["status"] == "active"
    assert page(memory, name)["relations"] == []


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


def replaced_by(memory: Memory) -> dict[str, list[str]]:
    """What each entity supersedes by a relation, in order; what supersedes nothing is left out."""
    ends: dict[str, list[str]] = {}
    for line in memory.export():
        if line["type"] == "relation":
            ends.setdefault(str(line["from"]), []).append(str(line["to"]))
    return {start: sorted(names) for start, names in ends.items()}


@pytest.mark.parametrize(
    ("undone", "remaining"),
    [
        (0, {"C": ["B"], "D": ["B", "C"]}),
        (1, {"B": ["A"], "D": ["C"]}),
        (2, {"B": ["A"], "C": ["A", "B"]}),
    ],
)
def test_undoing_a_replacement_removes_what_later_ones_took_over_from_it(
    memory: Memory, undone: int, remaining: dict[str, list[str]]
) -> None:
    memory.remember([{"name": name} for name in "ABCDE"])
    for old, new in ("AB", "BC", "CD"):
        memory.supersede(old, new)
    before = replaced_by(memory)
    changes = [one.id for one in memory.changes(BEGINNING).changes if one.verb == "supersede"]
    memory.undo(changes[::-1][undone])
    assert replaced_by(memory) == remaining
    memory.undo("last")
    assert replaced_by(memory) == before


@pytest.mark.parametrize(
    "order", list(itertools.permutations([("A", "B"), ("B", "C"), ("C", "D")]))
)
def test_replacements_lead_to_the_last_one_in_whatever_order_they_are_made(
    memory: Memory, order: tuple[tuple[str, str], ...]
) -> None:
    memory.remember([{"name": name, "text": f"Text{name}"} for name in "ABCD"])
    for old, new in order:
        memory.supersede(old, new)
    before = replaced_by(memory)
    assert before["D"] == ["A", "B", "C"]
    found = memory.search("TextA", scope="project").hits
    assert [hit.name for hit in found] == ["D"]
    changes = {one.names[0]: one.id for one in memory.changes(BEGINNING, limit=3).changes}
    remaining = {
        "A": {"C": ["B"], "D": ["B", "C"]},
        "B": {"B": ["A"], "D": ["C"]},
        "C": {"B": ["A"], "C": ["A", "B"]},
    }
    for old, relations in remaining.items():
        memory.undo(changes[old])
        assert replaced_by(memory) == relations
        memory.undo("last")
        assert replaced_by(memory) == before


def test_what_an_entity_replaced_by_another_way_too_stays_so_when_one_way_is_undone(
    memory: Memory,
) -> None:
    memory.remember([{"name": name} for name in "ABCDE"])
    for old, new in ("AC", "AB", "BD", "CD"):
        memory.supersede(old, new)
    changes = [one.id for one in memory.changes(BEGINNING).changes if one.verb == "supersede"]
    memory.undo(changes[-2])  # that of A by B
    assert replaced_by(memory) == {"C": ["A"], "D": ["A", "B", "C"]}


def test_a_link_to_what_was_merged_after_its_name_was_looked_up_leads_to_what_stays(
    memory: Memory,
) -> None:
    memory.remember([{"name": name} for name in "ABCDE"])
    project = str(memory.project)
    ends = read.resolve(memory.graph, project, list("ABE"))
    memory.merge("A", "C")
    memory.merge("E", "B")
    relations = [
        Relation("A", "NEAR", "B"), Relation("B", "NEAR", "A"), Relation("E", "NEAR", "B"),
    ]  # fmt: skip
    items = relate(memory.graph, relations, ends, WriteOptions(project), planned=Planned())
    assert [item.outcome for item in items] == ["created", "created", "refused"]
    assert "merged or deleted meanwhile" in str(items[2].reason)
    linked = [(one["name"], one["direction"]) for one in page(memory, "C")["relations"]]
    assert sorted(linked) == [("B", "in"), ("B", "out")]


def test_a_link_made_while_its_end_is_merged_is_there_afterwards(memory: Memory) -> None:
    memory.remember([{"name": "Pier"}])
    for number in range(10):
        old, new = f"Old {number}", f"New {number}"
        memory.remember([{"name": old}, {"name": new}])
        refused: list[str] = []

        def link(old: str = old, refused: list[str] = refused) -> None:
            refused.extend(refusals(memory.link(old, "NEAR", "Pier")))

        at_once(partial(memory.merge, old, new), link)
        assert refused == []
        assert [one["name"] for one in page(memory, new)["relations"]] == ["Pier"]
