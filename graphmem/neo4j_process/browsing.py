"""What a person needs who looks at the private server's store in Neo4j Browser.

Browser is a page that the server itself serves, so it counts as no use of the server: somebody
else says that the server is in use, and looks whether it is gone for good or comes back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from graphmem.errors import StartFailed
from graphmem.neo4j_process import password
from graphmem.neo4j_process.holder import is_held
from graphmem.neo4j_process.server import home_of

if TYPE_CHECKING:
    from graphmem.neo4j_process.answers import ServerStatus
    from graphmem.settings import Settings

USERNAME = password.USERNAME


def login_address(status: ServerStatus) -> str | None:
    """Give the address of Browser's login, server and user filled in; None when nothing runs.

    Nothing in it is secret.
    """
    if status.browser is None or status.uri is None:
        return None
    server = status.uri.replace("://", f"://{USERNAME}@", 1)
    return f"{status.browser}?{urlencode({'connectURL': server})}"


def read_password(settings: Settings) -> str:
    """Read the password of the private server, which need not run.

    Raises:
        StartFailed: when there is none yet, or it is lost, or others can read it.
    """
    home = home_of(settings)
    if not home.password.exists() and not home.system_database.exists():
        raise StartFailed(
            f"the private Neo4j of {home.root} has no password yet, as it never ran; "
            "`graphmem db start` makes one"
        )
    return password.read(home)


def will_return(settings: Settings) -> bool:
    """Tell whether a server that does not run is being started, stopped, backed up or restored."""
    home = home_of(settings)
    locks = (home.keeper_lock, home.start_lock, home.backup_lock)
    return any(lock.exists() and is_held(lock) for lock in locks)
