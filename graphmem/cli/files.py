"""Files that a command writes: whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from graphmem.errors import InvalidInput


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Write a file of the same folder, then give it its name: nobody ever sees half of it.

    A symbolic link stays, and the file it leads to is replaced.

    Raises:
        InvalidInput: The path is a folder, a device or a pipe, or its folder is not there.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir() or not target.parent.is_dir():
        raise InvalidInput("--output", str(path), "must be a file in an existing folder")
    if target.exists() and not target.is_file():
        raise InvalidInput(
            "--output",
            str(path),
            "must be a file, not a device or a pipe, which cannot be replaced",
        )
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
