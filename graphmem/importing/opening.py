"""The one door to files: it leads to plain files and folders below a root, and nowhere else."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from graphmem.importing.refusing import Refused

NO_PLAIN_FILE = "it is not a regular file"

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
# A pipe that nobody writes into would be waited for without O_NONBLOCK.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


@dataclass(frozen=True, slots=True)
class File:
    """A file below what is imported.

    Args:
        root: The folder that is imported, without links in its path.
        parts: The folders and the name that lead from the root to the file, without links.
        shown_path: The same as it is seen in the folder, where a link may lead to the file.
    """

    root: Path
    parts: tuple[str, ...]
    shown_path: tuple[str, ...]

    @classmethod
    def alone(cls, path: Path) -> "File":
        """A file that somebody named, perhaps by a link: nothing beside it is read."""
        full_path = Path(os.path.realpath(path))
        return cls(full_path.parent, (full_path.name,), (path.name,))

    @property
    def path(self) -> PurePosixPath:
        """Its path as seen from the root; gives its name, stem and ending, too."""
        return PurePosixPath(*self.shown_path)

    @property
    def place(self) -> str:
        """Its path as seen from the root, as reports and sources say it."""
        return place(self.shown_path)

    def place_of(self, line: int) -> str:
        """The place of a line, which counts from 1; 0 is the whole file."""
        return f"{self.place}:{line}" if line else self.place


def place(parts: Sequence[str]) -> str:
    r"""A path as reports and sources say it.

    Bytes that are no UTF-8 and characters that would break a line are written out: `\xff`, `\n`.
    """
    path = "/".join(parts)
    if path.isprintable():
        return path
    printable = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(
        mark.encode("unicode_escape").decode() if mark < " " or "\x7f" <= mark < "\xa0" else mark
        for mark in printable
    )


def root_of(path: Path) -> Path:
    """The folder that a path means, without links: itself, or the one around a file."""
    full_path = Path(os.path.realpath(path))
    return full_path if full_path.is_dir() else full_path.parent


@contextmanager
def opened_folder(root: Path, parts: Sequence[str]) -> Iterator[int]:
    """Open a folder below a root, following no link.

    Raises:
        OSError: It cannot be opened, or a link stands on the way.
    """
    handle = os.open(root, _FOLDER)
    try:
        for part in parts:
            child = os.open(part, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = child
        yield handle
    finally:
        os.close(handle)


@contextmanager
def opened_file(file: File) -> Iterator[int]:
    """Open a plain file, following no link; a device or pipe is not even opened.

    Raises:
        OSError: It cannot be opened, or a link stands on the way.
        Refused: It is no plain file.
    """
    *folders, name = file.parts
    with opened_folder(file.root, folders) as folder:
        _check(os.stat(name, dir_fd=folder, follow_symlinks=False))
        handle = os.open(name, _FILE, dir_fd=folder)
    try:
        _check(os.fstat(handle))
        yield handle
    finally:
        os.close(handle)


def _check(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Refused(f"cannot be read: {NO_PLAIN_FILE}")
