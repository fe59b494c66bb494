"""What a person needs who looks at the private server's store in Neo4j Browser.

Browser is a page that the server itself serves, so it counts as no use of the server: somebody
else says that the server is in use, and looks whether it is gone for good or comes back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import browser_style, password
from graphmem.neo4j_process.home.holder import home_of
from graphmem.neo4j_process.machine.locks import is_held

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def restyle(settings: Settings, kinds: Sequence[str], types: Sequence[str]) -> bool:
    """Give every kind of a store a colour in Browser, from the next start of the server on.

    Args:
        settings: Of the private server.
        kinds: The kinds of its store, commonest first.
        types: Likewise its types of relations.

    Returns:
        Whether the server that runs was started with these colours already.

    Raises:
        OSError: The home is gone or full.
    """
    home = home_of(settings)
    old_style = browser_style.read(home)
    style = old_style.for_store(kinds, types) if kinds else old_style
    if style != old_style:
        browser_style.write(home, style)
    return browser_style.is_configured(home)


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
    return any(map(is_held, (home.keeper_lock, home.start_lock, home.backup_lock)))
