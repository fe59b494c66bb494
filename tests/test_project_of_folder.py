"""The project of a folder: by an argument, a setting, its git repository or its path."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.project import check_project_name, detect
from graphmem.project import place as place_of
from other_users import without_rights_of_root

REMOTE = "https://github.com/owner/repo.git"
NAME = "github.com/owner/repo"


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def a_repository(folder: Path, *, remote: str | None = REMOTE, commit: bool = True) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet")
    if commit:
        git(folder, "commit", "--quiet", "--allow-empty", "--message", "first")
    if remote is not None:
        git(folder, "remote", "add", "origin", remote)
    return folder


# Which of the ways wins


def test_an_argument_wins_over_the_setting_and_git(tmp_path: Path) -> None:
    project = detect(a_repository(tmp_path / "code"), given="mine", setting="theirs")

    assert (project.name, project.source, project.folder) == ("mine", "argument", None)


def test_the_setting_wins_over_git(tmp_path: Path) -> None:
    project = detect(a_repository(tmp_path / "code"), setting="theirs")

    assert (project.name, project.source, project.folder) == ("theirs", "setting", None)


def test_the_git_remote_wins_over_the_folder(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")

    project = detect(folder)

    assert (project.name, project.source, project.folder) == (NAME, "git remote", folder)


def test_without_a_folder_the_current_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(a_repository(tmp_path / "code"))

    assert detect().name == NAME


def test_a_given_name_needs_no_folder() -> None:
    assert detect("/no/such/folder", given="@user").name == "@user"


def test_a_setting_that_is_no_name_is_refused_by_its_variable() -> None:
    with pytest.raises(InvalidInput, match="GRAPHMEM_PROJECT"):
        detect(setting="a#b")


def test_a_text_is_a_folder_too(tmp_path: Path) -> None:
    assert detect(str(a_repository(tmp_path / "code"))).name == NAME


# A repository and what belongs to it


def test_a_subfolder_belongs_to_its_repository(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    (folder / "src" / "deep").mkdir(parents=True)

    assert detect(folder / "src" / "deep") == detect(folder)


def test_a_file_belongs_to_its_folders_repository(tmp_path: Path) -> None:
    file = a_repository(tmp_path / "code") / "README.md"
    file.touch()

    assert detect(file).name == NAME


def test_the_git_folder_itself_belongs_to_its_repository(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code", remote=None)

    assert detect(folder / ".git" / "hooks") == detect(folder)


def test_a_link_into_a_subfolder_belongs_to_the_repository(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code", remote=None)
    (folder / "src").mkdir()
    (tmp_path / "link").symlink_to(folder / "src")

    assert detect(tmp_path / "link") == detect(folder)


@pytest.mark.parametrize("remote", [REMOTE, None])
def test_a_worktree_is_the_main_repositorys_project(tmp_path: Path, remote: str | None) -> None:
    folder = a_repository(tmp_path / "code", remote=remote)
    git(folder, "worktree", "add", "--quiet", str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere" / "src").mkdir()

    assert detect(tmp_path / "elsewhere" / "src") == detect(folder)


def test_worktrees_beside_a_bare_repository_are_the_surrounding_folder(tmp_path: Path) -> None:
    origin = a_repository(tmp_path / "origin", remote=None)
    git(tmp_path, "clone", "--quiet", "--bare", str(origin), str(tmp_path / "code" / ".bare"))
    git(tmp_path / "code" / ".bare", "worktree", "add", "--quiet", str(tmp_path / "code" / "next"))

    project = detect(tmp_path / "code" / "next")

    assert (project.folder, project.name[:5]) == (tmp_path / "code", "code-")


def a_submodule(tmp_path: Path) -> Path:
    library = a_repository(tmp_path / "library", remote=None)
    outer = a_repository(tmp_path / "code")
    allowed = ("-c", "protocol.file.allow=always")
    git(outer, *allowed, "submodule", "--quiet", "add", str(library), "library")
    return outer / "library"


def test_a_submodule_is_the_project_of_its_own_remote(tmp_path: Path) -> None:
    submodule = a_submodule(tmp_path)
    git(submodule, "remote", "set-url", "origin", "git@github.com:other/library.git")

    assert detect(submodule).name == "github.com/other/library"


def test_a_submodule_without_host_is_its_own_folder(tmp_path: Path) -> None:
    submodule = a_submodule(tmp_path)

    project = detect(submodule)

    assert (project.source, project.folder) == ("git folder", submodule)


def test_a_submodules_worktree_is_the_submodules_project(tmp_path: Path) -> None:
    submodule = a_submodule(tmp_path)
    git(submodule, "worktree", "add", "--quiet", str(tmp_path / "elsewhere"))

    assert detect(tmp_path / "elsewhere") == detect(submodule)


def test_a_bare_repository_stands_for_its_remote(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "code.git")
    git(tmp_path / "code.git", "remote", "add", "origin", REMOTE)

    assert detect(tmp_path / "code.git").name == NAME


def test_a_bare_repository_without_remote_is_called_after_its_folder(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "code.git")

    project = detect(tmp_path / "code.git")

    assert project.name.startswith("code-")
    assert project.folder == tmp_path / "code.git"


def test_a_repository_without_commit_stands_for_its_remote(tmp_path: Path) -> None:
    assert detect(a_repository(tmp_path / "code", commit=False)).name == NAME


def test_a_detached_head_changes_nothing(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    git(folder, "checkout", "--quiet", "--detach")

    assert detect(folder).name == NAME


def test_a_repository_in_a_repository_is_its_own_project(tmp_path: Path) -> None:
    outer = a_repository(tmp_path / "code")
    inner = a_repository(outer / "inner", remote=None)

    assert detect(inner).folder == inner


# Several remotes


def test_origin_comes_before_the_other_remotes(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code", remote=None)
    git(folder, "remote", "add", "a-fork", "https://github.com/fork/repo")
    git(folder, "remote", "add", "origin", REMOTE)

    assert detect(folder).name == NAME


def test_without_origin_the_first_remote_by_name_counts(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code", remote=None)
    git(folder, "remote", "add", "upstream", "https://github.com/second/repo")
    git(folder, "remote", "add", "fork", "https://github.com/first/repo")

    assert detect(folder).name == "github.com/first/repo"


def test_an_origin_without_host_leaves_it_to_the_other_remotes(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code", remote="../somewhere")
    git(folder, "remote", "add", "upstream", REMOTE)

    assert detect(folder).name == NAME


def test_of_several_urls_the_first_counts(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    git(folder, "remote", "set-url", "--add", "origin", "https://gitlab.com/mirror/repo.git")

    assert detect(folder).name == NAME


def test_a_remote_without_url_does_not_count(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code", remote=None)
    git(folder, "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")

    assert detect(folder).source == "git folder"


def test_a_remote_in_an_included_file_counts(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code", remote=None)
    (folder / ".git" / "more").write_text(f'[remote "origin"]\n\turl = "{REMOTE}"\n')
    git(folder, "config", "include.path", "more")

    assert detect(folder).name == NAME


@pytest.mark.parametrize("name", ["HEAD", "commondir", "config", "included"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_repository_from_elsewhere_is_neither_waited_for_nor_read_without_end(
    tmp_path: Path, name: str, kind: str
) -> None:
    folder = a_repository(tmp_path / "code", commit=False)
    git(folder, "config", "include.path", "included")
    file = folder / ".git" / name
    file.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    (folder / "below").mkdir()

    with pytest.raises(ConfigurationError, match=rf"{name} must be a file of at most 1 MiB"):
        detect(folder / "below")
    assert place_of(folder / "note.md") == (folder / "note.md").as_posix()


def test_a_repository_that_may_not_be_looked_into_gets_no_other_name() -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = a_repository(Path(place) / "code")
        folder.chmod(0o755)
        assert detect(folder).name == NAME
        with locked(folder / ".git"), pytest.raises(ConfigurationError, match="cannot be read"):
            detect(folder)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Take the right to look into a folder from this process, which root keeps as another user."""
    folder.chmod(0)
    try:
        with without_rights_of_root():
            yield
    finally:
        folder.chmod(0o755)


def test_an_included_name_that_is_too_long_for_a_file_is_ignored_as_git_does(
    tmp_path: Path,
) -> None:
    folder = a_repository(tmp_path / "code", remote=None, commit=False)
    with (folder / ".git" / "config").open("a", encoding="utf-8") as config:
        config.write(f"[include]\n\tpath = {'x' * 5000}\n")

    assert detect(folder).source == "git folder"


def test_two_owners_repositories_of_one_name_are_two_projects(tmp_path: Path) -> None:
    one = a_repository(tmp_path / "1" / "repo", remote="git@github.com:ada/repo.git")
    two = a_repository(tmp_path / "2" / "repo", remote="git@github.com:grace/repo.git")

    assert detect(one).name != detect(two).name


def test_two_clones_of_one_remote_are_one_project(tmp_path: Path) -> None:
    one = a_repository(tmp_path / "1", remote="git@github.com:owner/repo.git")
    two = a_repository(tmp_path / "2", remote="https://token@GitHub.com:443/owner/repo/")

    assert detect(one).name == detect(two).name == NAME


# No remote, no git


def test_a_repository_without_remote_is_called_after_its_folder(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code", remote=None)

    project = detect(folder)

    assert project.source == "git folder"
    assert project.folder == folder
    assert project.name.rpartition("-")[0] == "code"
    assert len(project.name) == len("code-1a2b3c4d")


@pytest.mark.parametrize("remote", ["/srv/git/repo.git", "../repo", "file:///srv/git/repo.git"])
def test_a_remote_on_this_machine_is_no_remote(tmp_path: Path, remote: str) -> None:
    assert detect(a_repository(tmp_path / "code", remote=remote)).source == "git folder"


def test_a_folder_without_git_is_its_own_project(tmp_path: Path) -> None:
    project = detect(tmp_path)

    assert (project.source, project.folder) == ("folder", tmp_path)
    assert project.name.startswith(f"{tmp_path.name}-")


def test_a_folder_keeps_its_project_when_git_comes(tmp_path: Path) -> None:
    before = detect(tmp_path).name

    assert detect(a_repository(tmp_path, remote=None)).name == before


def test_two_folders_of_one_name_are_two_projects(tmp_path: Path) -> None:
    (tmp_path / "1" / "code").mkdir(parents=True)
    (tmp_path / "2" / "code").mkdir(parents=True)

    assert detect(tmp_path / "1" / "code").name != detect(tmp_path / "2" / "code").name


@pytest.mark.parametrize(
    ("called", "begins"),
    [
        ("@user", "user-"),
        ("a#b", "a-b-"),
        ("two\nlines", "two-lines-"),
        ("right\u202eleft", "right-left-"),
        ("Проект №1", "Проект No1-"),
        ("  ", "folder-"),
        ("@", "folder-"),
        ("$HOME", "$HOME-"),
        ("語" * 80, "語" * 80 + "-"),
        (os.fsdecode(b"caf\xe9"), "caf--"),
    ],
)
def test_any_folder_gets_an_allowed_name(tmp_path: Path, called: str, begins: str) -> None:
    (tmp_path / called).mkdir()

    name = detect(tmp_path / called).name

    assert name.startswith(begins)
    assert check_project_name(name) == name


def test_the_longest_folder_name_is_cut(tmp_path: Path) -> None:
    (tmp_path / ("x" * 255)).mkdir()

    assert len(detect(tmp_path / ("x" * 255)).name) == 200


def test_the_root_folder_has_a_name() -> None:
    assert check_project_name(detect("/").name).startswith("folder-")


# What goes wrong


def test_a_folder_that_is_gone_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match=r"nowhere.*name a project"):
        detect(Path("/nowhere/at-all"))


def test_a_current_folder_that_is_gone_asks_for_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    with pytest.raises(InvalidInput, match=r"no longer exists.*name a project"):
        detect()


def test_a_ring_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ring").symlink_to("ring")

    with pytest.raises(InvalidInput, match="ring"):
        detect(tmp_path / "ring")


def test_a_folder_with_a_nul_is_refused() -> None:
    with pytest.raises(InvalidInput, match="folder"):
        detect("a\0b")


@pytest.mark.parametrize("broken", ["[remote", "url = https://u:s3cr3t@h/o/r", "\xff"])
def test_a_broken_configuration_is_an_error_without_its_secrets(
    tmp_path: Path, broken: str
) -> None:
    folder = a_repository(tmp_path / "code")
    (folder / ".git" / "config").write_bytes(broken.encode("latin-1") + b"\n")

    with pytest.raises(ConfigurationError, match=r"code.*name a project") as caught:
        detect(folder)

    assert "s3cr3t" not in str(caught.value)


def test_a_configuration_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    (folder / ".git" / "config").unlink()
    (folder / ".git" / "config").mkdir()

    with pytest.raises(ConfigurationError, match="cannot be read"):
        detect(folder)


def test_a_broken_configuration_does_not_matter_when_the_project_is_given(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    (folder / ".git" / "config").write_text("[remote")

    assert detect(folder, given="mine").name == "mine"


def test_a_repository_that_lost_its_configuration_is_a_folder(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    (folder / ".git" / "config").unlink()

    assert detect(folder).source == "git folder"


def test_a_worktree_that_lost_its_repository_is_a_folder(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    git(folder, "worktree", "add", "--quiet", str(tmp_path / "elsewhere"))
    shutil.rmtree(folder)

    assert detect(tmp_path / "elsewhere").source == "folder"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="chown needs root")
def test_a_repository_that_somebody_else_owns_stands_for_its_remote(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    for place in (folder, folder / ".git", folder / ".git" / "config"):
        os.chown(place, 12345, 12345)

    assert detect(folder).name == NAME


def test_another_repository_in_the_environment_is_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = a_repository(tmp_path / "code")
    other = a_repository(tmp_path / "other", remote=None)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))

    assert detect(folder).name == NAME


def in_a_new_python(statement: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", statement],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def test_no_git_binary_is_needed(tmp_path: Path) -> None:
    folder = a_repository(tmp_path / "code")
    statement = f"from graphmem.project import detect; print(detect({str(folder)!r}).name)"

    assert in_a_new_python(statement, PATH="", GIT_PYTHON_REFRESH="raise") == NAME


def test_git_is_imported_only_when_a_folder_is_looked_at() -> None:
    statement = (
        "import sys; from graphmem.project import detect;"
        "detect(given='mine'); print('git' in sys.modules)"
    )

    assert in_a_new_python(statement) == "False"
