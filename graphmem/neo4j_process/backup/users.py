"""A new password for a store whose password was lost.

Neo4j keeps users in a database of its own, `system`, and makes it anew, from the file of its first
user, when it is not there. The knowledge is in the other database, which stays as it is.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.backup.offline import stopped_server
from graphmem.neo4j_process.home import swap
from graphmem.neo4j_process.home.holder import home_of
from graphmem.neo4j_process.running import causes

if TYPE_CHECKING:
    from pathlib import Path

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.progress import Progress
    from graphmem.settings import Settings


def forget_users(settings: Settings, progress: Progress) -> None:
    """Stop the server and put its users aside; the next start makes a user with a new password.

    A kill leaves a home that either is as before or has no password, and may be run again.

    Raises:
        StartFailed: when there is no store, the server does not stop, or the home cannot be
            written.
    """
    home = home_of(settings)
    if not home.system_database.exists():
        raise StartFailed(
            f"{home.root} has no store, and so no password to replace; any command makes both"
        )
    with (
        causes.home_errors(home.root, settings.neo4j_heap),
        stopped_server(settings, home, progress),
    ):
        discard_users(settings)
        # In this order, a kill in between never leaves a user whose password nobody has.
        home.password.unlink(missing_ok=True)
        old_users = _old_users(home)
        old_users.mkdir()
        for kind in ("transactions", "databases"):
            # A kill may have come between the two.
            with suppress(FileNotFoundError):
                (home.data / kind / "system").rename(old_users / kind)
        swap.sync(home.root)


def discard_users(settings: Settings) -> None:
    """Delete the users that were put aside, once the new password was seen to be accepted."""
    shutil.rmtree(_old_users(home_of(settings)), ignore_errors=True)


def _old_users(home: Home) -> Path:
    return home.root / "users.before-reset"
