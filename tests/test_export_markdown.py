"""Exports as Markdown notes: what they look like, where they are, and that an import reads them."""

import errno
import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from doc_pages import blocks, page
from graphmem.errors import InvalidInput, NotFound
from graphmem.importing.front_matter import fields_of, split
from graphmem.importing.yaml_dumping import front_matter
from graphmem.memory import Memory, exporting_notes
from graphmem.model import Entity, Relation
from graphmem.transfer import FORMATS
from graphmem.transfer.markdown.link_list import without_link_list
from graphmem.transfer.markdown.note_paths import NotePaths
from graphmem.transfer.markdown.writing import note_of
from terminals import runner

MOMENT = datetime(2026, 3, 1, 10, tzinfo=UTC)
NOTE = """\
---
name: Berth booking
kind: Service
title: Booking of berths
aliases:
- bookings
tags:
- harbour
status: active
created_at: 2026-03-01T10:00:00Z
valid_until: 2026-12-31
owner: ops
attributes:
  description: of a person
observations:
- text: Guests pay by card.
  created_at: 2026-03-01T10:00:00Z
- text: |-
    Two lines:
    - of one observation
  source: Alice
relations:
- relation: DEPENDS_ON
  to: Session store
  note: keeps logins
---

# Berths

Guests book here.

<!-- Relations of the front matter, as links; not imported. -->
- DEPENDS_ON [[Session store]]: keeps logins
<!-- End of the relations. -->
"""
BOOKING = {
    "name": "Berth booking",
    "kind": "Service",
    "title": "Booking of berths",
    "text": "# Berths\n\nGuests book here.",
    "status": "active",
    "created_at": "2026-03-01T10:00:00Z",
    "valid_until": "2026-12-31",
    "aliases": ["bookings"],
    "tags": ["harbour"],
    "attributes": {"owner": "ops", "description": "of a person"},
    "observations": [
        {"text": "Guests pay by card.", "created_at": "2026-03-01T10:00:00Z"},
        {"text": "Two lines:\n- of one observation", "source": "Alice"},
    ],
}
LINK = {
    "from": "Berth booking",
    "relation": "DEPENDS_ON",
    "to": "Session store",
    "note": "keeps logins",
}


def entities(folder: Path) -> list[Entity]:
    """What an import of a folder reads; nothing is refused."""
    values = [row.value for row in FORMATS["markdown"].read(folder)]
    assert all(isinstance(value, Entity | Relation) for value in values), values
    return [value for value in values if isinstance(value, Entity)]


def test_a_note_has_fields_text_and_links() -> None:
    entity, relation = Entity.from_json(BOOKING), Relation.from_json(LINK)
    assert note_of(entity, [relation], lambda name: f"[[{name}]]") == NOTE


def test_a_note_is_read_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "Berth booking.md").write_text(NOTE)
    rows = list(FORMATS["markdown"].read(tmp_path))
    written = {**BOOKING, "source": "Berth booking.md"}
    assert [row.value for row in rows] == [Entity.from_json(written), Relation.from_json(LINK)]


def test_the_page_shows_a_note_as_it_is_written(tmp_path: Path) -> None:
    (shown,) = blocks(page("exporting"), "markdown")
    (tmp_path / "Berth booking.md").write_text(shown)
    entity, relation = (row.value for row in FORMATS["markdown"].read(tmp_path))
    assert isinstance(entity, Entity)
    assert isinstance(relation, Relation)
    without_file = replace(entity, source=None)
    assert note_of(without_file, [relation], lambda name: f"[[{name}]]") == shown


def test_what_stands_below_the_links_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"{NOTE}\nMore of it.\n")
    (entity,) = entities(tmp_path)
    assert entity.text == "# Berths\n\nGuests book here.\n\nMore of it."


def test_a_link_to_what_has_no_note_is_left_out() -> None:
    entity, relation = Entity("Berth booking"), Relation.from_json(LINK)
    assert note_of(entity, [relation], lambda _: None) == (
        "---\nname: Berth booking\nkind: Thing\n---\n"
    )


def test_what_has_no_order_is_written_in_that_of_its_names() -> None:
    entity = Entity("a", attributes={"y": 1, "x": 2})
    relations = [Relation("a", "R", "c"), Relation("a", "R", "b"), Relation("a", "Q", "d")]
    backwards = Entity("a", attributes={"x": 2, "y": 1})
    note = note_of(entity, relations, lambda name: f"[[{name}]]")
    assert note == note_of(backwards, relations[::-1], lambda name: f"[[{name}]]")
    assert note.index("x: 2") < note.index("y: 1")
    assert note.index("[[d]]") < note.index("[[b]]") < note.index("[[c]]")


VALUES = st.one_of(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t\r\x85"), min_size=1
    ),
    st.sampled_from(
        [
            "no",
            "true",
            "12:30",
            "0o17",
            ".5e3",
            "1_000",
            "2026-03-01",
            "~",
            "{{date}}",
            "a: b",
            "---",
        ]
    ),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.dates(date(1000, 1, 1)),
    st.datetimes(datetime(1000, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - of `timezones`
)


@given(value=VALUES | st.lists(VALUES, min_size=1, max_size=3))
def test_front_matter_is_read_as_it_was_written(value: object) -> None:
    parts = split(f"{front_matter({'first': value, 'nested': {'inner': [value]}})}\ntext")
    assert parts is not None
    first, nested = fields_of(parts.yaml_text, parts.line)
    assert first.value == value
    assert nested.value == {"inner": [value]}


@pytest.mark.parametrize("last", ["Guests pay.\nBy card.\n\n", "\n\n- By card.\n\n\n", "\n"])
def test_blank_lines_at_the_end_of_the_front_matter_add_nothing_to_the_text(last: str) -> None:
    parts = split(f"{front_matter({'last': last})}\ntext\n")
    assert parts is not None
    (field,) = fields_of(parts.yaml_text, parts.line)
    assert (field.value, parts.body.strip()) == (last, "text")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Redis cache", "Thing/Redis cache.md"),
        ("app/store.py::Store.get", "Thing/app_store.py__Store.get.md"),
        ("../../etc/passwd", "Thing/_.._etc_passwd.md"),
        ("CON", "Thing/CON_.md"),
        (".hidden", "Thing/hidden.md"),
        ("a|b#c[d]^e?", "Thing/a_b_c_d__e_.md"),
        ("…", "Thing/….md"),
        ("海" * 300, f"Thing/{'海' * 60}.md"),
    ],
)
def test_every_name_has_a_path(name: str, path: str) -> None:
    paths = NotePaths()
    paths.give(Entity.from_json({"name": name}))
    assert paths.path_of(name) == path


def test_no_two_notes_have_one_path() -> None:
    paths = NotePaths()
    for name in ("a/b", "A?b", "a|b"):
        paths.give(Entity(name))
    assert [paths.path_of(name) for name in ("a/b", "A?b", "a|b")] == [
        "Thing/a_b.md", "Thing/A_b~2.md", "Thing/a_b~3.md",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("guides/berths.md", "guides/berths.md"),
        ("../berths.md", "Thing/Berths.md"),
        ("/berths.md", "Thing/Berths.md"),
        (".git/berths.md", "Thing/Berths.md"),
        ("https://example.org/berths.md", "Thing/Berths.md"),
        ("a.md/b.md", "Thing/Berths.md"),
        ("docs/node_modules/berths.md", "Thing/Berths.md"),
        ("logseq/bak/berths.md", "Thing/Berths.md"),
        ("survey", "Thing/Berths.md"),
    ],
)
def test_what_was_a_note_is_written_where_it_was(source: str, path: str) -> None:
    paths = NotePaths()
    paths.give(Entity("Berths", source=source))
    assert paths.path_of("berths") == path


@pytest.mark.parametrize("folder", ["node_modules", "bower_components", "site-packages"])
def test_no_note_is_where_an_import_does_not_look(folder: str, tmp_path: Path) -> None:
    of_kind = Entity("left-pad", kind=folder)
    of_source = Entity("README", source=f"web/{folder}/README.md")
    paths = NotePaths()
    for entity in (of_kind, of_source):
        paths.give(entity)
        note = tmp_path / str(paths.path_of(entity.name))
        note.parent.mkdir(exist_ok=True)
        note.write_text(note_of(entity, [], paths.link_to))
    assert paths.path_of("left-pad") == f"{folder}_/left-pad.md"
    read_notes = {entity.name: (entity.kind, entity.source) for entity in entities(tmp_path)}
    assert read_notes == {
        "left-pad": (folder, f"{folder}_/left-pad.md"),
        "README": ("Thing", of_source.source),
    }


def test_links_name_the_path_only_where_several_notes_are_called_alike() -> None:
    paths = NotePaths()
    for name, source in (("Tides", "x"), ("guides/README", "guides/README.md"), ("R", "README.md")):
        paths.give(Entity(name, source=source))
    assert paths.link_to("tides") == "[[Tides|tides]]"
    assert paths.link_to("Tides") == "[[Tides]]"
    assert paths.link_to("guides/README") == "[[guides/README]]"
    assert paths.link_to("R") == "[[README|R]]"
    assert paths.link_to("nobody") is None


def test_text_between_other_comments_stays() -> None:
    text = "a\n<!-- Relations -->\n- b\n<!-- End -->\n"
    assert without_link_list(text) == text


LIST = (
    "<!-- Relations of the front matter, as links; not imported. -->\n"
    "- DEPENDS_ON [[Session store]]: keeps logins\n"
    "<!-- End of the relations. -->"
)


@pytest.mark.parametrize(
    "text",
    [
        LIST,
        f"{LIST}\n\nand {LIST}",
        f"as in\n\n```markdown\n{LIST}\n```",
        f"- ```\n  code\n  ```\n\n{LIST}\n\nbelow",
    ],
)
@pytest.mark.parametrize("relations", [[], [Relation.from_json(LINK)]])
def test_a_list_of_links_in_the_text_of_an_entity_comes_back(
    text: str, relations: list[Relation], tmp_path: Path
) -> None:
    entity = Entity("Berth booking", text=text)
    note = note_of(entity, relations, lambda name: f"[[{name}]]")
    file = tmp_path / "Berth booking.md"
    file.write_text(note)
    (read_entity,) = entities(tmp_path)
    assert read_entity.text == text
    file.write_text(f"{note}\nMore of it.\n")
    (edited,) = entities(tmp_path)
    assert edited.text == f"{text}\n\nMore of it."


def test_the_list_of_links_at_the_end_is_passed_over_even_in_code_without_an_end(
    tmp_path: Path,
) -> None:
    entity, relation = Entity("a", text=f"```markdown\n{LIST}"), Relation("a", "R", "b")
    (tmp_path / "a.md").write_text(note_of(entity, [relation], lambda name: f"[[{name}]]"))
    (read_entity,) = entities(tmp_path)
    assert read_entity.text == entity.text


def test_a_page_that_shows_a_note_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "exporting.md").write_text(page("exporting"))
    (entity,) = entities(tmp_path)
    assert entity.text == page("exporting").strip()


def test_names_and_tags_that_look_like_marks_come_back(tmp_path: Path) -> None:
    entity = Entity("a", tags=("#hash", "plain"))
    other = Entity("[[Link]]")
    relation = Relation("a", "R", "[[Link]]", note="b\x85c")
    paths = NotePaths()
    for given_entity in (entity, other):
        paths.give(given_entity)
    for given_entity, relations in ((entity, [relation]), (other, [])):
        note = tmp_path / str(paths.path_of(given_entity.name))
        note.parent.mkdir(exist_ok=True)
        note.write_text(note_of(given_entity, relations, paths.link_to))
    rows = FORMATS["markdown"].read(tmp_path)
    values = [row.value for row in rows]
    assert relation in values
    assert [value.tags for value in values if isinstance(value, Entity)] == [(), ("#hash", "plain")]


def test_an_empty_list_is_an_attribute_where_an_export_has_it(tmp_path: Path) -> None:
    fields = {"owner": "ops", "due dates": [], "alias": []}
    entity = Entity.from_json({"name": "Berth booking", "attributes": fields})
    note = note_of(entity, [], lambda _: None)
    (tmp_path / "Berth booking.md").write_text(
        note.replace("owner: ops", "owner: ops\nclients: []")
    )
    (copy,) = entities(tmp_path)
    assert copy.attributes == fields


@pytest.mark.parametrize("name", ["superseded_by", "Superseded by", "supersedes"])
def test_an_attribute_of_a_replacement_comes_back_alone(name: str, tmp_path: Path) -> None:
    entity = Entity.from_json({"name": "Berth booking", "attributes": {name: "Ana"}})
    (tmp_path / "Berth booking.md").write_text(note_of(entity, [], lambda _: None))
    (row,) = FORMATS["markdown"].read(tmp_path)
    assert isinstance(row.value, Entity)
    assert (row.value.attributes, row.value.status) == (entity.attributes, None)


def filled(memory: Memory) -> None:
    """Two entities that stay, one with a period, and two that are deleted."""
    memory.remember(
        [BOOKING, {"name": "Session store", "kind": "Service"}, {"name": "Old"}, {"name": "Older"}],
        [
            LINK,
            {"from": "Berth booking", "relation": "REPLACES", "to": "Old", "weight": 0.5},
            {"from": "Session store", "relation": "SERVES", "to": "Berth booking",
             "valid_from": "2026-01-01", "attributes": {"since": {"date": "2026-01-01"}}},
        ],
    )  # fmt: skip
    memory.forget(["Old", "Older"])


def test_an_export_is_imported_as_what_it_was(memory: Memory, tmp_path: Path) -> None:
    filled(memory)
    written = memory.export_markdown(tmp_path / "notes")
    assert (written.count, written.left_out, written.notes) == (2, 2, ())
    assert sorted(path.name for path in (tmp_path / "notes" / "Service").iterdir()) == [
        "Berth booking.md", "Session store.md",
    ]  # fmt: skip
    copy = f"{memory.project_name()}-copy"
    report = memory.import_("markdown", tmp_path / "notes", project=copy)
    assert (report.refused, report.notes) == ((), ())
    for name in ("Berth booking", "Session store"):
        (before,), (after,) = memory.get([name]), memory.get([name], project=copy)
        source = {"source": f"Service/{name}.md"}
        assert _content(after.entity) == _content(before.entity) | source
        assert {link.relation for link in after.neighbours} == {"DEPENDS_ON", "SERVES"}
    (service,) = [line for line in memory.export(project=copy) if line.get("relation") == "SERVES"]
    assert (service["valid_from"], service["attributes"]) == (
        "2026-01-01", {"since": {"date": "2026-01-01"}},
    )  # fmt: skip


def test_a_note_keeps_its_path_however_often_it_is_exported(memory: Memory, tmp_path: Path) -> None:
    path = "資料／社内/質問：移行（改訂）\u30003月.md"
    for folder in (tmp_path / "vault", tmp_path / "first", tmp_path / "second"):
        if folder.name == "vault":
            (folder / path).parent.mkdir(parents=True)
            (folder / path).write_text("Pier.")
        else:
            memory.export_markdown(folder)
        assert (folder / path).exists()
        memory.import_("markdown", folder)


def test_what_is_edited_in_a_note_is_brought_back(memory: Memory, tmp_path: Path) -> None:
    filled(memory)
    memory.export_markdown(tmp_path / "notes")
    note = tmp_path / "notes" / "Service" / "Berth booking.md"
    text = note.read_text().replace("Guests book here.", "Guests book by telephone.")
    note.write_text(text.replace("keeps logins", "keeps every login"))
    report = memory.import_("markdown", tmp_path / "notes")
    assert (report.refused, report.entities["created"]) == ((), 0)
    (page,) = memory.get(["Berth booking"])
    assert page.entity.text == "# Berths\n\nGuests book by telephone."
    notes = {link.note for link in page.neighbours if link.relation == "DEPENDS_ON"}
    assert notes == {"keeps every login"}
    again = memory.import_("markdown", tmp_path / "notes")
    assert not again.changes


def _content(entity: Entity) -> dict[str, object]:
    """What was said of an entity, without what graphmem counts."""
    fields = entity.to_json()
    observations = [
        {name: value for name, value in observation.to_json().items() if name != "id"}
        for observation in entity.observations
    ]
    return fields | {"observations": observations}


def test_the_same_project_is_written_alike(memory: Memory, tmp_path: Path) -> None:
    filled(memory)
    for name in ("first", "second"):
        memory.export_markdown(tmp_path / name)
    first, second = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in files}
        for name in ("first", "second")
        for files in [sorted((tmp_path / name).rglob("*.md"))]
    )
    assert first == second != {}


def test_a_folder_that_is_not_empty_is_refused(memory: Memory, tmp_path: Path) -> None:
    filled(memory)
    (tmp_path / "mine.md").write_text("mine")
    with pytest.raises(InvalidInput, match="folder must be new, or an empty folder"):
        memory.export_markdown(tmp_path)
    with pytest.raises(InvalidInput, match="must be in an existing folder"):
        memory.export_markdown(tmp_path / "a" / "b")
    with pytest.raises(InvalidInput, match="must not contain a null character"):
        memory.export_markdown("a\0b")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]


def test_a_folder_that_is_filled_meanwhile_is_left_as_it_is(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(memory)

    class Other:
        """Another export into the same folder, which is through first."""

        def say(self, sentence: str) -> None:
            pass

        def advance(self, *_: object) -> None:
            (tmp_path / "notes").mkdir()
            (tmp_path / "notes" / "mine.md").write_text("mine")

    monkeypatch.setattr(exporting_notes, "SHOWN_NOTES", 2)
    with pytest.raises(InvalidInput, match="folder must be new, or an empty folder"):
        memory.export_markdown(tmp_path / "notes", progress=Other())
    assert [path.name for path in tmp_path.rglob("*")] == ["notes", "mine.md"]


@pytest.mark.usefixtures("environment")
def test_the_terminal_names_its_option_where_a_folder_is_filled_meanwhile(
    memory: Memory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    filled(memory)
    folder = tmp_path / "notes"

    def other(*arguments: Any) -> str:  # noqa: ANN401 - as they are
        folder.mkdir(exist_ok=True)
        (folder / "mine.md").write_text("mine")
        return note_of(*arguments)

    monkeypatch.setattr(exporting_notes, "note_of", other)
    run = runner(str(memory.project), capsys, monkeypatch)
    ran = run("export", "--format", "markdown", "--output", str(folder))
    assert ran.code == 2
    assert ran.err.startswith("graphmem: --output must be new, or an empty folder, got ")


def test_a_full_disk_is_named_and_nothing_is_left(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(memory)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match=r"No space left on device: .*notes"):
        memory.export_markdown(tmp_path / "notes")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_export_left_is_removed_and_what_is_in_use_stays(
    memory: Memory, tmp_path: Path
) -> None:
    filled(memory)
    killed, used, mine = (tmp_path / f".notes.{mark}" for mark in ("a" * 32, "b" * 32, "c" * 8))
    for folder in (killed, used, mine):
        (folder / "notes" / "Thing").mkdir(parents=True)
        (folder / "lock").touch()
    with FileLock(used / "lock"):
        memory.export_markdown(tmp_path / "notes")
    assert {path.name for path in tmp_path.iterdir()} == {"notes", used.name, mine.name}


def test_an_export_that_is_killed_leaves_nothing_after_the_next_one(
    memory: Memory, environment: dict[str, str], tmp_path: Path
) -> None:
    filled(memory)
    # It dies while it writes, and so runs nothing at its end.
    dying = (
        "import os, signal, sys\n"
        "from graphmem import cli\n"
        "from graphmem.memory import exporting_notes\n"
        "exporting_notes.note_of = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.exit(cli.main(sys.argv[1:]))\n"
    )
    options = ("export", "--format", "markdown", "--output", str(tmp_path / "notes"))
    ended = subprocess.run(
        [sys.executable, "-c", dying, *options, "--project", str(memory.project)],
        env={**os.environ, **environment}, check=False, capture_output=True,
    )  # fmt: skip
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    (leftover,) = tmp_path.iterdir()
    assert leftover.name.startswith(".notes.")
    memory.export_markdown(tmp_path / "notes")
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_a_text_with_a_conflict_of_git_is_named(memory: Memory, tmp_path: Path) -> None:
    memory.remember([{"name": "Log", "text": "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main"}])
    (note,) = memory.export_markdown(tmp_path / "notes").notes
    assert note == (
        "1 note has both sides of a conflict of git outside of a fence of code, which "
        "`import markdown` does not read: 'Thing/Log.md'"
    )


def test_an_empty_folder_is_taken_and_nothing_else_is_left(memory: Memory, tmp_path: Path) -> None:
    filled(memory)
    (tmp_path / "notes").mkdir()
    memory.export_markdown(str(tmp_path / "notes"))
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_nothing_is_written_where_nothing_is_stored(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="holds nothing to export"):
        memory.export_markdown(tmp_path / "notes")
    assert list(tmp_path.iterdir()) == []


def test_what_no_import_would_read_is_named(memory: Memory, tmp_path: Path) -> None:
    notes = [{"text": f"{number} {'x' * 1000}"} for number in range(300)]
    memory.remember([{"name": "Log", "observations": notes}])
    written = memory.export_markdown(tmp_path / "notes")
    (note,) = written.notes
    assert note == (
        "1 note has more than 262,144 characters of observations and relations, which "
        "`import markdown` does not read: 'Thing/Log.md'"
    )


def test_the_terminal_writes_notes(
    memory: Memory, environment: dict[str, str], tmp_path: Path
) -> None:
    filled(memory)
    run = _exported(environment, memory, "--output", str(tmp_path / "notes"))
    assert run.stderr.endswith(
        f"2 notes of {memory.project_name()} written to {tmp_path / 'notes'}; without 2 entities "
        "that are forgotten or removed\n"
    )
    empty = _exported(environment, memory, "--output", str(tmp_path / "x"), "--project", "nobody")
    assert empty.returncode == 1
    assert "the project `nobody` holds nothing to export" in empty.stderr
    for arguments, reason in (
        ([], "--output is required with --format markdown"),
        (["--output", str(tmp_path)], "must be new, or an empty folder"),
        (["--output", str(tmp_path / "x"), "--history"], "is for the format jsonl alone"),
    ):
        refused = _exported(environment, memory, *arguments)
        assert refused.returncode == 2
        assert reason in " ".join(refused.stderr.split())


def _exported(
    environment: dict[str, str], memory: Memory, *arguments: str
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphmem", "export", "--format", "markdown", *arguments]
    project = {"GRAPHMEM_PROJECT": memory.project_name()}
    return subprocess.run(
        command, env={**os.environ, **environment, **project}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
