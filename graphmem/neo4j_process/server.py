"""The private server as its callers see it: make it run, look at it, stop it."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from graphmem.errors import StartFailed
from graphmem.neo4j_process.answers import Connection, ServerStatus
from graphmem.neo4j_process.home import activity, password
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.configuration import HOST
from graphmem.neo4j_process.home.holder import (
    has_backup,
    has_keeper,
    has_other_version,
    home_of,
    other_host,
    refuse_other_version,
    trusted_state,
)
from graphmem.neo4j_process.machine import disk
from graphmem.neo4j_process.machine.files import version_of
from graphmem.neo4j_process.machine.jars import fetch_jars
from graphmem.neo4j_process.machine.java import find_java
from graphmem.neo4j_process.running import causes, failures, health
from graphmem.neo4j_process.running.launch import Launch, last_words, start_keeper
from graphmem.neo4j_process.running.stopping import (
    GRACE_SECONDS,
    POLL_SECONDS,
    SECONDS_TO_PUBLISH,
    sole_starter,
    stop_server,
)
from graphmem.ownership import real_path
from graphmem.progress import SILENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.home.state import State
    from graphmem.neo4j_process.running.launch import Preparation
    from graphmem.progress import Progress
    from graphmem.settings import Settings

TRIES = 3
# A start that is due so soon is waited for; of a later one the caller is told.
SOON_SECONDS = 8.0
# A keeper looks at its database every five seconds; by then it has noticed.
SECONDS_TO_NOTICE = 20.0


def ensure_running(
    settings: Settings,
    *,
    progress: Progress = SILENT,
    verify: bool = False,
    preparation: Preparation | None = None,
) -> Connection:
    """Make the private server run, whoever comes first, and say how to reach it.

    Takes a few milliseconds when it runs, about ten seconds when it is to be started, and some
    minutes when its jars are to be downloaded. Counts as a use of the server.

    Args:
        settings: Where it lives, what it may take, how long it may idle. The settings of whoever
            starts it hold until it stops.
        progress: Told what takes long.
        verify: Whether a server that runs is asked if its database is online, and a new start
            waited for where it is not: for a caller whose connection or statement failed.
        preparation: What the server is prepared with, if this call starts it.

    Raises:
        JavaNotFound: no Java 21 or newer.
        JarsUnavailable: its jars cannot be fetched or are not the pinned ones.
        StartFailed: it did not come up, or failed and is not yet due to be started again; with
            the cause and the cure where they are known, else its last words and its log.
    """
    home = home_of(settings)
    earlier_failure = version_of(home.failure)
    activity.record(home)
    state = trusted_state(home)
    if verify and state is not None and state.is_ready:
        state = _verify(home, state)
    if state is None or not state.is_ready:
        try:
            state = _start(settings, home, earlier_failure, progress, preparation)
        except OSError as error:
            reason = causes.sentence(error, home.root, settings.neo4j_heap)
            raise StartFailed(reason) from None
    return Connection(_bolt(state), password.USERNAME, password.read(home), state.certificate)


def is_ready(settings: Settings) -> bool:
    """Tell whether the private server runs and is watched, so that nothing need be started."""
    state = states.read(home_of(settings))
    return state is not None and state.is_ready


def is_served(settings: Settings, *, uri: str, certificate: str | None) -> bool:
    """Tell whether the private server still runs at an address, with that certificate.

    Looks at one file and one process, and connects to nobody: another process may listen there.
    """
    state = states.read(home_of(settings))
    return (
        state is not None
        and state.answers
        and (_bolt(state), state.certificate) == (uri, certificate)
    )


def _verify(home: Home, known_state: State) -> State | None:
    """Give the state of a server whose database is not broken; wait until a broken one is ended."""
    if health.examine(home, known_state).status != "broken":
        return known_state
    deadline = time.monotonic() + SECONDS_TO_NOTICE
    while time.monotonic() < deadline:
        state = states.read(home)
        if state is None or not state.is_ready or state.server != known_state.server:
            return state
        time.sleep(POLL_SECONDS)
    return known_state


def status(settings: Settings) -> ServerStatus:
    """Look at the private server; never starts it, and is no use of it."""
    home = home_of(settings)
    state = states.read(home)
    if state is not None and not state.answers:
        state = None
    record = failures.read(home)
    return ServerStatus(
        running=state is not None,
        pid=state.server.pid if state else None,
        uri=_bolt(state) if state else None,
        browser=f"http://{HOST}:{state.ports.http}/browser/" if state else None,
        version=state.version if state else None,
        java=state.java if state else None,
        started_at=state.started_at if state else None,
        home=home.root,
        store_bytes=home.store_bytes(),
        idle_minutes=activity.idle_minutes(home) if state else 0.0,
        stops_after_minutes=settings.idle_minutes,
        other_host=other_host(home),
        other_version=has_other_version(home),
        last_failure=record.last,
        old_data=home.old_data if home.old_data.is_dir() else None,
        retry_at=record.retry_at if record.retry_at and has_keeper(home) else None,
        backup_runs=has_backup(home),
    )


def store_notes(settings: Settings) -> Mapping[str, Any] | None:
    """What the store of the running private server notes of itself; no use of the server.

    Empty where it notes nothing, and None where no server of this machine runs or answers.
    """
    home = home_of(settings)
    state = trusted_state(home)
    if state is None or not state.is_ready:
        return None
    return health.store_notes(home, state)


def touch(settings: Settings) -> None:
    """Note that the private server is used now, which puts off its stop; never starts it."""
    activity.record(home_of(settings))


def stop(settings: Settings, *, progress: Progress = SILENT) -> bool:
    """Stop the private server cleanly and wait until it is down, usually two seconds.

    Returns:
        Whether it ran, or was about to.

    Raises:
        StartFailed: when another process holds on to the server and does not let go, or the home
            cannot be written.
    """
    home = home_of(settings)
    if not home.root.is_dir():
        return False
    patience = GRACE_SECONDS + settings.start_seconds
    with (
        causes.home_errors(home.root, settings.neo4j_heap),
        sole_starter(home, patience, progress),
    ):
        return stop_server(home, progress)


def launch_of(
    settings: Settings,
    progress: Progress = SILENT,
    *,
    preparation: Preparation | None = None,
) -> Launch:
    """Put together what a keeper needs, fetching the jars where they are missing.

    Raises:
        JavaNotFound: no Java 21 or newer.
        JarsUnavailable: the jars cannot be fetched or are not the pinned ones.
    """
    return Launch(
        home=home_of(settings),
        java=find_java(settings),
        jars=fetch_jars(settings, progress=progress),
        cache=real_path(settings.cache),
        heap=settings.neo4j_heap,
        page_cache=settings.neo4j_page_cache,
        idle_minutes=settings.idle_minutes,
        start_seconds=settings.start_seconds,
        preparation=preparation,
    )


def _start(
    settings: Settings,
    home: Home,
    earlier_failure: tuple[int, ...] | None,
    progress: Progress,
    preparation: Preparation | None,
) -> State:
    launch = launch_of(settings, progress, preparation=preparation)
    _create(home, settings.neo4j_heap)
    patience = settings.start_seconds + GRACE_SECONDS
    with sole_starter(home, patience, progress):
        _raise_failure(home, earlier_failure)
        for _ in range(TRIES):
            state = _await_keeper(home, patience)
            if state is not None:
                return state
            _raise_failure(home, earlier_failure)
            _raise_full_disk(home)
            progress.say("Starting the private Neo4j (about 10 seconds) …")
            start_keeper(launch)
        state = _await_keeper(home, patience)
        _raise_failure(home, earlier_failure)
    if state is None:
        raise StartFailed(f"the keeper of the private Neo4j ended: {last_words(home)}")
    return state


def _await_keeper(home: Home, seconds: float) -> State | None:
    """Wait while a keeper is at work until its server is ready; None when there is no such."""
    began = time.monotonic()
    while time.monotonic() < began + seconds:
        state = states.read(home)
        if state is not None and state.is_ready:
            return state
        if not has_keeper(home):
            return None
        if time.monotonic() > began + SECONDS_TO_PUBLISH:
            refuse_other_version(home)
        _raise_later_start(home)
        time.sleep(POLL_SECONDS)
    raise StartFailed(
        f"the private Neo4j did not answer within {seconds:g} s; its log is {home.console_log}"
    )


def _raise_later_start(home: Home) -> None:
    """Raise the cause of the last failure while the keeper waits before it starts anew."""
    _raise_full_disk(home)
    record = failures.read(home)
    if record.last is None or record.retry_at is None:
        return
    seconds = record.retry_at.timestamp() - time.time()
    if seconds > SOON_SECONDS:
        is_full = causes.means_full_disk(record.last.words)
        due = "" if is_full else f" (the next start is due in {seconds:.0f} s)"
        raise StartFailed(f"{record.last.cause}{due}")


def _raise_full_disk(home: Home) -> None:
    if disk.is_full(home.root):
        raise StartFailed(disk.shortage(home.root))


def _raise_failure(home: Home, earlier_failure: tuple[int, ...] | None) -> None:
    """Raise what a keeper wrote down since the caller came."""
    if version_of(home.failure) in {None, earlier_failure}:
        return
    with suppress(FileNotFoundError):  # a keeper that brings the server up deletes it
        raise StartFailed(home.failure.read_text(encoding="utf-8"))


def _create(home: Home, heap: str) -> None:
    try:
        home.create()
    except OSError as error:
        reason = causes.home_sentence(error, home.root, heap)
        raise StartFailed(f"GRAPHMEM_HOME: {reason}") from None


def _bolt(state: State) -> str:
    return f"bolt://{HOST}:{state.ports.bolt}"
