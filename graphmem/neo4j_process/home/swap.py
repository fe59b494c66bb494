"""Exchange the data of a stopped server for others, so that a kill leaves the old ones or the new.

The old data stand in `data.before-restore` from the moment they are put aside until they are
discarded. A kill between the two renames leaves no data in their place; `recover`, which runs
before every start, then puts the old ones back.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from graphmem.neo4j_process.home.paths import Home


def recover(home: Home) -> None:
    """Put the old data back where a kill left none; the caller is the sole starter."""
    if home.old_data.is_dir() and not (home.data / "databases").is_dir():
        undo(home)


def exchange(home: Home, fresh: Path) -> None:
    """Put the data aside and others in their place; the server is stopped.

    Args:
        home: The home.
        fresh: A folder of data on the same disk; it moves.

    Raises:
        OSError: when a folder cannot be renamed; the old data are in their place then.
    """
    discard(home)
    home.data.rename(home.old_data)
    try:
        fresh.rename(home.data)
    except OSError:
        undo(home)
        raise
    sync(home.root)


def discard(home: Home) -> None:
    """Delete the old data, once the new ones were seen to open."""
    shutil.rmtree(home.old_data, ignore_errors=True)


def sync(folder: Path) -> None:
    """Have the disk keep what was renamed in a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def undo(home: Home) -> None:
    """Put the old data back in place of those that took it, if any did; the server is stopped."""
    rejected = home.data.with_name("data.rejected")
    shutil.rmtree(rejected, ignore_errors=True)
    if home.data.exists():
        home.data.rename(rejected)
    home.old_data.rename(home.data)
    sync(home.root)
    shutil.rmtree(rejected, ignore_errors=True)
