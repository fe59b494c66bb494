"""Locks that processes hold by turns, each a file that its owner alone can open."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from graphmem.errors import PrivateServerError
    from graphmem.progress import Progress

# Whoever can open a file can lock it, and keep its owner waiting.
OWNER_ALONE = 0o600
# A wait that is longer is told.
SHORT_SECONDS = 0.2


def is_held(file: Path) -> bool:
    """Tell whether somebody holds a lock, which need not be there, on whatever machine."""
    if not file.exists():
        return False
    # Imported here and below for weight: who meets a server that runs locks nothing.
    from filelock import FileLock, Timeout  # noqa: PLC0415

    lock = FileLock(file, mode=OWNER_ALONE)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


@contextmanager
def held(
    file: Path, *, seconds: float, progress: Progress, waiting: str, late: PrivateServerError
) -> Iterator[None]:
    """Hold a lock; where another process holds it, wait for that one.

    Args:
        file: The lock, in a folder that is there.
        seconds: The most to wait.
        progress: Told of the wait.
        waiting: The sentence for it.
        late: Raised when the other one holds it longer.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415

    lock = FileLock(file, mode=OWNER_ALONE)
    try:
        lock.acquire(timeout=SHORT_SECONDS)
    except Timeout:
        progress.say(waiting)
        try:
            lock.acquire(timeout=seconds)
        except Timeout:
            raise late from None
    try:
        yield
    finally:
        lock.release()
