"""Files that are whole or not there, and nobody else's."""

import os
import pwd
import stat
from pathlib import Path


def replace_file(path: Path, content: str | bytes) -> None:
    """Write a file of mode 0600 so that readers see the old content or the new, never half of one.

    Args:
        path: The file.
        content: What it is to hold; a text in UTF-8.

    Raises:
        OSError: when the folder is gone or full.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def version_of(path: Path) -> tuple[int, ...] | None:
    """What changes whenever a file is replaced, even if the clock was set; None without one."""
    try:
        facts = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return facts.st_ino, facts.st_mtime_ns, facts.st_ctime_ns


def other_owner(path: Path, user: int | None = None) -> str | None:
    """The name of the user who owns a file or folder, where that is not the one who asks.

    A number that no user of this machine has, such as that of a folder from outside of a container,
    counts as the asker's own.

    Args:
        path: The file or folder.
        user: The number of the user who asks; None for that of this process.

    Raises:
        OSError: when it is not there, or cannot be looked at.
    """
    owner = path.stat().st_uid
    if owner == (os.geteuid() if user is None else user):
        return None
    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return None


def is_open_to_others(secret: Path) -> bool:
    """Tell whether other users of the machine may read, write or run a file.

    Raises:
        OSError: when it is not there, or cannot be looked at.
    """
    return bool(secret.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def is_writable_by_others(path: Path) -> bool:
    """Tell whether other users of the machine may write to a file or folder.

    Raises:
        OSError: when it is not there, or cannot be looked at.
    """
    return bool(path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH))
