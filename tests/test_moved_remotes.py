"""A folder whose remote was moved or renamed says where its entities are."""

import shlex
import stat
import subprocess
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import earlier_project, session
from graphmem.graph import Graph
from graphmem.memory import Memory

Run = Callable[..., str]


@pytest.fixture
def remote() -> str:
    """A remote that no other test knows."""
    return f"example.org/tests/{uuid.uuid4().hex}"


def set_remote(folder: Path, remote: str) -> None:
    subprocess.run(["git", "remote", "set-url", "origin", f"https://{remote}.git"], cwd=folder,
                   check=True)  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path, remote: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with that remote, in whose subfolder commands are run."""
    folder = tmp_path / "checkout"
    (folder / "below").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "remote", "add", "origin", f"git@x:{remote}"], cwd=folder, check=True)
    set_remote(folder, remote)
    monkeypatch.chdir(folder / "below")
    return folder


@pytest.fixture
def run(
    environment: dict[str, str],  # noqa: ARG001 - the server runs
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run a command in the current folder; gives what it says of an earlier project."""
    model = FakeEmbedder()
    monkeypatch.setattr(session, "embedder", lambda *_, **__: model)

    def run(*tokens: str) -> str:
        cli.main(tokens)
        lines = capsys.readouterr().err.splitlines(keepends=True)
        return "".join(line for line in lines if "this folder was" in line)

    return run


def test_a_shell_takes_the_names_in_the_command_as_they_are(
    memory_of: Callable[[str], Memory], project: str, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier, current = f"{project} of $(id); it's", f"{project} & more"
    memory_of(earlier).remember([{"name": "Quay"}])
    assert earlier_project._say_if_moved(memory_of(current), earlier, current)
    _, command, _ = capsys.readouterr().err.rsplit("`", 2)
    assert shlex.split(command) == ["graphmem", "project", "rename", earlier, current]


def test_a_moved_remote_is_noticed_and_a_rename_offered_until_it_happened(
    run: Run, checkout: Path, remote: str
) -> None:
    assert run("remember", "Quay") == ""
    set_remote(checkout, f"{remote}/moved")
    said = (
        f"{remote}/moved holds nothing; this folder was {remote} before, which holds 1 entity: "
        f"`graphmem project rename {remote} {remote}/moved` moves them.\n"
    )

    assert run("stats") == said
    assert run("search", "quay", "--mode", "keyword") == said
    assert run("project", "rename", remote, f"{remote}/moved", "--yes") == ""
    assert run("show", "Quay") == ""


def test_a_project_that_holds_something_is_the_folders_own(
    run: Run, checkout: Path, remote: str
) -> None:
    run("remember", "Quay")
    set_remote(checkout, f"{remote}/moved")
    run("remember", "Boat")

    assert run("stats") == ""
    set_remote(checkout, remote)
    assert run("stats") == ""


def test_nothing_is_said_where_neither_holds_anything(
    run: Run, checkout: Path, remote: str
) -> None:
    run("stats")
    set_remote(checkout, f"{remote}/moved")
    assert run("stats") == ""


def test_a_named_project_is_not_the_folders(
    run: Run, checkout: Path, remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("remember", "Quay")
    set_remote(checkout, f"{remote}/moved")

    assert run("stats", "--project", f"{remote}/other") == ""
    monkeypatch.setenv("GRAPHMEM_PROJECT", f"{remote}/other")
    assert run("stats") == ""


def test_a_command_reads_one_small_file_and_asks_the_database_nothing(
    run: Run, checkout: Path, monkeypatch: pytest.MonkeyPatch, session_home: Path
) -> None:
    run("stats")
    files = set((session_home / earlier_project.FOLDERS).iterdir())
    asked: list[str] = []
    reading = Graph.read

    def read(graph: Graph, name: str, /, **parameters: object) -> object:
        asked.append(name)
        return reading(graph, name, **parameters)

    monkeypatch.setattr(Graph, "read", read)
    run("stats")

    assert "read/project_summaries" not in asked
    assert set((session_home / earlier_project.FOLDERS).iterdir()) == files
    assert checkout.name == "checkout"


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"a#b\n\x1b[31m", b"x" * 100_000])
def test_a_file_that_holds_no_name_is_written_anew(
    run: Run, checkout: Path, remote: str, session_home: Path, content: bytes
) -> None:
    run("stats")
    folder = session_home / earlier_project.FOLDERS
    (file,) = (one for one in folder.iterdir() if one.read_bytes() == remote.encode())
    file.write_bytes(content)

    assert run("stats") == ""
    assert file.read_text() == remote
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert checkout.exists()


def test_a_home_that_takes_no_file_does_not_matter(
    run: Run, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(earlier_project, "_write", refuse)
    assert run("stats") == ""
    assert checkout.exists()
