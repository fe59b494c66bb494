"""Stop the server, whoever keeps it, and hold the lock that keeps others from starting it."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.holder import has_keeper, refuse_other_host
from graphmem.neo4j_process.machine import locks, processes
from graphmem.neo4j_process.running import health, jvm
from graphmem.neo4j_process.running.launch import KEEPER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.home.state import State
    from graphmem.neo4j_process.machine.processes import Identity
    from graphmem.progress import Progress

POLL_SECONDS = 0.05
# What a keeper may need beyond the time a start may take: its own start, and ending a JVM.
GRACE_SECONDS = 60.0
SECONDS_TO_PUBLISH = 5.0


def stop_server(home: Home, progress: Progress) -> bool:
    """Stop keeper and JVM and wait until they are gone; the caller is the sole starter.

    Returns:
        Whether there was one.

    Raises:
        StartFailed: when the server does not stop.
    """
    return _stop_keeper(home, progress) | _stop_orphan(home, progress)


def end_jvm(home: Home, state: State) -> None:
    """End the JVM cleanly; one whose database broke off is killed.

    A transaction that was cut short on a full disk stands in the log by half. Once there is room
    again, a clean end would write the rest of it to the wrong place, and the store would never
    open again; after a kill the next start cuts the half off.
    """
    if health.examine(home, state).status == "broken":
        processes.kill(state.server)
    else:
        processes.end(state.server)


def _stop_keeper(home: Home, progress: Progress) -> bool:
    asked_keeper: Identity | None = None
    began = time.monotonic()
    while has_keeper(home):
        if time.monotonic() > began + GRACE_SECONDS:
            raise StartFailed(f"the private Neo4j does not stop; its log is {home.console_log}")
        keeper = _keeper(home, searches=time.monotonic() > began + SECONDS_TO_PUBLISH)
        if keeper is not None and keeper != asked_keeper:
            progress.say("Stopping the private Neo4j …")
            asked_keeper = keeper
            processes.ask_to_end(asked_keeper)
        time.sleep(POLL_SECONDS)
    return asked_keeper is not None and processes.wait_until_dead(
        asked_keeper, seconds=GRACE_SECONDS
    )


def _keeper(home: Home, *, searches: bool) -> Identity | None:
    """Name the keeper at work.

    Right after its own start, and after a loss of the file, it has yet to write it; on a full disk
    it cannot, and one of another version may write it otherwise; `searches` has it looked for among
    the processes of this user. What the file names is no keeper if its command line is not.
    """
    state = states.read(home)
    if state is not None and processes.is_running(state.keeper, KEEPER):
        return state.keeper
    return processes.find_by_arguments(KEEPER, str(home.root)) if searches else None


def _stop_orphan(home: Home, progress: Progress) -> bool:
    """End a JVM of this home whose keeper was killed."""
    server = jvm.find(home)
    if server is not None:
        progress.say("Stopping the private Neo4j …")
        state = states.read(home)
        if state is not None and state.server == server:
            end_jvm(home, state)
        else:
            processes.end(server)
    home.state.unlink(missing_ok=True)
    return server is not None


@contextmanager
def sole_starter(home: Home, seconds: float, progress: Progress) -> Iterator[None]:
    """Be the one process that starts or stops the server of a home; others wait.

    Args:
        home: The home.
        seconds: The most to wait for one that is.
        progress: Told when there is one.

    Raises:
        StartFailed: when that one takes longer, or another machine runs the server.
    """
    refuse_other_host(home)
    late = StartFailed(
        "another process has been starting, stopping or backing up the private Neo4j for more than "
        f"{seconds:g} s (it holds {home.start_lock}); try again later"
    )
    waiting = "Another process starts, stops or backs up the private Neo4j; waiting for it …"
    with locks.held(
        home.start_lock, seconds=seconds, progress=progress, waiting=waiting, late=late
    ):
        yield
