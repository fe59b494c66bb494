"""An export with history brings a project back whole, and a stranger's forges nothing."""

import json
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from concurrent_calls import at_once
from graphmem import cli
from graphmem.calls import acting
from graphmem.errors import Conflict, GraphmemError, InvalidInput, NotFound
from graphmem.importing.row import Row
from graphmem.memory import Memory
from graphmem.memory.access import Access
from graphmem.model import Item
from graphmem.model.exported_history import ExportedChange, ExportedRevision, Redirect
from graphmem.write.assertions.provenance import EPOCH, TICK
from graphmem.write.assertions.states import content, overlaid
from listeners import Interruption, Listener

BEGINNING = "2000-01-01"
Line = dict[str, Any]
RELATION = {"end": "p#b", "relation": "R", "since": "", "properties": {}}
PATHS = st.sampled_from(
    ["name", "created_at", "authors", "removed", "unlinked", "word/title/", "word/tag/x",
     "word/attribute/cost", "observation/x", "relation/R p#b", "redirect/p#b", "text", "end",
     "relation", "since", "properties", "asserted_by", "caller", "weight", "valid_until"]
)  # fmt: skip


def told(memory: Memory, tmp_path: Path, **options: Any) -> Path:  # noqa: ANN401
    """A file of the project's export."""
    return written(tmp_path / f"{uuid.uuid4().hex}.jsonl", list(memory.export(**options)))


def written(path: Path, lines: list[Line]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


def lines_of(path: Path, sort: str | None = None) -> list[Line]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if sort in {None, line["type"]}]


def history(memory: Memory, name: str, project: str | None = None) -> list[Line]:
    """The history of an entity without the ids of changes and where they are known from."""
    revisions = memory.history(name, project=project).to_json()["revisions"]
    return [
        {field: value for field, value in one.items() if field not in {"change", "source"}}
        for one in revisions  # type: ignore[attr-defined]
    ]


def changes(memory: Memory, project: str | None = None) -> list[Line]:
    """The changes of a project likewise, without those of imports with history."""
    listed = memory.changes(BEGINNING, limit=1000, project=project).to_json()["changes"]
    return [
        {field: value for field, value in one.items() if field not in {"id", "undoes", "source"}}
        for one in listed  # type: ignore[attr-defined]
        if not str(one.get("note")).startswith("with history")
    ]


def as_of(memory: Memory, name: str, moment: datetime, project: str | None = None) -> Line:
    page = memory.get_as_of(name, moment, project=project).to_json()
    return {field: value for field, value in page.items() if field not in {"key", "project"}}


@pytest.fixture
def moments() -> list[datetime]:
    return []


@pytest.fixture
def lived(memory: Memory, tmp_path: Path, moments: list[datetime]) -> Memory:
    """A project in which everything happened that is recorded."""
    facts = written(
        tmp_path / "facts.jsonl",
        [
            {"type": "entity", "name": "Imported", "tags": ["file"], "title": "From a file"},
            {"type": "relation", "from": "Imported", "relation": "USES", "to": "Cache"},
        ],
    )
    with acting("Anna"):
        memory.remember(
            [
                {"name": "Redis cache", "title": "First", "tags": ["a"], "observations": ["Fast."]},
                {"name": "Cache", "text": "A text.", "attributes": {"cost": 5}},
                {"name": "Store"},
                {"name": "Old"},
                {"name": "Slip"},
            ],
            [
                {"from": "Redis cache", "relation": "USES", "to": "Store", "note": "hot"},
                {"from": "Cache", "relation": "IN", "to": "Store"},
            ],
        )
    moments.append(datetime.now(UTC))
    memory.import_("jsonl", facts)
    with acting("Ben"):
        memory.edit({"name": "Redis cache", "title": "Second", "remove": {"tags": ["a"]}})
        memory.rename("Redis cache", "Valkey cache")
    moments.append(datetime.now(UTC))
    memory.merge("Cache", "Valkey cache")
    memory.supersede("Old", "Valkey cache", note="it was slow")
    memory.link("Valkey cache", "USES", "Store", note="cold", unset=["weight"])
    memory.unlink("Imported", "Valkey cache")
    moments.append(datetime.now(UTC))
    memory.forget("Store")
    memory.edit({"name": "Imported", "title": "By hand"})
    memory.undo("last")
    memory.purge("Slip")
    return memory


NAMES = ("Valkey cache", "Store", "Old", "Imported")


def test_a_project_comes_back_whole_in_another_one(
    lived: Memory, tmp_path: Path, moments: list[datetime], project: str
) -> None:
    copy = f"{project}-copy"
    report = lived.import_("jsonl", told(lived, tmp_path, history=True), project=copy, history=True)
    assert not report.refused
    for name in NAMES:
        assert history(lived, name, copy) == history(lived, name)
        (here,), (there,) = lived.get(name), lived.get(name, project=copy)
        assert here.revision == there.revision
        for moment in moments:
            if name != "Imported" or moment != moments[0]:
                assert as_of(lived, name, moment, copy) == as_of(lived, name, moment)
    with pytest.raises(NotFound, match="did not exist at"):
        lived.get_as_of("Imported", moments[0], project=copy)
    assert changes(lived, copy) == changes(lived)
    # Whoever says a name of before means the same entity.
    for name in ("Redis cache", "Cache", "valkey  CACHE"):
        lived.remember([{"name": name, "tags": [f"said as {name}"]}], project=copy)
    assert len(lived.get("Valkey cache", project=copy)[0].entity.tags) == 3
    assert lived.stats(project=copy).entities == 4


def test_what_is_restored_where_it_was_is_the_same_to_the_id(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    before = [lived.history(name).to_json() for name in NAMES]
    lived.delete_project(project)
    lived.import_("jsonl", path, history=True)
    sources = {one.source for one in lived.changes(BEGINNING, limit=1000).changes}
    assert sources == {f"jsonl:{path.resolve().as_posix()}", None}
    for old, name in zip(before, NAMES, strict=True):
        now = lived.history(name).to_json()
        for one in now["revisions"]:  # type: ignore[attr-defined]
            assert one.pop("source").startswith("jsonl:")
        assert now == old
    assert lines_of(told(lived, tmp_path, history=True), "revision") == lines_of(path, "revision")


def test_a_second_import_doubles_nothing(lived: Memory, tmp_path: Path, project: str) -> None:
    path = told(lived, tmp_path, history=True)
    copy = f"{project}-copy"
    lived.import_("jsonl", path, project=copy, history=True)
    first = list(lived.export(project=copy, history=True))
    report = lived.import_("jsonl", path, project=copy, history=True)
    assert {item.outcome for item in report.items} == {"unchanged"}
    assert report.notes[0].startswith(
        f"history of {copy}: 0 changes and 0 revisions were imported; already there: "
    )
    assert list(lived.export(project=copy, history=True)) == first
    # Nor does the project that it is of learn anything from it.
    own = list(lived.export(history=True))
    lived.import_("jsonl", path, history=True)
    assert list(lived.export(history=True)) == own


def test_what_was_changed_since_keeps_its_history(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    copy = f"{project}-copy"
    lived.remember([{"name": "Store", "title": "My own"}], project=copy)
    lived.edit({"name": "Store", "title": "My second"}, project=copy)
    report = lived.import_("jsonl", path, project=copy, history=True)
    assert not report.refused
    assert "for 1 entity" in report.notes[0]
    titles = [one["differences"] for one in history(lived, "Store", copy)]
    assert any(change["after"] == "My second" for one in titles for change in one)
    assert lived.get_as_of("Valkey cache", datetime.now(UTC), project=copy).entity.title == "Second"
    lived.edit({"name": "Valkey cache", "title": "Later"}, project=copy)
    later = lived.history("Valkey cache", project=copy).to_json()
    lived.import_("jsonl", path, project=copy, history=True)
    assert lived.history("Valkey cache", project=copy).to_json() == later


def test_an_imported_change_is_undone_and_the_import_itself_is_not(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    copy = f"{project}-copy"
    lived.import_("jsonl", told(lived, tmp_path, history=True), project=copy, history=True)
    by_verb = {one.verb: one.id for one in lived.changes(BEGINNING, project=copy).changes}
    lived.undo(by_verb["supersede"], project=copy)
    assert lived.get("Old", project=copy)[0].status == "active"
    lived.undo(by_verb["forget"], project=copy)
    assert lived.get("Store", project=copy)[0].status == "active"
    last = lived.changes(BEGINNING, project=copy, limit=1000).changes
    with_history = next(one for one in last if str(one.note).startswith("with history"))
    with pytest.raises(Conflict, match="restored entities with their earlier history"):
        lived.undo(with_history.id, project=copy)


@pytest.mark.parametrize("told_of", ["when it began", "not at all"])
def test_a_search_of_the_past_takes_an_imported_change_back_as_a_look_at_an_entity_does(
    memory: Memory, tmp_path: Path, project: str, told_of: str
) -> None:
    memory.remember([{"name": "Cache", "text": "amber"}])
    began = datetime.now(UTC)
    memory.remember([{"name": "Queue"}])
    moment = datetime.now(UTC)
    memory.edit({"name": "Cache", "text": "emerald"})
    lines = list(memory.export(history=True))
    (edited,) = (line for line in lines if line.get("verb") == "edit")
    if told_of == "not at all":
        lines.remove(edited)
    edited["at"] = began.isoformat()  # as of a long change, which revised the entity at its end
    copy = f"{project}-copy"

    memory.import_("jsonl", written(tmp_path / "file.jsonl", lines), project=copy, history=True)

    assert memory.get_as_of("Cache", moment, project=copy).entity.text == "amber"
    (hit,) = memory.search("amber", as_of=moment, project=copy, scope="project").hits
    assert [passage.text for passage in hit.passages] == ["amber"]
    verbs = {one.verb for one in memory.changes(BEGINNING, project=copy).changes}
    assert ("unknown" in verbs) is (told_of == "not at all")


def test_a_change_went_on_until_the_latest_moment_that_it_noted(
    memory: Memory, project: str
) -> None:
    first, moment, latest = (datetime.now(UTC) + timedelta(seconds=after) for after in range(3))
    made_id = uuid.uuid4().hex
    given = {"project": project, "at": first, "verb": "edit", "by": "Anna"}

    def note(at: datetime) -> None:
        memory.graph.write(
            lambda transaction: transaction.run(
                "write/note_change", id=made_id, properties=given, rows=[], at=at
            )
        )

    for at in (first, latest, moment):
        note(at)

    after = memory.graph.read("read/changes_after", projects=[project], moment=moment)
    assert [row["id"] for row in after] == [made_id]


def test_what_a_name_that_is_a_field_by_now_was_before_is_kept_beside_it(
    memory: Memory, tmp_path: Path, project: str
) -> None:
    memory.remember([{"name": "Cache", "attributes": {"era": "soon"}}])
    moment = datetime.now(UTC)
    memory.edit({"name": "Cache", "attributes": {"era": "later"}})
    memory.edit({"name": "Cache", "title": "T"})
    lines = json.loads(
        json.dumps(list(memory.export(history=True))).replace(
            "word/attribute/era", "word/attribute/valid_from"
        )
    )
    copy = f"{project}-copy"
    report = memory.import_(
        "jsonl", written(tmp_path / "f.jsonl", lines), project=copy, history=True
    )
    assert not report.refused
    first = memory.get_as_of("Cache", moment, project=copy).entity
    assert (first.valid_from, first.attributes["valid_from_"]) == (None, "soon")


def test_a_change_that_no_line_tells_of_began_with_the_earliest_of_its_revisions(
    memory: Memory, project: str
) -> None:
    first, latest = (datetime.now(UTC) + timedelta(seconds=after) for after in range(2))
    unknown, known = uuid.uuid4().hex, uuid.uuid4().hex
    given = {"project": project, "at": latest, "verb": "edit", "by": "Anna"}

    def note(number: int, at: datetime, source: str) -> None:
        row = {"key": f"{project}#a", "project": project, "before": "{}", "at": at}
        rows = [{**row, "revision": 10 * number, "change": unknown},
                {**row, "revision": 10 * number + 1, "change": known}]  # fmt: skip
        memory.graph.write(
            lambda transaction: transaction.run("write/put_revisions", rows=rows, source=source)
        )

    memory.graph.write(
        lambda transaction: transaction.run(
            "write/note_change", id=known, properties=given, rows=[], at=latest
        )
    )
    note(1, latest, "jsonl:a file")
    note(2, first, "jsonl:a file")
    note(3, first - timedelta(seconds=1), "jsonl:another file")

    moments = memory.graph.read("read/moments", ids=[unknown, known])
    assert {row["id"]: row["at"] for row in moments} == {unknown: first, known: latest}


def test_a_merge_that_was_imported_is_undone(memory: Memory, tmp_path: Path, project: str) -> None:
    memory.remember([{"name": "A", "text": "A text."}, {"name": "B"}])
    memory.link("A", "USES", "B", note="why")
    memory.edit({"name": "A", "title": "Second"})
    before = memory.get("A")[0].to_json()
    memory.merge("A", "B")
    copy = f"{project}-copy"
    memory.import_("jsonl", told(memory, tmp_path, history=True), project=copy, history=True)
    memory.undo("last", project=project)
    (merge,) = (
        one for one in memory.changes(BEGINNING, project=copy).changes if one.verb == "merge"
    )
    memory.undo(merge.id, project=copy)
    for name in "AB":
        here, there = history(memory, name), history(memory, name, copy)
        assert [one["differences"] for one in there] == [one["differences"] for one in here]
    now = memory.get("A", project=copy)[0].to_json()
    assert {**now, "updated_at": 0, "revision": 0} == {
        **before, "key": now["key"], "project": copy, "updated_at": 0, "revision": 0,
    }  # fmt: skip


def test_an_imported_entity_that_was_merged_is_not_found_before_it_was_created(
    memory: Memory, tmp_path: Path, project: str
) -> None:
    memory.remember([{"name": "B", "text": "amber of B"}])
    moment = datetime.now(UTC)
    memory.remember([{"name": "A", "text": "amber of A"}])
    memory.merge("A", "B")
    copy = f"{project}-copy"

    memory.import_("jsonl", told(memory, tmp_path, history=True), project=copy, history=True)

    for name in (project, copy):
        hits = memory.search("amber", as_of=moment, project=name, scope="project").hits
        assert [hit.name for hit in hits] == ["B"]


def test_an_undoing_leads_to_the_change_that_it_undid_also_where_both_get_other_ids(
    memory: Memory, tmp_path: Path, project: str
) -> None:
    memory.remember([{"name": "A", "title": "First"}])
    memory.edit({"name": "A", "title": "Second"})
    memory.undo("last")
    memory.edit({"name": "A", "category": "c"})
    path = written(tmp_path / "all.jsonl", list(memory.export(history=True)))
    memory.rename_project(project, f"{project}-renamed")

    for _ in range(2):
        assert not memory.import_("jsonl", path, everything=True).refused

    told_now = memory.changes(BEGINNING).changes
    (undoing,) = (one for one in told_now if one.verb == "undo")
    (undone,) = (one for one in told_now if one.verb == "edit" and one.id == undoing.undoes)
    assert memory.undo(undone.id).items == ()
    assert memory.get("A")[0].entity.title == "First"


def test_the_history_of_a_relation_whose_type_has_spaces_is_complete(
    memory: Memory, tmp_path: Path, project: str
) -> None:
    names = [{"name": "Ana"}, {"name": "Ana M"}, {"name": "Acme"}]
    memory.remember(names, [{"from": "Ana", "relation": "works at", "to": "Acme"}])
    before = datetime.now(UTC)
    memory.merge("Ana", "Ana M")
    (merge,) = (one for one in memory.history("Ana M").revisions if one.verb == "merge")
    assert "the relation works at to Acme" in [one.field for one in merge.differences]
    assert memory.get_as_of("Ana M", before).neighbours == ()
    hits = memory.search("acme", mode="keyword", as_of=before).hits
    assert [hit.name for hit in hits] == ["Acme", "Ana"]
    copy = f"{project}-copy"
    path = told(memory, tmp_path, history=True)
    assert not memory.import_("jsonl", path, project=copy, history=True).refused
    memory.undo("last")
    assert memory.get("Ana M")[0].neighbours == ()
    assert [link.name for link in memory.get("Acme")[0].neighbours] == ["Ana"]


def test_a_change_is_refused_also_where_a_file_says_that_another_changed_nothing(
    memory: Memory, tmp_path: Path
) -> None:
    moment = datetime.now(UTC).isoformat()  # no other test has deleted history so new
    lines: list[Line] = [
        {"type": "entity", "name": "A", "provenance": {"asserted_by": ["caller"], "revision": 2}},
        {"type": "change", "id": "a", "at": moment, "verb": "edit", "by": "anna"},
        {"type": "revision", "key": "p#a", "revision": 2, "change": "a", "at": moment,
         "before": {}},
    ]  # fmt: skip
    path = written(tmp_path / "file.jsonl", [line | {"project": "p"} for line in lines])
    assert not memory.import_("jsonl", path, history=True).refused
    (item,) = memory.edit({"name": "A", "title": "T", "if_revision": 1}).refused
    assert item.reason is not None
    assert "Since then anna changed nothing at " in item.reason


def test_a_plain_export_keeps_the_names_that_lead_on(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path)
    assert {line["type"] for line in lines_of(path)} == {"entity", "relation", "redirect"}
    assert not any("provenance" in line for line in lines_of(path))
    copy = f"{project}-copy"
    for _ in range(2):
        assert not lived.import_("jsonl", path, project=copy).refused
    lived.remember(
        [{"name": "Cache", "tags": ["c"]}, {"name": "Redis cache", "tags": ["d"]}], project=copy
    )
    assert set(lived.get("Valkey cache", project=copy)[0].entity.tags) == {"c", "d"}
    assert lived.stats(project=copy).entities == 4
    assert list(lived.export(project=copy))[-1]["type"] == "redirect"


def test_all_projects_come_back_with_their_history_unless_it_is_left_out(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    own = [line for line in lived.export_all() if line["project"] == project]
    assert {line["type"] for line in own} >= {"change", "revision", "redirect"}
    short = [line for line in lived.export_all(history=False) if line["project"] == project]
    assert {line["type"] for line in short} == {"entity", "relation", "redirect"}
    before = history(lived, "Valkey cache")
    lived.delete_project(project)
    lived.import_("jsonl", written(tmp_path / "all.jsonl", own), everything=True)
    assert history(lived, "Valkey cache") == before
    lived.delete_project(project)
    lived.import_("jsonl", written(tmp_path / "short.jsonl", short), everything=True)
    assert lived.get("Redis cache")[0].name == "Valkey cache"
    assert len(history(lived, "Valkey cache")) == 1


def test_an_entity_whose_key_is_taken_gets_another_with_its_history(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    copy = f"{project}-copy"
    lived.remember([{"name": "Redis cache", "title": "Another thing"}], project=copy)
    own = lived.history("Redis cache", project=copy).to_json()
    for _ in range(2):
        assert not lived.import_("jsonl", path, project=copy, history=True).refused
        (there,) = lived.get("Valkey cache", project=copy)
        assert there.entity.key == f"{copy}#valkey cache"
        assert history(lived, "Valkey cache", copy) == history(lived, "Valkey cache")
        assert lived.history("Redis cache", project=copy).to_json() == own
    lived.remember([{"name": "Cache", "tags": ["merged"]}], project=copy)
    assert lived.get("Valkey cache", project=copy)[0].entity.tags == ("merged",)


def test_an_entity_that_has_its_like_here_is_joined_and_its_names_lead_there(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    copy = f"{project}-copy"
    lived.remember([{"name": "Valkey cache", "category": "mine"}], project=copy)
    for _ in range(2):
        assert not lived.import_("jsonl", path, project=copy, history=True).refused
    lived.remember([{"name": "Redis cache", "tags": ["x"]}], project=copy)
    (there,) = lived.get("Valkey cache", project=copy)
    assert (there.entity.category, there.entity.tags) == ("mine", ("x",))
    assert there.entity.title == "Second"
    assert lived.stats(project=copy).entities == 4


def told_by_file(memory: Memory, project: str, path: Path) -> list[Line]:
    """The changes that a file tells of: an import that was killed, or had nothing to do, is one."""
    return [one for one in changes(memory, project) if path.name not in str(one.get("author"))]


@pytest.mark.parametrize("task", ["Writing entities", "Writing relations", "Writing history"])
def test_an_import_that_is_killed_is_ended_by_the_same_one(
    lived: Memory, tmp_path: Path, project: str, task: str
) -> None:
    path = told(lived, tmp_path, history=True)
    copy = f"{project}-copy"
    with pytest.raises(KeyboardInterrupt):
        lived.import_("jsonl", path, project=copy, history=True, progress=Interruption(task))
    assert not lived.import_("jsonl", path, project=copy, history=True).refused
    for name in NAMES:
        assert history(lived, name, copy) == history(lived, name)
    assert told_by_file(lived, copy, path) == changes(lived)


def test_an_import_shows_how_far_it_is_until_the_last_record_of_history_is_written(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    lived.import_(
        "jsonl", path, project=f"{project}-copy", history=True, progress=(shown := Listener())
    )
    counts = [len(lines_of(path, sort)) for sort in ("revision", "entity", "relation")]
    total = sum(counts)
    assert all(counts)
    steps = [(done, of) for task, done, of in shown.steps if task == "Writing history"]
    assert steps == [(counts[0], total), (sum(counts[:2]), total), (total, total)]


def test_two_that_import_one_file_at_once_double_nothing(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    copy = f"{project}-copy"
    read = partial(lived.import_, "jsonl", path, project=copy, history=True)
    at_once(read, read)
    for name in NAMES:
        assert history(lived, name, copy) == history(lived, name)
    assert told_by_file(lived, copy, path) == changes(lived)


@pytest.fixture
def stranger(memory: Memory, project: str, tmp_path: Path) -> Callable[..., Any]:
    """Imports lines as those of a project's export with history."""
    path = tmp_path / "stranger.jsonl"

    def imports(*lines: Line, of: str | None = None, **options: Any) -> Any:  # noqa: ANN401
        named = [{"project": of or project, **line} for line in lines]
        options = {"history": True, **options}
        return memory.import_("jsonl", written(path, named), **options)

    return imports


def entity(name: str, **provenance: object) -> Line:
    told = {"asserted_by": ["caller"], "revision": 2, "change": "", **provenance}
    return {"type": "entity", "name": name, "provenance": told}


def change(made_id: str, **more: object) -> Line:
    return {
        "type": "change",
        "id": made_id,
        "at": datetime.now(UTC).isoformat(),
        "verb": "remember",
        "by": "Anna",
        **more,
    }


def revision(key: str, made_id: str, number: int = 2, **more: object) -> Line:
    told = {"type": "revision", "key": key, "revision": number, "change": made_id}
    # Of now: another test may have deleted all history of before.
    return {**told, "at": datetime.now(UTC).isoformat(), "before": {"name": "Was"}, **more}


def test_a_stranger_forges_no_history_of_what_is_there(
    memory: Memory, project: str, stranger: Callable[..., Any]
) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    memory.edit({"name": "A", "title": "x"})
    own = memory.changes(BEGINNING).changes
    before = [memory.history(name).to_json() for name in ("A", "B")]
    stranger(
        entity("A"), entity("B"), entity("New", change=own[0].id),
        change(own[0].id), change("f" * 12),
        revision(f"{project}#a", "f" * 12), revision(f"{project}#a", "f" * 12, 7),
        revision(f"{project}#b", own[0].id), revision(f"{project}#b", "f" * 12, 3),
        revision(f"{project}#nobody", "f" * 12), revision(f"{project}#new", own[0].id),
    )  # fmt: skip
    assert [memory.history(name).to_json() for name in ("A", "B")] == before
    # What the change did that has the id here is all that it did.
    assert set(own) <= set(memory.changes(BEGINNING).changes)
    memory.undo(own[0].id)
    assert memory.get("New")[0].status == "active"
    memory.remember([{"name": "Nobody"}])
    assert len(memory.history("Nobody").revisions) == 1
    (forged, made) = memory.history("New").revisions
    assert forged.source is not None
    assert made.source is not None
    assert forged.change != own[0].id != made.change


def test_what_a_file_says_of_what_is_there_is_undone_with_the_import(
    memory: Memory, stranger: Callable[..., Any]
) -> None:
    memory.remember([{"name": "A", "title": "Mine"}, {"name": "B"}])
    before = list(memory.export())
    said = {**entity("A", updated_at="2050-01-01T00:00:00Z"), "title": "Theirs"}
    made_by = {"asserted_by": ["caller"], "change": "f" * 12}
    link = {"type": "relation", "from": "A", "relation": "R", "to": "B", "provenance": made_by}
    stranger(said, link, entity("New", change="f" * 12), change("f" * 12))
    told = memory.history("A").revisions
    assert {one.verb for one in told if one.source} == set()
    changes_now = memory.changes(BEGINNING).changes
    with_history = next(one for one in changes_now if one.verb == "import")
    report = memory.undo(with_history.id)
    assert "`purge` deletes them" in report.notes[0]
    assert [line for line in memory.export() if line.get("name") != "New"] == before
    assert memory.get("New")[0].status == "active"


@pytest.mark.parametrize("year", [2900, 8998, 9999])
def test_after_a_moment_that_a_file_forges_an_entity_can_still_be_changed(
    memory: Memory, stranger: Callable[..., Any], year: int
) -> None:
    memory.remember([{"name": "A", "title": "Mine"}, {"name": "B"}])
    at = (datetime(year, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - EPOCH) // TICK
    words = {"title/": {"markdown:notes": [at, "Theirs"]}}
    note = {"note/": {"markdown:notes": [at, "theirs"]}}
    made_by = {"asserted_by": ["markdown:notes"], "assertions": note}
    link = {"type": "relation", "from": "A", "relation": "R", "to": "B", "provenance": made_by}
    stranger(entity("A", assertions=words), link)
    memory.remember(
        [{"name": "A", "title": "Mine again"}],
        [{"from": "A", "relation": "R", "to": "B", "note": "mine"}],
    )
    (page,) = memory.get("A")
    assert page.entity.title == "Mine again"
    assert [neighbour.note for neighbour in page.neighbours] == ["mine"]


def test_a_stranger_redirects_no_name_that_is_taken(
    memory: Memory, stranger: Callable[..., Any]
) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}, {"name": "C"}])
    memory.rename("C", "D")
    lines = [
        {"type": "redirect", "name": name, "to": to}
        for name, to in (
            ("A", "B"),
            ("D", "B"),
            ("E", "Nobody"),
            ("F", "B"),
            ("F", "A"),
            ("a", "A"),
        )
    ]
    refused = stranger(*lines).refused
    assert [item.reason for item in refused] == [
        "a leads to a here, and stays so",
        "d leads to c here, and stays so",
        "there is no entity nobody that e could lead to",
        "f leads to b here, and stays so",
    ]
    assert [item.place for item in refused] == [f"stranger.jsonl:{n}" for n in (1, 2, 3, 5)]
    memory.remember([{"name": "F", "tags": ["x"]}])
    assert memory.get("B")[0].entity.tags == ("x",)
    assert memory.undo("last").changes
    memory.undo(next(one.id for one in memory.changes(BEGINNING).changes if one.verb == "import"))
    memory.remember([{"name": "F"}])
    assert memory.get("F")[0].name == "F"


def test_lines_of_two_projects_are_not_of_one(project: str, stranger: Callable[..., Any]) -> None:
    lines = [
        entity("A"),
        {**entity("B"), "project": "other"},
        {**change("c" * 12), "project": "other"},
    ]
    report = stranger(*lines)
    assert ["other" in str(item.reason) for item in report.refused] == [True, True]
    (refused,) = stranger(revision("other#a", "c" * 12), of=project).refused
    assert "must be a key of the line's own project" in str(refused.reason)
    with pytest.raises(InvalidInput, match="cannot be combined with everything"):
        stranger(entity("A"), everything=True)


def test_without_being_asked_no_history_is_read(
    memory: Memory, stranger: Callable[..., Any], tmp_path: Path
) -> None:
    report = stranger(entity("A"), change("c" * 12), history=False)
    assert all("--history" in str(item.reason) for item in report.refused)
    assert len(report.refused) == 2
    path = written(tmp_path / "bare.jsonl", [change("c" * 12), {"type": "secret"}])
    reasons = [str(item.reason) for item in memory.import_("jsonl", path, history=True).refused]
    assert "project" in reasons[0]
    assert "must be one of entity, relation, redirect, change, revision" in reasons[1]


def test_damaged_lines_are_refused_and_the_others_come_in(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    lines = path.read_text().splitlines()
    damaged = next(n for n, line in enumerate(lines) if '"verb": "supersede"' in line)
    lines[damaged] = lines[damaged].replace('"verb"', '"vreb"')
    last = len(lines) - 1
    lines[last] = lines[last][:-20]
    path.write_text("\n".join(lines))
    copy = f"{project}-copy"
    report = lived.import_("jsonl", path, project=copy, history=True)
    assert [item.place for item in report.refused] == [
        f"{path.name}:{number + 1}" for number in (damaged, last)
    ]
    assert all(item.reason for item in report.refused)
    superseded = lived.history("Old", project=copy).revisions[0]
    assert (superseded.verb, superseded.differences[0].after) == ("unknown", "superseded")
    for name in NAMES:
        assert lived.get(name, project=copy)[0].revision == lived.get(name)[0].revision


@pytest.mark.parametrize(
    "before",
    [
        "text",
        {"name": None},
        {"created_at": 5},
        {"authors": []},
        {"removed": 1},
        {"graphmem_key": "x"},
        {"word/title/": {"caller": [1]}},
        {"word/title/": {"caller": [-1, "x"]}},
        {"word/nothing/": {"caller": [1, "x"]}},
        {"word/confidence/": {"caller": [1, 5]}},
        {"word/title/": {}},
        {"word/title/more": {"caller": [1, "x"]}},
        {"word/attribute/project": {"caller": [1, "@user"]}},
        {"word/attribute/key": {"caller": [1, "other#a"]}},
        {"word/attribute/graphmem_filters": {"caller": [1, "x"]}},
        {"name/": "x"},
        {"created_in": None},
        {"observation/x": {"text": ""}},
        {"observation/x": {"text": "x", "more": 1}},
        {"relation/R other#b": None},
        {"relation/HAS_PASSAGE p#b": None},
        {"relation/R p#b": {"end": "p#c", "relation": "R", "since": "", "properties": {}}},
        {
            "relation/R p#b": {
                "end": "p#b",
                "relation": "R",
                "since": "",
                "properties": {"weight": 5},
            }
        },
        {
            "relation/R p#b": {
                "end": "p#b",
                "relation": "R",
                "since": "",
                "properties": {"graphmem_x": 1},
            }
        },
        {"redirect/other#b": None},
        {"redirect/p#b": "other#c"},
        {"unlinked": ["R other#b"]},
    ],
)
def test_what_was_there_before_cannot_be_anything(before: object) -> None:
    with pytest.raises(InvalidInput, match=r"revision\.before"):
        ExportedRevision.from_json(revision("p#a", "c", before=before), project="p")


DEEP = {"graphmem_assertions": "[" * 100_000}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PATHS | st.text(max_size=3), inner),
    max_leaves=8,
)


@given(before=st.dictionaries(PATHS, JSON))
@example(before={"relation/R p#b": RELATION | {"properties": DEEP}})
def test_whatever_a_file_says_was_there_is_read_or_refused(before: Line) -> None:
    try:
        read = ExportedRevision.from_json(revision("p#a", "c", before=before), project="p")
    except InvalidInput:
        return
    again = ExportedRevision.from_json(revision("p#a", "c", before=read.before), project="p")
    assert again.before == read.before
    whole = {"name": "A", "created_at": "2026-01-01T00:00:00Z", "authors": ["caller"]}
    content(overlaid(whole, read.before))  # whatever is taken can be walked back over


def test_what_was_there_is_kept_in_the_words_of_an_export() -> None:
    before = {
        "created_at": " 2026-01-01T05:00:00+05:00 ",
        "observation/x": {"text": "x", "created_at": "2026-01-01 00:00:00", "confidence": 1},
        "word/valid_from/": {"caller": [1, " 2026-01-01 "]},
    }
    read = ExportedRevision.from_json(revision("p#a", "c", before=before), project="p")
    moment = "2026-01-01T00:00:00Z"
    assert read.before == {
        "created_at": moment,
        "observation/x": {"text": "x", "created_at": moment, "confidence": 1.0},
        "word/valid_from/": {"caller": [1, "2026-01-01"]},
    }


def test_a_line_of_another_project_is_refused_where_only_one_may_be_written() -> None:
    row = Row("a.jsonl:1", Redirect("x", "y"), project="other")
    value = Access(project="own").checked_row(row).value
    assert isinstance(value, Item)
    assert value.outcome == "refused"


@pytest.mark.parametrize(
    "line",
    [
        {"type": "redirect", "name": "", "to": "x"},
        {"type": "redirect", "name": "x"},
        {"type": "redirect", "name": "x", "to": 5},
        {"type": "redirect", "name": "x", "to": "y", "more": 1},
    ],
)
def test_a_redirect_has_two_names(line: Line) -> None:
    with pytest.raises(InvalidInput, match="redirect"):
        Redirect.from_json(line)


@pytest.mark.parametrize(
    "more",
    [
        {"at": "soon"},
        {"at": "2999-01-01"},
        {"verb": None},
        {"by": "a\nb"},
        {"id": 5},
        {"undoes": ""},
        {"more": 1},
    ],
)
def test_a_change_is_checked(more: Line) -> None:
    with pytest.raises(InvalidInput, match="change"):
        ExportedChange.from_json(change("c", **more))


def test_what_compact_deleted_does_not_come_back(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    lines = lines_of(path)
    for line in lines:
        if line["type"] == "entity":
            line["provenance"]["history_from"] = "2026-01-01T00:00:00Z"
    copy = f"{project}-copy"
    lived.import_("jsonl", written(path, lines), project=copy, history=True)
    with pytest.raises(NotFound, match="was deleted by `graphmem db compact`"):
        lived.get_as_of("Valkey cache", "2025-01-01", project=copy)
    again = [line for line in lived.export(project=copy, history=True) if line["type"] == "entity"]
    assert all("history_from" in line["provenance"] for line in again)  # type: ignore[operator]


@pytest.mark.usefixtures("lived")
def test_the_terminal_exports_and_imports_history(
    tmp_path: Path, project: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "project.jsonl"
    assert cli.main(["export", "--project", project, "--history", "--output", str(path)]) == 0
    copy = f"{project}-copy"
    capsys.readouterr()
    assert cli.main(["import", "jsonl", str(path), "--project", copy]) == 1
    assert "--history" in capsys.readouterr().out
    assert cli.main(["import", "jsonl", str(path), "--project", copy, "--history"]) == 0
    assert "revisions were imported" in capsys.readouterr().out
    assert cli.main(["history", "Old", "--project", copy]) == 0
    out = capsys.readouterr().out
    assert "it was slow" in out
    assert "brought by jsonl:" in out


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["remember", "edit", "rename", "merge", "link", "unlink", "forget",
                         "restore", "supersede", "undo"]),
        st.sampled_from("ABC"),
        st.sampled_from("ABCDE"),
    ),
    min_size=3,
    max_size=12,
)  # fmt: skip


@settings(max_examples=8)
@given(steps=STEPS)
def test_whatever_happened_is_told_alike_after_a_round_trip(
    memory_of: Callable[[str], Memory],
    tmp_path_factory: pytest.TempPathFactory,
    steps: Any,  # noqa: ANN401
) -> None:
    project = f"example.org/tests/{uuid.uuid4().hex}"
    memory = memory_of(project)
    memory.remember([{"name": name, "title": name} for name in "ABC"])
    for number, (verb, one, other) in enumerate(steps):
        try:
            _do(memory, verb, one, other, number)
        except GraphmemError:
            continue  # two that are one already, a name that is taken, nothing to undo
    copy = f"{project}-copy"
    path = told(memory, tmp_path_factory.mktemp("trip"), history=True)
    assert not memory.import_("jsonl", path, project=copy, history=True).refused
    plain = [line for line in memory.export() if line["type"] != "redirect"]
    assert [line for line in memory.export(project=copy) if line["type"] != "redirect"] == plain
    for line in plain:
        if line["type"] == "entity":
            assert history(memory, str(line["name"]), copy) == history(memory, str(line["name"]))
    assert changes(memory, copy) == changes(memory)


def _do(memory: Memory, verb: str, one: str, other: str, number: int) -> None:
    does: dict[str, Callable[[], object]] = {
        "remember": lambda: memory.remember([{"name": one, "observations": [f"Note {number}."]}]),
        "edit": lambda: memory.edit({"name": one, "title": f"Title {number}"}),
        "rename": lambda: memory.rename(one, other),
        "merge": lambda: memory.merge(one, other),
        "link": lambda: memory.link(one, "BESIDE", other, note=str(number)),
        "unlink": lambda: memory.unlink(one, other),
        "forget": lambda: memory.forget(one),
        "restore": lambda: memory.restore(one),
        "supersede": lambda: memory.supersede(one, other),
        "undo": lambda: memory.undo("last"),
    }
    does[verb]()
