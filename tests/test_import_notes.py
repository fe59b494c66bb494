"""A folder of notes, such as an Obsidian vault, is imported as its owner means it."""

from pathlib import Path

import pytest

from graphmem.memory import Memory
from note_folders import entities, read, refusals, write

# Folders


def test_folders_with_a_dot_are_left_out_unless_they_are_imported_themselves(
    tmp_path: Path,
) -> None:
    notes = (".obsidian/a.md", ".trash/b.md", "c/.git/d.md", "c/e.md", ".f.md")
    write(tmp_path, dict.fromkeys(notes, "Text."))
    assert set(entities(read(tmp_path))) == {".f.md", "c/e.md"}
    assert set(entities(read(tmp_path / ".trash"))) == {"b.md"}


# Front matter


@pytest.mark.parametrize(
    "front",
    [
        "aliases: null", "aliases:", "aliases: []", "aliases:\n  -", "tags:", "tags: []",
        "tags: #a", "cssclasses:\n  - wide", "date: 2026-03-01", "created: 2026-03-01T10:00",
        "updated: 2026-03-01 10:00:00", "publish: false", "up: '[[a]]'", "up: [[a]]", "kind:",
        "created: {{date}}", "created: {{date:YYYY-MM-DD}}", "tags:\n  - {{tag}}", "title: ''",
        "created: <% tp.date.now() %>", "id: 20260301", "name: ''", "kanban-plugin: board",
        "source: ['[[a]]', b]", f"source: https://example.org/{'a' * 300}", "category: [a, b]",
    ],
)  # fmt: skip
def test_what_editors_write_refuses_no_note(tmp_path: Path, front: str) -> None:
    rows = read(tmp_path, {"a.md": f"---\n{front}\n---\nText."})
    assert (refusals(rows), entities(rows)["a.md"].name) == ({}, "a")


@pytest.mark.parametrize(
    "front",
    ["tags: '#a #b'", "tags: '#a,#b'", "tags: ['#a', b]", "tags:\n- '#a'\n-\n- '#b'\n- '#'"],
)
def test_tags_in_the_front_matter_may_have_their_mark(tmp_path: Path, front: str) -> None:
    assert entities(read(tmp_path, {"a.md": f"---\n{front}\n---\n"}))["a.md"].tags == ("a", "b")


def test_what_is_no_label_becomes_an_attribute(tmp_path: Path) -> None:
    front = "source: [a, b]\nstatus: done\ncategory:\n"
    entity = entities(read(tmp_path, {"a.md": f"---\n{front}---\n"}))["a.md"]
    assert entity.attributes == {"source_": ["a", "b"]}
    assert (entity.source, entity.status, entity.category) == (None, "done", None)


# Imports


def test_a_dry_run_counts_the_same_links(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "[[b]] [[c]]", "b.md": "Text."})
    report = memory.import_("markdown", tmp_path, dry_run=True)
    assert report.notes == ("1 link leads to a note that does not exist: 'c'",)
    assert memory.import_("markdown", tmp_path).notes[:1] == report.notes


def test_of_many_missing_notes_the_first_are_named(memory: Memory, tmp_path: Path) -> None:
    content = " ".join(f"[[n{number}]]" for number in range(7))
    report = memory.import_("markdown", write(tmp_path, {"a.md": content}))
    (note,) = report.notes
    assert note == "7 links lead to notes that do not exist: 'n0', 'n1', 'n2', 'n3', 'n4', …"
    assert not report.refused


def test_a_link_leads_to_a_note_that_is_written_later_and_goes_with_its_words(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"a.md": "[[b]]"})
    memory.import_("markdown", tmp_path)
    write(tmp_path, {"b.md": "Text."})
    assert memory.import_("markdown", tmp_path).relations["created"] == 1
    write(tmp_path, {"a.md": "Text."})
    assert memory.import_("markdown", tmp_path).relations["removed"] == 1
    (tmp_path / "b.md").unlink()
    assert memory.import_("markdown", tmp_path).entities["removed"] == 1


def test_a_relation_of_the_front_matter_to_nothing_is_refused(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"a.md": "---\nrelations: [{relation: NEEDS, to: b}]\n---\n[[b]]"})
    report = memory.import_("markdown", tmp_path)
    assert [item.name for item in report.refused] == ["a -[NEEDS]-> b"]
    assert report.notes == ()


def test_a_link_to_an_alias_or_to_what_another_wrote_is_made(
    memory: Memory, tmp_path: Path
) -> None:
    memory.remember([{"name": "Session store"}])
    write(tmp_path, {"a.md": "[[Mole]] [[session store]]", "b.md": "---\naliases: Mole\n---\n"})
    report = memory.import_("markdown", tmp_path)
    assert (report.refused, report.notes) == ((), ())
    assert {link.name for link in memory.get("a")[0].neighbours} == {"b", "Session store"}


def test_a_link_that_may_mean_several_notes_is_refused(memory: Memory, tmp_path: Path) -> None:
    alias = "---\naliases: Mole\n---\n"
    write(tmp_path, {"a.md": "[[Mole]]", "b.md": alias, "c.md": alias})
    (item,) = memory.import_("markdown", tmp_path).refused
    assert item.name == "a -[MENTIONS]-> Mole"
