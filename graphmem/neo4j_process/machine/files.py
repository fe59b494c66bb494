"""Files that are whole or not there."""

import os
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
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def version_of(path: Path) -> tuple[int, ...] | None:
    """What changes whenever a file is replaced, even if the clock was set; None without one."""
    try:
        facts = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return facts.st_ino, facts.st_mtime_ns, facts.st_ctime_ns
