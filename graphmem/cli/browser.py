"""`graphmem db browser|password`: the way into Neo4j Browser, where people see the graph."""

import socket
import sys
import threading
import time
from typing import Annotated
from urllib.parse import urlsplit

from cyclopts import Parameter

from graphmem import neo4j_process
from graphmem.cli import clipboard, output, screen, session
from graphmem.cli.progress import ProgressDisplay
from graphmem.errors import ConfigurationError, GraphmemError
from graphmem.memory.store.connecting import connect, start_private
from graphmem.neo4j_process import ServerStatus, browsing
from graphmem.neo4j_process.home import browser_style
from graphmem.progress import SILENT
from graphmem.read import commonest
from graphmem.settings import Settings

SECONDS_BETWEEN_LOOKS = 2.0
# A start after a new password, for one, lets go of one lock before it takes the next.
LOOKS_UNTIL_GONE = 2
AURA = ".databases.neo4j.io"
AURA_CONSOLE = "https://console.neo4j.io"
HTTP_PORT = 7474
HTTPS_PORT = 7473

Copy = Annotated[bool, Parameter(help="Put the password on the clipboard.")]


def browser(
    *,
    no_open: Annotated[bool, Parameter(help="Print the address, and open nothing.")] = False,
    copy: Copy = False,
) -> int:
    """Open Neo4j Browser, and keep the private Neo4j running until Ctrl-C.

    The page has the server and the user filled in; paste the password there. With
    --copy it is on the clipboard, otherwise `graphmem db password` shows it. With
    NEO4J_URI, this says where that server's Browser usually is, and does nothing.
    """
    config = session.configure()
    if config.neo4j_uri is not None:
        _show_other(config, config.neo4j_uri)
        return 0
    with ProgressDisplay() as progress:
        start_private(config, progress=progress)
    status = neo4j_process.status(config)
    out = output.TextOutput()
    _show_login(status, out)
    out.write(f"2. Paste the password{_place_of_password(config, copy=copy)}.")
    out.write(
        "3. When you are done, enter `:server disconnect` there. Until then your web browser keeps "
        "the password, even if you close the page."
    )
    out.write(
        "No warning of a certificate appears: the page is served unencrypted, but by this machine "
        "to itself alone (127.0.0.1)."
    )
    _colour(config, out)
    if not no_open:
        _open(status, out)
    try:
        out.write("The private Neo4j keeps running until you press Ctrl-C here.")
        sys.stdout.flush()
        _keep_up(config, status.browser, out)
    except KeyboardInterrupt:
        out.write()
        out.write(
            f"The private Neo4j stops after {config.idle_minutes:g} minutes without use. Close the "
            "page when you are done."
        )
    return 0


def password(*, copy: Copy = False) -> int:
    """Show the password of the private Neo4j, on a terminal only.

    Neo4j Browser asks for it; the user is neo4j. Agents and commands need it
    nowhere. With --copy it goes to the clipboard instead of the terminal.
    """
    config = session.configure()
    if config.neo4j_uri is not None:
        raise ConfigurationError(
            "NEO4J_URI is set, so the password is the one that you gave in NEO4J_PASSWORD, for the "
            f"user {config.neo4j_username}; to see that of the private Neo4j, unset NEO4J_URI"
        )
    secret = browsing.read_password(config)
    if copy:
        clipboard.copy(secret)
        output.verbatim("The password is on the clipboard. The user is neo4j.")
        return 0
    if not sys.stdout.isatty():
        raise ConfigurationError(
            "the password is shown on a terminal only, and this is not one; run `graphmem db "
            "password` in a terminal without a pipe, or `graphmem db password --copy`"
        )
    output.verbatim(secret)
    return 0


def _show_login(status: ServerStatus, out: output.TextOutput) -> None:
    out.write("1. Open this address; the server and the user neo4j are filled in:")
    output.verbatim(f"   {browsing.login_address(status)}")


def _colour(config: Settings, out: output.TextOutput) -> None:
    """Have Browser draw each kind of the store in a colour of its own."""
    try:
        with connect(config, read_only=True, progress=SILENT) as graph:
            kinds, types = commonest(graph, most=browser_style.MOST_COLOURED_KINDS)
        is_drawn = browsing.restyle(config, kinds, types)
    except (GraphmemError, OSError) as error:
        output.complain(f"the colours of the kinds stay as they were: {error}")
        return
    if not is_drawn:
        out.write(
            "Kinds or types of relations are new since the private Neo4j started. They get their "
            "colours and notes at its next start; to have them now, run `graphmem db stop`, and "
            "then this command again."
        )


def _place_of_password(config: Settings, *, copy: bool) -> str:
    if copy:
        try:
            clipboard.copy(browsing.read_password(config))
        except clipboard.NoClipboard as error:
            output.complain(str(error))
        else:
            return " from the clipboard"
    return " that `graphmem db password` shows in another terminal"


def _open(status: ServerStatus, out: output.TextOutput) -> None:
    """Open the address in a web browser that has a window, or say how to reach it from afar."""
    address = browsing.login_address(status)
    if address is None:
        return
    if not screen.has_screen():
        _show_forwarding(status)
        return
    program = screen.browser()
    if program is None:
        return
    out.write("Opening your web browser.")
    # Some programs return only when their window is closed.
    threading.Thread(target=program.open, args=[address], daemon=True).start()


def _show_forwarding(status: ServerStatus) -> None:
    ports = [urlsplit(address or "").port for address in (status.browser, status.uri)]
    options = " ".join(f"-L {port}:127.0.0.1:{port}" for port in ports)
    output.verbatim("No display found. To open the address on another machine, first run there:")
    output.verbatim(f"   ssh {options} {socket.gethostname()}")


def _keep_up(config: Settings, address: str | None, out: output.TextOutput) -> None:
    """Say that the server is in use until it is gone for good."""
    absences = 0
    while absences < LOOKS_UNTIL_GONE:
        neo4j_process.touch(config)
        time.sleep(SECONDS_BETWEEN_LOOKS)
        status = neo4j_process.status(config)
        absences = 0 if status.running or browsing.will_return(config) else absences + 1
        if status.running and status.browser != address:
            address = status.browser
            _show_login(status, out)
            sys.stdout.flush()
    out.write("The private Neo4j was stopped; `graphmem db browser` starts it again.")


def _show_other(config: Settings, uri: str) -> None:
    """Say where Browser usually is for a server that graphmem did not start."""
    out = output.TextOutput()
    host = _host(uri)
    out.write("NEO4J_URI is set; graphmem neither starts nor changes that server.")
    if host.endswith(AURA):
        out.write(f"Its graph is shown in the console of Aura: {AURA_CONSOLE}")
    else:
        place = f"[{host}]" if ":" in host else host
        # Who encrypts connections to the database serves its page encrypted, too.
        is_encrypted = urlsplit(uri).scheme.endswith(("+s", "+ssc"))
        address = f"https://{place}:{HTTPS_PORT}" if is_encrypted else f"http://{place}:{HTTP_PORT}"
        out.write(f"Its Neo4j Browser is usually at {address}")
    out.write(
        f"The user is {config.neo4j_username}, the password the one that you gave in "
        f"NEO4J_PASSWORD, the database {config.neo4j_database}."
    )


def _host(uri: str) -> str:
    try:
        host = urlsplit(uri).hostname
    except ValueError:
        host = None
    if not host:
        raise ConfigurationError(
            "NEO4J_URI names no host; it must be an address such as neo4j://db.example.org:7687"
        )
    return host
