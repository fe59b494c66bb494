"""Repositories as GitPython reads them, whose files are plain ones of a usual size.

A folder from elsewhere may bring a `.git` of any kind. A pipe in it would be waited for, and a
device such as `/dev/zero` read without end.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.errors import ConfigurationError

if TYPE_CHECKING:
    from git import Repo

MOST_BYTES = 1024 * 1024
# An index has about a hundred bytes for each file.
INDEX_BYTES = 128 * 1024 * 1024
PATH_BYTES = 4096

_INCLUDED = re.compile(rb'\bpath[ \t]*=[ \t]*"?([^"\r\n]+)')
_ELSEWHERE = "gitdir:"
# Of an entry in an index: what stands before its flags, and the flag that says there are more.
_BEFORE_FLAGS = 60
_EXTENDED = 0x4000


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


def tracked_paths(repository: Path) -> list[bytes]:
    """The paths of the files that git tracks, as seen from the repository, in order.

    None are known where there is no repository, or its index cannot be read or has over 128 MiB.

    Args:
        repository: The folder that has a `.git`.
    """
    with suppress(ConfigurationError, OSError):
        file = _git_folder(repository) / "index"
        if _is_there(file) and file.stat().st_size <= INDEX_BYTES:
            return sorted(_paths_in_index(file.read_bytes()))
    return []


def _paths_in_index(content: bytes) -> Iterator[bytes]:
    """The paths in an index, as git's `gitformat-index` describes it, up to what is none."""
    version, count = int.from_bytes(content[4:8]), int.from_bytes(content[8:12])
    if content[:4] != b"DIRC" or version not in {2, 3, 4}:
        return
    place, path = 12, b""
    for _ in range(count):
        flags = int.from_bytes(content[place + _BEFORE_FLAGS : place + _BEFORE_FLAGS + 2])
        start = place + _BEFORE_FLAGS + (4 if flags & _EXTENDED else 2)
        kept = b""
        if version == 4:  # noqa: PLR2004 - where a path says how much of the last one it repeats
            removed, start = _number(content, start)
            kept = path[: max(0, len(path) - removed)]
        end = content.find(b"\0", start, start + PATH_BYTES)
        path = kept + content[start:end]
        if end < 0 or len(path) > PATH_BYTES:
            return
        yield path
        # The older versions fill an entry up to a multiple of eight bytes.
        place = end + 1 if version == 4 else place + (end - place + 8) // 8 * 8  # noqa: PLR2004


def _number(content: bytes, place: int) -> tuple[int, int]:
    """A number of seven bits a byte, as packs of git have it, and the place behind it."""
    number = 0
    for byte in content[place : place + 5]:
        place += 1
        number = (number << 7) + (byte & 0x7F)
        if byte < 0x80:  # noqa: PLR2004 - the highest bit says that more follows
            break
        number += 1
    return number, place


def check_git_files(folder: Path) -> None:
    """Refuse a folder if what says which repository it is in cannot be read in a moment.

    Args:
        folder: An absolute path.

    Raises:
        ConfigurationError: Such a file is a pipe or a device, or has more than 1 MiB.
    """
    for place in (folder, *folder.parents):
        _check_folder(place, is_around=True)
        git_folder = _git_folder(place)
        if git_folder.is_dir():
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
