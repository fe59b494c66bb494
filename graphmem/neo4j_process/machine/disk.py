"""How much room the disk of a folder has."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MEBIBYTE = 1024 * 1024
# Below this a start is not even tried: the server would write its configuration and fail.
LEAST_BYTES = 16 * MEBIBYTE
# Files of the store grow by steps of 32 MiB and more, several of them at a time.
STEP_BYTES = 32 * MEBIBYTE
# What programs print when a disk is full.
NO_ROOM = re.compile(r"no space left|out of disk space|disk quota exceeded", re.IGNORECASE)


def free_bytes(folder: Path) -> int | None:
    """The bytes this user may still write to the disk of a folder, or of the nearest one above.

    None where the disk cannot be asked.
    """
    for candidate in (folder, *folder.parents):
        try:
            facts = os.statvfs(candidate)
        except FileNotFoundError:
            continue
        except OSError:
            return None
        return facts.f_bavail * facts.f_frsize
    return None


def is_full(folder: Path) -> bool:
    """Tell whether there is too little room for a server to start."""
    free = free_bytes(folder)
    return free is not None and free < LEAST_BYTES


def shortage(folder: Path) -> str:
    """Say in one sentence that the disk of a folder is full, how much is left and what to do."""
    free = free_bytes(folder)
    room = "" if free is None else f" ({free / MEBIBYTE:,.0f} MiB are left)"
    return (
        f"the disk of {folder} is full{room}: free at least 100 MiB; nothing that was stored is "
        "lost, and the private Neo4j starts again by itself"
    )
