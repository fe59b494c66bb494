"""A folder that is written under a hidden name first, and what killed processes left of such."""

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# What the folder is called inside of the hidden one until it gets its name.
CONTENT = "notes"
NAME_CHARACTERS = 50
_DIGITS = 32


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """A folder to write in, which the caller gives its name; whatever is left of it is removed.

    So is what processes that were killed left beside the same target. A process holds a lock on its
    own from before there is anything in it, so that nobody else removes that.
    """
    beginning = f".{target.name[:NAME_CHARACTERS]}."
    for left in target.parent.iterdir():
        if re.fullmatch(rf"{re.escape(beginning)}[0-9a-f]{{{_DIGITS}}}", left.name):
            _remove_unless_used(left)
    own = target.parent / f"{beginning}{secrets.token_hex(_DIGITS // 2)}"
    own.mkdir(mode=0o700)
    handle = os.open(own, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # where folders cannot be locked, nobody removes any
            fcntl.flock(handle, fcntl.LOCK_EX)
        draft = own / CONTENT
        draft.mkdir()
        yield draft
    finally:
        shutil.rmtree(own, ignore_errors=True)
        os.close(handle)


def _remove_unless_used(left: Path) -> None:
    with suppress(OSError):
        handle = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if os.fstat(handle).st_uid == os.geteuid() and [*left.iterdir()] == [left / CONTENT]:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
        finally:
            os.close(handle)
