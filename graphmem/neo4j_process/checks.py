"""What can be said of a home without starting its server."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import password
from graphmem.neo4j_process.home.holder import home_of
from graphmem.neo4j_process.machine import disk
from graphmem.neo4j_process.running import causes
from graphmem.ownership import mode_of

if TYPE_CHECKING:
    from graphmem.settings import Settings


def check_home(settings: Settings) -> str:
    """Check that the home has room, takes files and has its password; say so in half a sentence.

    Raises:
        StartFailed: with the cause and the cure in one sentence.
    """
    home = home_of(settings)
    with causes.home_errors(home.root, settings.neo4j_heap):
        # The home, or the folder in which it would be made.
        place = next(filter(mode_of, (home.root, *home.root.parents)))
        if disk.is_full(place):
            raise StartFailed(disk.shortage(home.root))
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"graphmem")
            file.flush()
            os.fsync(file.fileno())
    if place != home.root:
        return f"{home.root} will be created at the first start"
    if home.system_database.exists() and not home.password.exists():
        raise StartFailed(password.lost_sentence(home))
    free_bytes = disk.free_bytes(home.root)
    room = "" if free_bytes is None else f", {free_bytes / disk.MEBIBYTE:,.0f} MiB are free"
    return f"{home.root} can be written{room}"
