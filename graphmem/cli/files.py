"""Files that a command writes: whole or not at all."""

import errno
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TextIO

from graphmem.arguments import refuse_link_of_another_user, refuse_what_cannot_be_replaced
from graphmem.errors import InvalidInput

# What a write answers that names no file.
DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def target_of(path: Path) -> Path:
    """The file that a path leads to, which need not exist yet.

    Raises:
        InvalidInput: The path is a folder, a device or a pipe, its folder is not there, another
            user's link leads to it, or this user may not replace it.
    """
    refuse_link_of_another_user("--output", path)
    # Of `/dev/stdout`, what it leads to has no path.
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InvalidInput(
            "--output",
            str(path),
            "must be a file, not a device or a pipe, which cannot be replaced",
            hint="Without --output, `graphmem export` writes to standard output.",
        )
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InvalidInput("--output", str(path), "must be a file, not a folder")
    if not target.parent.is_dir():
        raise InvalidInput("--output", str(path), "must be a file in an existing folder")
    refuse_what_cannot_be_replaced("--output", path)
    return target


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Write a file of the same folder, then give it its name: nobody ever sees half of it.

    A symbolic link stays, and the file it leads to is replaced. Also where the process is told to
    end, or its terminal is closed, nothing half written stays.

    Raises:
        InvalidInput: See `target_of`.
        OSError: The file cannot be written, the disk is full or fails; it names the path.
    """
    target = target_of(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    temporary = Path(name)
    try:
        with (
            ending_as_exceptions(),
            os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream,
        ):
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode_for(target))
        temporary.replace(target)
    except BaseException as error:
        with suppress(FileNotFoundError):
            temporary.unlink()
        if isinstance(error, OSError) and _is_of_file(error, name):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


@contextmanager
def ending_as_exceptions() -> Iterator[None]:
    """Let signals that would end the process at once raise `SystemExit` in the block."""
    numbers = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        # Another handler stays, and so does `nohup`.
        if threading.current_thread() is threading.main_thread()
        and signal.getsignal(number) is signal.SIG_DFL
    ]
    for number in numbers:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)


def _is_of_file(error: OSError, temporary: str) -> bool:
    """Whether an error is about the file that is written, under the name that it has meanwhile."""
    return error.filename == temporary or (error.filename is None and error.errno in DISK_ERRORS)


def _mode_for(target: Path) -> int:
    """That of the file which is replaced, unless another user chose it."""
    is_own = target.exists() and target.stat().st_uid == os.geteuid()
    return target.stat().st_mode & 0o777 if is_own else 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
