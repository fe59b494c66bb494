"""A folder of notes, such as an Obsidian vault, is imported as its owner means it."""

from pathlib import Path

import pytest

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
