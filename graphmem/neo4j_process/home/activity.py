"""When the server was last used: the modification time of one file."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.neo4j_process.home.paths import Home

SECONDS_PER_MINUTE = 60


def record(home: Home) -> None:
    """Note that the server is used now; nothing happens where there is no home to write to."""
    with suppress(OSError):
        home.activity.touch(mode=0o600)


def idle_minutes(home: Home) -> float:
    """Tell for how many minutes nobody has used the server; 0 when that cannot be told."""
    try:
        last_use = home.activity.stat().st_mtime
    except OSError:
        return 0.0
    return max(0.0, (time.time() - last_use) / SECONDS_PER_MINUTE)
