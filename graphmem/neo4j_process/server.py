"""The private server as its callers see it: make it run, look at it, stop it."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from graphmem.errors import StartFailed
from graphmem.neo4j_process import activity, jvm, password, processes
from graphmem.neo4j_process import state as states
from graphmem.neo4j_process.configuration import HOST
from graphmem.neo4j_process.holder import OWNER_ALONE, has_keeper, other_host, refuse_other_host
from graphmem.neo4j_process.home import Home
from graphmem.neo4j_process.jars import fetch_jars
from graphmem.neo4j_process.java import find_java
from graphmem.neo4j_process.launch import Launch, last_words, start_keeper
from graphmem.progress import SILENT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from graphmem.neo4j_process.processes import Identity
    from graphmem.neo4j_process.state import State
    from graphmem.progress import Progress
    from graphmem.settings import Settings

POLL_SECONDS = 0.05
# What a keeper may need beyond the time a start may take: its own start, and ending a JVM.
GRACE_SECONDS = 60.0
TRIES = 3


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach the server.

    Args:
        uri: Its address, `bolt://127.0.0.1:PORT`.
        username: The user.
        password: Their password; never shown.
        certificate: The one that the server proves to own, as PEM; trust no other.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    certificate: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What is known of the private server without starting it.

    Args:
        running: Whether it runs and has answered.
        pid: Pid of the JVM; None when it does not run, like all that follow up to `home`.
        uri: Its Bolt address.
        browser: The address of Neo4j Browser.
        version: Its version, as it says itself.
        java: Path of the `java` it runs on.
        started_at: When it was started, with time zone.
        home: The folder of its data, logs and secrets.
        store_bytes: Size of the data in that folder.
        idle_minutes: Minutes since it was last used; 0 when it does not run.
        stops_after_minutes: Minutes without use after which it stops.
        other_host: The name of the other machine that runs it; None when none does.
    """

    running: bool
    pid: int | None
    uri: str | None
    browser: str | None
    version: str | None
    java: str | None
    started_at: datetime | None
    home: Path
    store_bytes: int
    idle_minutes: float
    stops_after_minutes: float
    other_host: str | None = None


def ensure_running(settings: Settings, *, progress: Progress = SILENT) -> Connection:
    """Make the private server run, whoever comes first, and say how to reach it.

    Takes a few milliseconds when it runs, about ten seconds when it is to be started, and some
    minutes when its jars are to be downloaded. Counts as a use of the server.

    Args:
        settings: Where it lives, what it may take, how long it may idle. The settings of whoever
            starts it hold until it stops.
        progress: Told what takes long.

    Raises:
        JavaNotFound: no Java 21 or newer.
        JarsUnavailable: its jars cannot be fetched or are not the pinned ones.
        StartFailed: it did not come up; with its last words and its log.
    """
    home = _home(settings)
    began = time.time()
    activity.record(home)
    running = states.read(home)
    if running is None or not running.is_ready:
        running = _start(settings, home, began, progress)
    certificate = running.certificate or ""
    return Connection(_bolt(running), password.USERNAME, password.read(home), certificate)


def is_served(settings: Settings, *, uri: str, certificate: str | None) -> bool:
    """Tell whether the private server still runs at an address, with that certificate.

    Looks at one file and one process, and connects to nobody: another process may listen there.
    """
    state = states.read(_home(settings))
    return (
        state is not None
        and state.answers
        and (_bolt(state), state.certificate) == (uri, certificate)
    )


def status(settings: Settings) -> ServerStatus:
    """Look at the private server; never starts it, and is no use of it."""
    home = _home(settings)
    state = states.read(home)
    if state is not None and not state.answers:
        state = None
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
    )


def touch(settings: Settings) -> None:
    """Note that the private server is used now, which puts off its stop; never starts it."""
    activity.record(_home(settings))


def stop(settings: Settings, *, progress: Progress = SILENT) -> bool:
    """Stop the private server cleanly and wait until it is down, usually two seconds.

    Returns:
        Whether it ran, or was about to.

    Raises:
        StartFailed: when another process holds on to the server and does not let go.
    """
    home = _home(settings)
    if not home.root.is_dir():
        return False
    refuse_other_host(home)
    with _sole_starter(home, GRACE_SECONDS + settings.start_seconds, progress):
        return _stop_keeper(home, progress) | _stop_orphan(home, progress)


def _start(settings: Settings, home: Home, began: float, progress: Progress) -> State:
    launch = Launch(
        home=home,
        java=find_java(settings),
        jars=fetch_jars(settings, progress=progress),
        heap=settings.neo4j_heap,
        page_cache=settings.neo4j_page_cache,
        idle_minutes=settings.idle_minutes,
        start_seconds=settings.start_seconds,
    )
    _create(home)
    refuse_other_host(home)
    patience = settings.start_seconds + GRACE_SECONDS
    with _sole_starter(home, patience, progress):
        _raise_failure(home, since=began)
        for _ in range(TRIES):
            _end_unencrypted(home, progress)
            state = _await_keeper(home, patience)
            if state is not None:
                return state
            _raise_failure(home, since=began)
            progress.say("Starting the private Neo4j (about 10 seconds) …")
            start_keeper(launch)
        state = _await_keeper(home, patience)
        _raise_failure(home, since=began)
    if state is None:
        raise StartFailed(f"the keeper of the private Neo4j ended: {last_words(home)}")
    return state


def _await_keeper(home: Home, seconds: float) -> State | None:
    """Wait while a keeper is at work until its server is ready; None when there is no such."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        state = states.read(home)
        if state is not None and state.is_ready:
            return state
        if not has_keeper(home) or (state is not None and state.is_unencrypted):
            return None
        time.sleep(POLL_SECONDS)
    raise StartFailed(
        f"the private Neo4j did not answer within {seconds:g} s; its log is {home.console_log}"
    )


def _end_unencrypted(home: Home, progress: Progress) -> None:
    """Stop a server of an earlier graphmem: passwords are sent to it in clear."""
    state = states.read(home)
    if state is not None and state.is_unencrypted:
        _stop_keeper(home, progress)


def _stop_keeper(home: Home, progress: Progress) -> bool:
    asked: Identity | None = None
    deadline = time.monotonic() + GRACE_SECONDS
    while has_keeper(home):
        if time.monotonic() > deadline:
            raise StartFailed(f"the private Neo4j does not stop; its log is {home.console_log}")
        state = states.read(home)
        # Right after its own start, and after a loss of the file, a keeper has yet to write it.
        if state is not None and asked is None:
            progress.say("Stopping the private Neo4j …")
            asked = state.keeper
            processes.ask_to_end(asked)
        time.sleep(POLL_SECONDS)
    return asked is not None and processes.wait_until_dead(asked, seconds=GRACE_SECONDS)


def _stop_orphan(home: Home, progress: Progress) -> bool:
    """End a JVM of this home whose keeper was killed."""
    server = jvm.find(home)
    if server is not None:
        progress.say("Stopping the private Neo4j …")
        processes.end(server)
    home.state.unlink(missing_ok=True)
    return server is not None


@contextmanager
def _sole_starter(home: Home, seconds: float, progress: Progress) -> Iterator[None]:
    lock = FileLock(home.start_lock, mode=OWNER_ALONE)
    try:
        lock.acquire(timeout=0.2)
    except Timeout:
        progress.say("Another process is starting or stopping the private Neo4j; waiting for it …")
        try:
            lock.acquire(timeout=seconds)
        except Timeout:
            raise StartFailed(f"{home.start_lock} was held for more than {seconds:g} s") from None
    try:
        yield
    finally:
        lock.release()


def _raise_failure(home: Home, *, since: float) -> None:
    """Raise what the keeper wrote down, if that start was still under way when the caller came."""
    try:
        if home.failure.stat().st_mtime < since:
            return
        reason = home.failure.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    raise StartFailed(reason)


def _create(home: Home) -> None:
    try:
        home.create()
    except OSError as error:
        raise StartFailed(f"GRAPHMEM_HOME: {home.root} cannot be used: {error}") from None


def _home(settings: Settings) -> Home:
    return Home(settings.home.expanduser().resolve())


def _bolt(state: State) -> str:
    return f"bolt://{HOST}:{state.ports.bolt}"
