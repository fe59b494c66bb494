"""A folder of notes, such as an Obsidian vault, is imported as its owner means it."""

from pathlib import Path

from note_folders import entities, read, write

# Folders


def test_folders_with_a_dot_are_left_out_unless_they_are_imported_themselves(
    tmp_path: Path,
) -> None:
    notes = (".obsidian/a.md", ".trash/b.md", "c/.git/d.md", "c/e.md", ".f.md")
    write(tmp_path, dict.fromkeys(notes, "Text."))
    assert set(entities(read(tmp_path))) == {".f.md", "c/e.md"}
    assert set(entities(read(tmp_path / ".trash"))) == {"b.md"}
