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


class LastUse:
    """When the server was last used, for the process that watches it.

    It goes by the monotonic clock, so it does not matter whether the time of day is set meanwhile.

    Args:
        home: The folder of the server.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._recorded: int | None = None
        self._seen_at = time.monotonic()

    def idle_minutes(self) -> float:
        """Tell for how many minutes no use has been recorded; 0 when that cannot be told.

        Must be called more often than the server may idle, since a use counts from when it is seen.
        """
        try:
            recorded = self._home.activity.stat().st_mtime_ns
        except OSError:
            return 0.0
        if recorded != self._recorded:
            self._recorded, self._seen_at = recorded, time.monotonic()
        return (time.monotonic() - self._seen_at) / SECONDS_PER_MINUTE


def idle_minutes(home: Home) -> float:
    """Tell for how many minutes nobody has used the server; 0 when that cannot be told."""
    try:
        last_use = home.activity.stat().st_mtime
    except OSError:
        return 0.0
    return max(0.0, (time.time() - last_use) / SECONDS_PER_MINUTE)
