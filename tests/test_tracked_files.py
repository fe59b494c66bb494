"""Files that git tracks although a `.gitignore` names them: git ignores none of them."""

import os
import subprocess
from pathlib import Path

import pytest

from code_folders import read, write
from graphmem import git_files
from graphmem.git_files import tracked_paths
from graphmem.transfer import FORMATS, LeftOut

FILES = {
    ".gitignore": "build/\n*.gen.py\npackage.json\n",
    "a.gen.py": "", "build/deep/b.py": "", "build/other/c.py": "", "own.py": "",
    "store/package.json": '{"name": "store"}', "store/index.ts": "export function open() {}",
    "start.ts": "import { open } from 'store';\nopen();", "b/build.py": "",
}  # fmt: skip
LATER = {"build/deep/new.py": "", "build/new.py": "", "new.gen.py": "", "build/far/new.py": ""}


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    command = ("git", "-C", str(folder), *identity, *arguments)
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository that tracks files which its rules name, beside others that it ignores."""
    folder = tmp_path / "shop"
    write(folder, FILES)
    git(folder, "init", "-q")
    git(folder, "add", "-f", ".")
    git(folder, "rm", "-q", "--cached", "build/other/c.py")
    git(folder, "commit", "-qm", "Open")
    write(folder, LATER)
    return folder


def test_what_git_tracks_is_read_although_its_rules_name_it(repository: Path) -> None:
    read_files = read(repository)

    assert {name for name in read_files.entities if "::" not in name} == {
        "a.gen.py", "b/build.py", "build/deep/b.py", "own.py", "start.ts", "store/index.ts",
    }  # fmt: skip
    assert "start.ts CALLS store/index.ts::open" in read_files.links


def test_a_folder_of_a_repository_has_its_tracked_files(repository: Path) -> None:
    git(repository, "mv", "build", "store/build")

    assert "build/deep/b.py" in read(repository / "store").entities


def test_the_rest_of_an_ignored_folder_is_named(repository: Path) -> None:
    write(repository, {"build/deep/a.md": "", "build/deep/b.md": "", "build/c.md": ""})
    git(repository, "add", "-f", "build/deep/a.md")
    rows = list(FORMATS["markdown"].read(repository))

    assert {row.place for row in rows if isinstance(row.value, LeftOut)} == {
        "build/c.md", "build/deep/b.md", "build/far/", "build/other/",
    }  # fmt: skip
    assert "build/deep/a.md" in {row.place for row in rows if not isinstance(row.value, LeftOut)}


def test_an_index_with_more_flags_is_read(repository: Path) -> None:
    git(repository, "add", "-N", "-f", "build/new.py")

    expected = {*FILES, "build/new.py"} - {"build/other/c.py"}
    assert tracked_paths(repository) == sorted(expected)


def test_a_worktree_has_an_index_of_its_own(repository: Path) -> None:
    tree = repository.parent / "tree"
    git(repository, "worktree", "add", "-q", str(tree))
    git(repository, "rm", "-q", "-f", "a.gen.py")

    assert "a.gen.py" in tracked_paths(tree)
    assert "a.gen.py" not in tracked_paths(repository)


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"DIRC",
        b"DIRC" + (9).to_bytes(4) + (1).to_bytes(4) + bytes(200),
        b"DIRC" + (2).to_bytes(4) + b"\xff" * 4,
        b"DIRC" + (2).to_bytes(4) + b"\xff" * 4 + bytes(62) + b"\0" * 20,
    ],
)
def test_of_a_broken_index_nothing_is_known(repository: Path, index: bytes) -> None:
    (repository / ".git/index").write_bytes(index)

    assert tracked_paths(repository) == []
    assert {name for name in read(repository).entities if name.endswith(".py")} == {
        "b/build.py",
        "own.py",
    }


def test_a_huge_index_is_not_read(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = (repository / ".git/index").stat().st_size
    monkeypatch.setattr(git_files, "INDEX_BYTES", size)
    assert tracked_paths(repository)
    monkeypatch.setattr(git_files, "INDEX_BYTES", size - 1)
    assert tracked_paths(repository) == []


def test_an_index_that_is_a_pipe_is_not_waited_for(repository: Path) -> None:
    (repository / ".git/index").unlink()
    os.mkfifo(repository / ".git/index")

    assert tracked_paths(repository) == []
