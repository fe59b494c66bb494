"""`graphmem import --watch`: what changes is imported as it changes."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from watchfiles import Change

from graphmem.cli import watching
from graphmem.cli.watching import FolderFilter, import_on_changes
from graphmem.errors import ConfigurationError, DatabaseUnavailable, InvalidInput
from graphmem.importing.format import Format, check_path
from graphmem.memory import Memory
from graphmem.transfer import FORMATS
from terminals import in_background

NOTES = FORMATS["markdown"]
CODE = FORMATS["code"]
LINES = FORMATS["jsonl"]


class Ended(Exception):
    """The last step of a test was reached."""


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder with one note."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Redis.md").write_text("Sessions are kept here.")
    return folder


def steps(*actions: Callable[[], object]) -> tuple[Callable[[], None], list[int]]:
    """An import that takes the next step each time, and the steps that were taken."""
    taken: list[int] = []

    def import_once() -> None:
        taken.append(len(taken))
        if len(taken) > len(actions):
            raise Ended
        actions[len(taken) - 1]()

    return import_once, taken


def test_notes_are_imported_as_they_change_until_ctrl_c(memory: Memory, notes: Path) -> None:
    project = str(memory.project)
    command = in_background(
        "import", "markdown", str(notes), "--watch", "--project", project, until="1 created"
    )
    try:
        (notes / "Redis.md").write_text("Sessions are kept in [[Valkey]] now.")
        (notes / "Valkey.md").write_text("A fork of Redis.")
        command.await_line("1 created, 1 updated")
        assert memory.get("Redis")[0].entity.text == "Sessions are kept in [[Valkey]] now."
        (notes / "Redis.md").unlink()
        command.await_line("1 unchanged, 1 removed")
        command.interrupted()
    finally:
        command.process.kill()
    assert memory.stats().statuses == {"active": 1, "removed": 1}


def test_what_changes_during_an_import_is_imported_after_it(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_once, taken = steps(
        lambda: (notes / "New.md").write_text("Written during the first import."),
        (notes / "New.md").unlink,
    )
    with pytest.raises(Ended):
        import_on_changes(import_once, notes, NOTES)
    assert len(taken) == 3
    assert capsys.readouterr().err == f"Watching {notes} for changes, until Ctrl-C.\n"


def test_a_file_is_watched_though_an_editor_puts_another_one_in_its_place(tmp_path: Path) -> None:
    file, draft = tmp_path / "project.jsonl", tmp_path / "draft"
    file.write_text("")

    def replace() -> None:
        draft.write_text("new")
        draft.replace(file)

    import_once, taken = steps(replace, replace)
    with pytest.raises(Ended):
        import_on_changes(import_once, file, LINES)
    assert len(taken) == 3


def test_an_import_that_failed_is_tried_again(
    notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watching, "PAUSE", 0)

    def fail() -> None:
        raise DatabaseUnavailable("the server does not answer")

    import_once, _ = steps((notes / "Redis.md").unlink, fail)
    with pytest.raises(Ended):
        import_on_changes(import_once, notes, NOTES)
    said = capsys.readouterr().err.splitlines()
    assert said[1:] == [
        "graphmem: the server does not answer; the import is tried again in 0 seconds"
    ]


def test_a_first_import_that_fails_ends_the_command(notes: Path) -> None:
    def fail() -> None:
        raise DatabaseUnavailable("the server does not answer")

    with pytest.raises(DatabaseUnavailable):
        import_on_changes(fail, notes, NOTES)


def test_a_folder_that_is_gone_ends_the_command(notes: Path) -> None:
    import_once, _ = steps(lambda: shutil.rmtree(notes), lambda: check_path(notes))
    with pytest.raises(InvalidInput, match="must be a file or folder"):
        import_on_changes(import_once, notes, NOTES)


@pytest.mark.parametrize("form", [NOTES, LINES], ids=["folder", "file"])
def test_a_folder_that_is_put_in_the_place_of_another_is_watched(form: Format, notes: Path) -> None:
    source = notes if form is NOTES else notes / "Redis.md"

    def replace() -> None:
        notes.rename(notes.parent / "moved.away")
        notes.mkdir()
        (notes / "Redis.md").write_text("In the new folder.")

    def write() -> None:
        (notes / "Redis.md").write_text("Seen in the new folder.")

    import_once, taken = steps(replace, lambda: None, write)
    with pytest.raises(Ended):
        import_on_changes(import_once, source, form)
    assert len(taken) == 4


def test_a_folder_that_the_system_does_not_watch_is_said(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> Sequence[object]:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watching, "watch", refuse)
    with pytest.raises(ConfigurationError, match=r"limit reached.*WATCHFILES_FORCE_POLLING"):
        import_on_changes(lambda: None, notes, NOTES)


@pytest.mark.parametrize(
    ("change", "path", "is_taken"),
    [
        (Change.modified, "Redis.md", True),
        (Change.added, "deep/er/Redis.MD", True),
        (Change.deleted, "Redis.md", True),
        (Change.modified, ".gitignore", True),
        (Change.modified, "picture.png", False),
        (Change.deleted, "picture.png", False),
        (Change.modified, ".git/Redis.md", False),
        (Change.modified, "node_modules/a/README.md", False),
        (Change.modified, "Redis.md~", False),
        (Change.added, "folder", True),
        (Change.added, "no folder", False),
        (Change.deleted, "folder that was moved away", True),
    ],
)
def test_only_changes_of_what_is_read_are_imported(
    change: Change, path: str, *, is_taken: bool, tmp_path: Path
) -> None:
    # What the folder is in does not matter.
    root = tmp_path / "node_modules" / "notes"
    (root / "folder").mkdir(parents=True)
    assert FolderFilter(root, NOTES)(change, str(root / path)) is is_taken


@pytest.mark.parametrize(
    ("name", "is_taken"), [("store.py", True), ("go.mod", True), ("store.o", False)]
)
def test_of_a_folder_of_code_changes_of_code_are_imported(
    name: str, *, is_taken: bool, tmp_path: Path
) -> None:
    assert FolderFilter(tmp_path, CODE)(Change.modified, str(tmp_path / name)) is is_taken


def test_a_format_that_reads_files_of_any_name_takes_all_changes(tmp_path: Path) -> None:
    taken = FolderFilter(tmp_path, FORMATS["rye"])
    assert taken(Change.modified, str(tmp_path / "tool"))
    assert not taken(Change.modified, str(tmp_path / ".git" / "index"))
