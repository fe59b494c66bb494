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

    Raises:
        InvalidInput: The path is a folder, or its folder is not there.
    """
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InvalidInput("--output", str(path), "must be a file in an existing folder")
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.absolute().parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
