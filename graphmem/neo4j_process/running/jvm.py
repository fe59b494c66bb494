"""Start the JVM and wait until the server in it answers."""

from __future__ import annotations

import os
import re
import subprocess
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import configuration
from graphmem.neo4j_process.home.debug_log import tail
from graphmem.neo4j_process.home.state import State
from graphmem.neo4j_process.machine import processes
from graphmem.neo4j_process.machine.files import replace_file
from graphmem.neo4j_process.running.readiness import PortTaken, answering_version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.home.state import Ports
    from graphmem.neo4j_process.machine.processes import Identity
    from graphmem.neo4j_process.running.launch import Launch

POLL_SECONDS = 0.1
# What Neo4j and the JVM print when another process got a port first.
PORT_TAKEN = re.compile(r"address already in use|is already in use, cannot bind", re.IGNORECASE)
NOISE = re.compile(
    r"^\s*$|^WARNING:|^\s+at |^\s+\.\.\. \d+ more|\bINFO\b|^\[[\d.]+s\]\[\w+ *\]\[(aot|cds)\b"
)
CRASH = "A fatal error has been detected by the Java Runtime Environment"
LAST_WORDS = 5
LAST_LINES = 20
CONSOLE_BYTES = 256 * 1024
# Every password that is refused takes a line, for as long as the server runs.
LARGEST_CONSOLE = 16 * 1024 * 1024
# All the JVM inherits: options for other Javas and the caller's secrets are none of its business.
INHERITED_VARIABLES = ("PATH", "HOME", "USER", "TMPDIR", "LD_LIBRARY_PATH", "TZ")
# Without a UTF-8 locale a JVM cannot open a home whose path is not ASCII.
LOCALE = {"LC_ALL": "C.UTF-8"}


class Killed(StartFailed):
    """Somebody ended the JVM before it could say anything; it is worth another try."""


class Crashed(StartFailed):
    """The JVM itself failed; without its AOT cache it is worth another try."""


def start(launch: Launch, ports: Ports, certificate: str, *, options: Sequence[str]) -> State:
    """Configure the server and start its JVM as a child of this process, its keeper.

    Args:
        launch: What to start.
        ports: Where it shall listen.
        certificate: The one by which it will be known, as PEM.
        options: Further options of the JVM.

    Raises:
        StartFailed: when the program cannot be run.
    """
    home, keeper = launch.home, processes.this_process()
    replace_file(home.configuration, configuration.configuration(launch, ports))
    if home.console_log.exists():
        home.console_log.replace(home.console_log.with_suffix(".previous.log"))
    # Appended to, so that it can be emptied while the JVM writes.
    with home.console_log.open("ab") as log:
        try:
            child = subprocess.Popen(  # noqa: S603 - the Java that was found, our arguments
                configuration.command(launch, options),
                cwd=home.root,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        except OSError as error:
            raise StartFailed(f"{launch.java.executable} cannot be run: {error}") from None
    server = processes.identify(child.pid)
    if server is None:
        raise StartFailed(f"Neo4j ended at once; its log is {home.console_log}")
    java, started_at = str(launch.java.executable), datetime.now(UTC)
    return State(keeper, server, ports, java, started_at, certificate)


def environment() -> dict[str, str]:
    """The variables that a JVM inherits."""
    inherited = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    return inherited | LOCALE


def is_running(server: Identity) -> bool:
    """Tell whether a process that a state file names runs and is the JVM of a server."""
    return processes.is_running(server, configuration.MAIN_CLASS)


def find(home: Home) -> Identity | None:
    """Find the JVM that runs on a home, by its arguments, when no state file names it."""
    return processes.find_by_arguments(*configuration.identifying_arguments(home))


def await_answer(
    home: Home, state: State, *, seconds: float, is_cancelled: Callable[[], bool]
) -> str:
    """Wait until the server answers on both ports, and give its version.

    Args:
        home: Its home, for the log.
        state: The server, which was started.
        seconds: The most to wait.
        is_cancelled: Asked all the time; when it says yes the wait is over.

    Raises:
        PortTaken: when the JVM ended because a port was taken, or another server answers there.
        Killed: when it ended without a reason of its own.
        StartFailed: when it ended otherwise, took too long, or was stopped.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_cancelled():
            raise StartFailed("the private Neo4j was stopped while it started")
        if not processes.is_alive(state.server):
            raise _failure_of(home)
        version = answering_version(state.ports, state.certificate)
        if version is not None:
            return version
        time.sleep(POLL_SECONDS)
    raise StartFailed(
        f"Neo4j did not answer within {seconds:g} s (GRAPHMEM_START_SECONDS); "
        f"its log is {home.console_log}"
    )


def limit_console(home: Home) -> None:
    """Empty the log of what the JVM prints when it is large; Neo4j bounds all other logs itself."""
    with suppress(OSError):
        if home.console_log.stat().st_size > LARGEST_CONSOLE:
            os.truncate(home.console_log, 0)


def has_crashed(home: Home) -> bool:
    """Tell whether the JVM that ran last ended by an error of its own."""
    return CRASH in _console(home)


def last_words(home: Home) -> str:
    """What the last lines that the server printed say, on one line; empty for mere notices."""
    return _words("\n".join(_console(home).splitlines()[-LAST_LINES:]))


def _console(home: Home) -> str:
    """The end of what the JVM printed."""
    return tail(home.console_log, CONSOLE_BYTES)


def _words(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if not NOISE.search(line)]
    return " | ".join(lines[-LAST_WORDS:])


def _failure_of(home: Home) -> StartFailed:
    text = _console(home)
    words = _words(text)
    if not words:
        return Killed(f"Neo4j was killed while it started; its log is {home.console_log}")
    if has_crashed(home):
        return Crashed(f"the JVM crashed while Neo4j started; its log is {home.console_log}")
    kind = PortTaken if PORT_TAKEN.search(text) else StartFailed
    return kind(f"Neo4j ended while it started: {words}; its log is {home.console_log}")
