"""Repositories as GitPython reads them, whose files are plain ones of a usual size.

A folder from elsewhere may bring a `.git` of any kind. A pipe in it would be waited for, and a
device such as `/dev/zero` read without end.
"""

import os
import re
import stat
import struct
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.errors import ConfigurationError
from graphmem.ownership import mode_of

if TYPE_CHECKING:
    from git import Repo

MOST_BYTES = 1024 * 1024
# An index has about a hundred bytes for each file, and takes up to nine times its size to read.
INDEX_BYTES = 32 * 1024 * 1024

_INCLUDED = re.compile(rb'\bpath[ \t]*=[ \t]*"?([^"\r\n]+)')
_ELSEWHERE = "gitdir:"


def opened_repository(folder: Path) -> "Repo | None":
    """Open the repository around a folder, to be closed; None when there is none.

    Args:
        folder: An absolute path.

    Raises:
        ConfigurationError: As for `check_git_files`.
        OSError: A file of the repository cannot be read.
    """
    check_git_files(folder)
    # Without git on PATH the import would raise; nothing here needs the binary.
    os.environ["GIT_PYTHON_REFRESH"] = "quiet"
    # Imported here for weight: 0.15 s that the MCP handshake need not wait for.
    from git import InvalidGitRepositoryError, Repo  # noqa: PLC0415

    try:
        # expand_vars: a folder may be called `$HOME`.
        return Repo(folder, search_parent_directories=True, expand_vars=False)
    except InvalidGitRepositoryError:
        return None


def tracked_paths(repository: Path) -> list[str]:
    """The paths of the files that git tracks, as seen from the repository, in order.

    None are known where there is no repository, or its index cannot be read: GitPython reads
    versions 2 and 3, and here at most 32 MiB.

    Args:
        repository: The folder that has a `.git`.
    """
    # Imported here for its weight: GitPython would slow down every command that needs no project.
    from git.index.fun import read_cache  # noqa: PLC0415

    unreadable = (ConfigurationError, OSError, AssertionError, ValueError, struct.error)
    with suppress(*unreadable):
        file = _git_folder(repository) / "index"
        if _is_there(file) and file.stat().st_size <= INDEX_BYTES:
            with file.open("rb") as stream:
                return sorted({str(path) for path, _ in read_cache(stream)[1]})
    return []


def check_git_files(folder: Path) -> None:
    """Refuse a folder if what says which repository it is in cannot be read in a moment.

    Args:
        folder: An absolute path.

    Raises:
        ConfigurationError: Such a file is a pipe or a device, or has more than 1 MiB.
        OSError: The folder of a repository cannot be looked into.
    """
    for place in (folder, *folder.parents):
        _check_folder(place, is_around=True)
        git_folder = _git_folder(place)
        if stat.S_ISDIR(mode_of(git_folder)):
            mode_of(git_folder / "HEAD")
            _check_folder(git_folder)
            return


def _git_folder(folder: Path) -> Path:
    """Where git keeps what it knows of a folder, which a file may say in its place."""
    git_folder = folder / ".git"
    text = _content(git_folder).decode(errors="replace")
    is_elsewhere = text.startswith(_ELSEWHERE)
    return folder / text.removeprefix(_ELSEWHERE).strip() if is_elsewhere else git_folder


def _check_folder(git_folder: Path, *, is_around: bool = False) -> None:
    """Check the files of what may be git's own folder; one around it is a bare one or none."""
    has_head = _is_there(git_folder / "HEAD")
    common_folder = git_folder / os.fsdecode(_content(git_folder / "commondir")).strip()
    if is_around and not has_head:
        return
    _is_there(common_folder / "HEAD")
    files, checked_files = [common_folder / "config"], set[Path]()
    while files:
        file = files.pop()
        if file not in checked_files:
            checked_files.add(file)
            paths = (os.fsdecode(path).strip() for path in _INCLUDED.findall(_content(file)))
            files += [file.parent / os.path.expanduser(path) for path in paths]  # noqa: PTH111 - joined


def _content(file: Path) -> bytes:
    """What a file holds; nothing where there is none, or where it may not be read."""
    if not _is_there(file):
        return b""
    if file.stat().st_size > MOST_BYTES:
        raise _refusal(file)
    with suppress(PermissionError):
        return file.read_bytes()
    return b""


def _is_there(file: Path) -> bool:
    """Whether there is a file of that name; a folder is none, and nothing else is allowed."""
    try:
        mode = file.stat().st_mode
    except (OSError, ValueError):  # not readable, or a name that no file can have
        return False
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise _refusal(file)
    return stat.S_ISREG(mode)


def _refusal(file: Path) -> ConfigurationError:
    return ConfigurationError(
        f"{file} must be a file of at most 1 MiB, since it says which git repository a folder "
        "belongs to; remove it, or name a project"
    )
