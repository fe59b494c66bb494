"""A folder that is written under a hidden name first, and what killed processes left of such."""

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

# What is in the hidden folder: the folder until it gets its name, and what its writer has locked.
CONTENT, LOCK = "notes", "lock"
NAME_CHARACTERS = 50
_DIGITS = 32


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """A folder to write in, which the caller gives its name; whatever is left of it is removed.

    So is what processes that were killed left beside the same target. A process holds a lock from
    before there is anything else in its own, so that nobody else removes that.
    """
    beginning = f".{target.name[:NAME_CHARACTERS]}."
    for leftover in target.parent.iterdir():
        if re.fullmatch(rf"{re.escape(beginning)}[0-9a-f]{{{_DIGITS}}}", leftover.name):
            _remove_unless_used(leftover)
    own = target.parent / f"{beginning}{secrets.token_hex(_DIGITS // 2)}"
    own.mkdir(mode=0o700)
    lock = FileLock(own / LOCK)
    try:
        with suppress(OSError, NotImplementedError):  # where there are no locks, nobody removes any
            lock.acquire()
        draft = own / CONTENT
        draft.mkdir()
        yield draft
    finally:
        shutil.rmtree(own, ignore_errors=True)
        lock.release()


def _remove_unless_used(leftover: Path) -> None:
    with suppress(OSError, NotImplementedError, Timeout):
        is_own = not leftover.is_symlink() and leftover.stat().st_uid == os.geteuid()
        if is_own and {path.name for path in leftover.iterdir()} == {CONTENT, LOCK}:
            with FileLock(leftover / LOCK, timeout=0):
                shutil.rmtree(leftover, ignore_errors=True)
