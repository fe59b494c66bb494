"""The history of an entity and of a project: who changed what, when and why; what is kept."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import neo4j
import pytest

from changed_entities import CACHE, page, remember_cache
from graphmem import text
from graphmem.calls import acting
from graphmem.errors import DatabaseError, InvalidInput, NotFound
from graphmem.memory import Memory
from graphmem.model import Entity
from graphmem.model.history import UNREADABLE, Revision

BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)


def at(revision: Revision) -> datetime:
    assert revision.at is not None
    return revision.at


@pytest.fixture
def cache(memory: Memory) -> dict[str, Any]:
    return remember_cache(memory)


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


@pytest.mark.usefixtures("cache")
def test_a_change_that_only_linked_names_where_its_relations_start(memory: Memory) -> None:
    memory.link("Valkey", "SERVES", "Session store")
    change = memory.changes(BEGINNING).changes[0]
    assert (change.changed, change.relations, change.names) == (0, 1, ("Valkey",))


@pytest.mark.usefixtures("cache")
def test_every_change_may_have_a_reason(memory: Memory) -> None:
    memory.rename("Valkey", "Valkey cache", note="its full name")
    memory.merge("Valkey cache", "Redis cache", note="they are one")
    memory.undo("last", note="they are not")
    notes = [change.note for change in memory.changes(BEGINNING).changes]
    assert notes[:3] == ["they are not", "they are one", "its full name"]


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
def test_a_cut_history_says_so(memory: Memory) -> None:
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


@pytest.mark.usefixtures("cache")
def test_history_shows_who_changed_what_and_when(memory: Memory) -> None:
    with acting("an agent"):
        memory.edit({"name": "Redis cache", "title": "Cache in Valkey"})
    memory.forget("Redis cache")
    told = memory.history("Redis cache")
    assert [revision.verb for revision in told.revisions[:2]] == ["forget", "edit"]
    assert {revision.verb for revision in told.revisions[2:]} == {"remember"}
    edit = told.revisions[1]
    assert (edit.by, edit.revision) == ("an agent", 2)
    (difference,) = edit.differences
    assert (difference.field, difference.before, difference.after) == (
        "title", "Cache in Redis", "Cache in Valkey",
    )  # fmt: skip
    assert told.to_json()["revisions"]


def test_each_change_of_a_link_is_reported_with_what_it_made_of_it(memory: Memory) -> None:
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


def test_the_history_of_an_entity_that_came_back_from_a_merge_is_whole(memory: Memory) -> None:
    memory.remember([{"name": "B"}])
    memory.remember([{"name": "A", "text": "alpha"}])
    memory.edit({"name": "A", "title": "Title"})
    memory.merge("A", "B")
    memory.undo("last")

    returned, merged, edited, created = memory.history("A").revisions

    assert [change.verb for change in (returned, merged, edited, created)] == [
        "undo", "merge", "edit", "remember",
    ]  # fmt: skip
    assert [difference.field for difference in created.differences] == ["created"]
    lost = {
        difference.field: difference.before
        for difference in merged.differences
        if difference.after is None
    }
    assert (lost["name"], lost["text"], lost["title"]) == ("A", "alpha", "Title")
    assert {difference.field: difference.after for difference in returned.differences} == lost
    assert memory.history("A", limit=2).revisions == (returned, merged)


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
    assert [revision.revision for revision in revisions] == [None, 3, 2, 1]


def test_history_names_the_call_that_made_a_link(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    memory.link("A", "NEAR", "B")
    memory.unlink("A", "B")
    verbs = [change.verb for change in memory.changes(BEGINNING).changes]
    assert verbs == ["unlink", "link", "remember"]


def test_a_write_that_changes_nothing_is_no_change(memory: Memory, cache: dict[str, Any]) -> None:
    before = memory.changes(BEGINNING)
    memory.remember([Entity.from_json(CACHE)])
    memory.rename("Redis cache", "Redis cache")
    memory.restore("Redis cache")
    assert memory.changes(BEGINNING) == before
    assert page(memory, "Redis cache") == cache


@pytest.mark.parametrize("words", [{"title": "By hand"}, {"unset": ["title"]}], ids="-".join)
def test_what_a_caller_repeats_after_an_import_is_a_change_that_is_undone(
    memory: Memory, tmp_path: Path, words: dict[str, Any]
) -> None:
    note = tmp_path / "Pier.md"
    for title in ("First", "Second"):
        note.write_text(f"---\ntitle: {title}\n---\n")
        memory.import_("markdown", note)
        before, moment = memory.get("Pier")[0], datetime.now(UTC)
        assert before.entity.title == title
        memory.edit({"name": "Pier", **words})
    after = memory.get("Pier")[0]
    assert (after.entity.title, after.revision) == (words.get("title"), before.revision + 1)
    assert memory.get_as_of("Pier", moment).entity.title == "Second"
    (difference,) = memory.history("Pier").revisions[0].differences
    assert (difference.before, difference.after) == ("Second", words.get("title"))
    memory.undo("last")
    assert memory.get("Pier")[0].entity.title == "Second"


def test_removing_what_is_removed_is_no_change(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "Pier.md").write_text("---\ntitle: Pier 4\ntags: [harbour]\n---\nIt is long.")
    memory.import_("markdown", tmp_path)
    removal = {"name": "Pier", "unset": ["title", "text"]}
    memory.edit(removal)
    changes = memory.changes(BEGINNING).changes
    assert memory.edit(removal).entities["unchanged"] == 1
    assert memory.changes(BEGINNING).changes == changes


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
    assert [revision.differences[0].after for revision in told] == ["Third"]
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


def test_a_field_that_nobody_asserts_any_more_has_its_default_in_the_history(
    memory: Memory,
) -> None:
    memory.remember([{"name": "Pier"}])
    memory.forget("Pier")
    memory.restore("Pier")
    told = [
        (item.field, item.before, item.after)
        for revision in memory.history("Pier").revisions[:2]
        for item in revision.differences
    ]
    assert told == [("status", "forgotten", "active"), ("status", "active", "forgotten")]


@pytest.mark.parametrize("damage", ["{", "[]", "null"])
def test_a_record_that_was_damaged_by_hand_is_passed_over_by_the_history(
    memory: Memory, session: neo4j.Session, damage: str
) -> None:
    memory.remember([{"name": "Pier"}])
    for title in ("One", "Two", "Three"):
        memory.edit({"name": "Pier", "title": title})
    session.run(
        "MATCH (revision:GraphmemRevision {key: $key, revision: 3}) SET revision.before = $damage",
        key=f"{memory.project}#pier",
        damage=damage,
    ).consume()
    revisions = memory.history("Pier").revisions
    assert [revision.revision for revision in revisions] == [4, 3, 2, 1]
    assert [item.field for item in revisions[1].differences] == [UNREADABLE]
    assert memory.get_as_of("Pier", at(revisions[0])).entity.title == "Three"
    for refused in (
        lambda: memory.get_as_of("Pier", at(revisions[2])),
        lambda: memory.search("pier", as_of=at(revisions[2])),
        lambda: memory.undo(str(revisions[1].change)),
    ):
        with pytest.raises(DatabaseError, match="the record of a change of pier cannot be read"):
            refused()


def test_a_link_that_a_merge_carried_over_was_made_with_the_note_that_it_had_then(
    memory: Memory,
) -> None:
    memory.remember([{"name": name} for name in ("A", "B", "C")])
    memory.link("C", "FEEDS", "A", note="first")
    memory.merge("A", "B")
    memory.link("C", "FEEDS", "B", note="second")
    (made,) = [
        difference
        for revision in memory.history("C").revisions
        for difference in revision.differences
        if revision.revision is None
    ]
    assert made.after == {"note": "first"}
