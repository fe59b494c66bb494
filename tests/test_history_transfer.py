"""An export with history brings a project back whole, and its changes can be undone."""

import json
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concurrent_calls import at_once
from graphmem import cli
from graphmem.errors import Conflict, GraphmemError, NotFound
from graphmem.memory import Memory
from listeners import Interruption, Listener
from transferred_history import (
    BEGINNING,
    NAMES,
    Line,
    history,
    live_through,
    told,
    written,
)


@pytest.fixture
def lived(memory: Memory, tmp_path: Path, moments: list[datetime]) -> Memory:
    return live_through(memory, tmp_path, moments)


@pytest.fixture
def moments() -> list[datetime]:
    return []


@pytest.fixture
def path(lived: Memory, tmp_path: Path) -> Path:
    """The export of that project with its history."""
    return told(lived, tmp_path, history=True)


@pytest.fixture
def copy(project: str) -> str:
    """Another project."""
    return f"{project}-copy"


def lines_of(path: Path, sort: str | None = None) -> list[Line]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if sort in {None, line["type"]}]


def changes(memory: Memory, project: str | None = None) -> list[Line]:
    """The changes of a project likewise, without those of imports with history."""
    listed = memory.changes(BEGINNING, limit=1000, project=project).to_json()["changes"]
    return [
        {field: value for field, value in change.items() if field not in {"id", "undoes", "source"}}
        for change in listed  # type: ignore[attr-defined]
        if not str(change.get("note")).startswith("with history")
    ]


def as_of(memory: Memory, name: str, moment: datetime, project: str | None = None) -> Line:
    page = memory.get_as_of(name, moment, project=project).to_json()
    return {field: value for field, value in page.items() if field not in {"key", "project"}}


def test_a_project_comes_back_whole_in_another_one(
    lived: Memory, tmp_path: Path, moments: list[datetime], copy: str
) -> None:
    report = lived.import_("jsonl", told(lived, tmp_path, history=True), project=copy, history=True)
    assert not report.refused
    for name in NAMES:
        assert history(lived, name, copy) == history(lived, name)
        (here,), (page,) = lived.get(name), lived.get(name, project=copy)
        assert here.revision == page.revision
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
    lived: Memory, tmp_path: Path, project: str, path: Path
) -> None:
    before = [lived.history(name).to_json() for name in NAMES]
    lived.delete_project(project)
    lived.import_("jsonl", path, history=True)
    sources = {change.source for change in lived.changes(BEGINNING, limit=1000).changes}
    assert sources == {f"jsonl:{path.resolve().as_posix()}", None}
    for old, name in zip(before, NAMES, strict=True):
        now = lived.history(name).to_json()
        for revision in now["revisions"]:  # type: ignore[attr-defined]
            assert revision.pop("source").startswith("jsonl:")
        assert now == old
    assert lines_of(told(lived, tmp_path, history=True), "revision") == lines_of(path, "revision")


def test_a_second_import_creates_nothing_twice(lived: Memory, copy: str, path: Path) -> None:
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


def test_what_was_changed_since_keeps_its_history(lived: Memory, copy: str, path: Path) -> None:
    lived.remember([{"name": "Store", "title": "My own"}], project=copy)
    lived.edit({"name": "Store", "title": "My second"}, project=copy)
    report = lived.import_("jsonl", path, project=copy, history=True)
    assert not report.refused
    assert "for 1 entity" in report.notes[0]
    titles = [revision["differences"] for revision in history(lived, "Store", copy)]
    assert any(change["after"] == "My second" for title in titles for change in title)
    assert lived.get_as_of("Valkey cache", datetime.now(UTC), project=copy).entity.title == "Second"
    lived.edit({"name": "Valkey cache", "title": "Later"}, project=copy)
    later = lived.history("Valkey cache", project=copy).to_json()
    lived.import_("jsonl", path, project=copy, history=True)
    assert lived.history("Valkey cache", project=copy).to_json() == later


def test_an_imported_change_is_undone_and_the_import_itself_is_not(
    lived: Memory, tmp_path: Path, copy: str
) -> None:
    lived.import_("jsonl", told(lived, tmp_path, history=True), project=copy, history=True)
    by_verb = {change.verb: change.id for change in lived.changes(BEGINNING, project=copy).changes}
    lived.undo(by_verb["supersede"], project=copy)
    assert lived.get("Old", project=copy)[0].status == "active"
    lived.undo(by_verb["forget"], project=copy)
    assert lived.get("Store", project=copy)[0].status == "active"
    last = lived.changes(BEGINNING, project=copy, limit=1000).changes
    with_history = next(change for change in last if str(change.note).startswith("with history"))
    with pytest.raises(Conflict, match="restored entities with their earlier history"):
        lived.undo(with_history.id, project=copy)


@pytest.mark.parametrize("told_of", ["when it began", "not at all"])
def test_a_search_of_the_past_takes_an_imported_change_back_as_a_look_at_an_entity_does(
    memory: Memory, tmp_path: Path, told_of: str, copy: str
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

    memory.import_("jsonl", written(tmp_path / "file.jsonl", lines), project=copy, history=True)

    assert memory.get_as_of("Cache", moment, project=copy).entity.text == "amber"
    (hit,) = memory.search("amber", as_of=moment, project=copy, scope="project").hits
    assert [passage.text for passage in hit.passages] == ["amber"]
    verbs = {change.verb for change in memory.changes(BEGINNING, project=copy).changes}
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
    memory: Memory, tmp_path: Path, copy: str
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


def test_a_merge_that_was_imported_is_undone(
    memory: Memory, tmp_path: Path, project: str, copy: str
) -> None:
    memory.remember([{"name": "A", "text": "A text."}, {"name": "B"}])
    memory.link("A", "USES", "B", note="why")
    memory.edit({"name": "A", "title": "Second"})
    before = memory.get("A")[0].to_json()
    memory.merge("A", "B")
    memory.import_("jsonl", told(memory, tmp_path, history=True), project=copy, history=True)
    memory.undo("last", project=project)
    (merge,) = (
        change
        for change in memory.changes(BEGINNING, project=copy).changes
        if change.verb == "merge"
    )
    memory.undo(merge.id, project=copy)
    for name in "AB":
        here, there = history(memory, name), history(memory, name, copy)
        assert [revision["differences"] for revision in there] == [
            revision["differences"] for revision in here
        ]
    now = memory.get("A", project=copy)[0].to_json()
    assert {**now, "updated_at": 0, "revision": 0} == {
        **before, "key": now["key"], "project": copy, "updated_at": 0, "revision": 0,
    }  # fmt: skip


def test_an_imported_entity_that_was_merged_is_not_found_before_it_was_created(
    memory: Memory, tmp_path: Path, project: str, copy: str
) -> None:
    memory.remember([{"name": "B", "text": "amber of B"}])
    moment = datetime.now(UTC)
    memory.remember([{"name": "A", "text": "amber of A"}])
    memory.merge("A", "B")

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
    (undoing,) = (change for change in told_now if change.verb == "undo")
    (undone,) = (
        change for change in told_now if change.verb == "edit" and change.id == undoing.undoes
    )
    assert memory.undo(undone.id).items == ()
    assert memory.get("A")[0].entity.title == "First"


def test_the_history_of_a_relation_whose_type_has_spaces_is_complete(
    memory: Memory, tmp_path: Path, copy: str
) -> None:
    names = [{"name": "Ana"}, {"name": "Ana M"}, {"name": "Acme"}]
    memory.remember(names, [{"from": "Ana", "relation": "works at", "to": "Acme"}])
    before = datetime.now(UTC)
    memory.merge("Ana", "Ana M")
    (merge,) = (
        revision for revision in memory.history("Ana M").revisions if revision.verb == "merge"
    )
    assert "the relation works at to Acme" in [difference.field for difference in merge.differences]
    assert memory.get_as_of("Ana M", before).neighbours == ()
    hits = memory.search("acme", mode="keyword", as_of=before).hits
    assert [hit.name for hit in hits] == ["Acme", "Ana"]
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
    lived: Memory, tmp_path: Path, copy: str
) -> None:
    path = told(lived, tmp_path)
    assert {line["type"] for line in lines_of(path)} == {"entity", "relation", "redirect"}
    assert not any("provenance" in line for line in lines_of(path))
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
    lived: Memory, copy: str, path: Path
) -> None:
    lived.remember([{"name": "Redis cache", "title": "Another thing"}], project=copy)
    own = lived.history("Redis cache", project=copy).to_json()
    for _ in range(2):
        assert not lived.import_("jsonl", path, project=copy, history=True).refused
        (page,) = lived.get("Valkey cache", project=copy)
        assert page.entity.key == f"{copy}#valkey cache"
        assert history(lived, "Valkey cache", copy) == history(lived, "Valkey cache")
        assert lived.history("Redis cache", project=copy).to_json() == own
    lived.remember([{"name": "Cache", "tags": ["merged"]}], project=copy)
    assert lived.get("Valkey cache", project=copy)[0].entity.tags == ("merged",)


def test_an_entity_that_has_its_like_here_is_joined_and_its_names_lead_there(
    lived: Memory, copy: str, path: Path
) -> None:
    lived.remember([{"name": "Valkey cache", "category": "mine"}], project=copy)
    for _ in range(2):
        assert not lived.import_("jsonl", path, project=copy, history=True).refused
    lived.remember([{"name": "Redis cache", "tags": ["x"]}], project=copy)
    (page,) = lived.get("Valkey cache", project=copy)
    assert (page.entity.category, page.entity.tags) == ("mine", ("x",))
    assert page.entity.title == "Second"
    assert lived.stats(project=copy).entities == 4


def told_by_file(memory: Memory, project: str, path: Path) -> list[Line]:
    """The changes that a file tells of: an import that was killed, or had nothing to do, is one."""
    return [
        change for change in changes(memory, project) if path.name not in str(change.get("author"))
    ]


@pytest.mark.parametrize("task", ["Writing entities", "Writing relations", "Writing history"])
def test_an_import_that_is_killed_is_ended_by_the_same_one(
    lived: Memory, task: str, copy: str, path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        lived.import_("jsonl", path, project=copy, history=True, progress=Interruption(task))
    assert not lived.import_("jsonl", path, project=copy, history=True).refused
    for name in NAMES:
        assert history(lived, name, copy) == history(lived, name)
    assert told_by_file(lived, copy, path) == changes(lived)


def test_an_import_shows_its_progress_until_the_last_record_of_history_is_written(
    lived: Memory, project: str, path: Path
) -> None:
    lived.import_(
        "jsonl", path, project=f"{project}-copy", history=True, progress=(listener := Listener())
    )
    counts = [len(lines_of(path, sort)) for sort in ("revision", "entity", "relation")]
    total = sum(counts)
    assert all(counts)
    steps = [(done, of) for task, done, of in listener.steps if task == "Writing history"]
    assert steps == [(counts[0], total), (sum(counts[:2]), total), (total, total)]


def test_concurrent_imports_of_one_file_create_nothing_twice(
    lived: Memory, copy: str, path: Path
) -> None:
    read = partial(lived.import_, "jsonl", path, project=copy, history=True)
    at_once(read, read)
    for name in NAMES:
        assert history(lived, name, copy) == history(lived, name)
    assert told_by_file(lived, copy, path) == changes(lived)


def test_what_compact_deleted_does_not_come_back(lived: Memory, copy: str, path: Path) -> None:
    lines = lines_of(path)
    for line in lines:
        if line["type"] == "entity":
            line["provenance"]["history_from"] = "2026-01-01T00:00:00Z"
    lived.import_("jsonl", written(path, lines), project=copy, history=True)
    with pytest.raises(NotFound, match="was deleted by `graphmem db compact`"):
        lived.get_as_of("Valkey cache", "2025-01-01", project=copy)
    again = [line for line in lived.export(project=copy, history=True) if line["type"] == "entity"]
    assert all("history_from" in line["provenance"] for line in again)  # type: ignore[operator]


@pytest.mark.usefixtures("lived")
def test_the_terminal_exports_and_imports_history(
    tmp_path: Path, project: str, capsys: pytest.CaptureFixture[str], copy: str
) -> None:
    path = tmp_path / "project.jsonl"
    assert cli.main(["export", "--project", project, "--history", "--output", str(path)]) == 0
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
def test_any_history_is_the_same_after_a_round_trip(
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
