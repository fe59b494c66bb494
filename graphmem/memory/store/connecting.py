"""From settings to a connection: the server at `NEO4J_URI`, else the private one."""

import time
from collections.abc import Callable

from graphmem import neo4j_process
from graphmem.graph import Graph, Target
from graphmem.migrations import VERSION
from graphmem.neo4j_process import Connection, Preparation
from graphmem.progress import Progress
from graphmem.search import first_search, later_searches
from graphmem.settings import Settings

TOUCH_SECONDS = 5.0
# Run by its name, in a process of its own: importing it would be a ring.
EXERCISE = "graphmem.memory.store.exercise"


class _Touch:
    """Tells the private server that it is in use, at most every five seconds."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._last = 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self._last > TOUCH_SECONDS:
            self._last = now
            neo4j_process.touch(self._settings)


def is_up(settings: Settings) -> bool:
    """Whether nothing need be started before a connection: another server, or ours is running."""
    return settings.neo4j_uri is not None or neo4j_process.is_ready(settings)


def start_private(
    settings: Settings,
    *,
    progress: Progress,
    verify: bool = False,
    prepared: bool = True,
) -> Connection:
    """Make the private server run; by default one that is started now plans a search at once.

    Raises:
        PrivateServerError: It does not start.
    """
    return neo4j_process.ensure_running(
        settings,
        progress=progress,
        verify=verify,
        preparation=preparation() if prepared else None,
    )


def plan_waiter(settings: Settings, progress: Progress) -> Callable[[], None]:
    """Give a call that waits, once, until the server that was just started has planned a search."""
    if settings.neo4j_uri is not None:
        return lambda: None
    waited = False

    def wait() -> None:
        nonlocal waited
        if not waited:
            waited = True
            neo4j_process.await_plan(settings, seconds=settings.query_seconds, progress=progress)

    return wait


def preparation() -> Preparation:
    """Give what the private server is prepared with: an exercise, the first search, and others."""
    statement, parameter = first_search()
    later = tuple((name, {"search": other}) for name, other in later_searches())
    return Preparation(EXERCISE, statement, {"search": parameter}, later)


def connect(
    settings: Settings, *, read_only: bool, progress: Progress, prepared: bool = False
) -> Graph:
    """Connect to the database the settings name.

    Args:
        settings: Name it.
        read_only: Whether writes are refused.
        progress: Receives the progress of the private server's start, and of long planning.
        prepared: Whether a private server that this call starts is prepared for searches.

    Raises:
        PrivateServerError: The private Neo4j does not start.
        DatabaseError: The address or the credentials cannot be used.
    """
    if settings.neo4j_uri is not None:
        password = settings.neo4j_password
        target = Target(
            uri=settings.neo4j_uri,
            username=settings.neo4j_username,
            password=None if password is None else password.get_secret_value(),
            database=settings.neo4j_database,
        )
        return Graph(
            lambda: target,
            timeout=settings.query_seconds,
            read_only=read_only,
            newest=VERSION,
            progress=progress,
        )

    connected = False

    def private() -> Target:
        nonlocal connected
        # Whoever asks again lost a connection or was refused: the database may have broken off.
        server = start_private(settings, progress=progress, verify=connected, prepared=prepared)
        connected = True
        return Target(server.uri, server.username, server.password, "neo4j", server.certificate)

    def is_served(target: Target) -> bool:
        return neo4j_process.is_served(settings, uri=target.uri, certificate=target.certificate)

    return Graph(
        private,
        timeout=settings.query_seconds,
        touch=_Touch(settings),
        is_served=is_served,
        read_only=read_only,
        newest=VERSION,
        progress=progress,
    )
