"""Has a server plan statements before they are asked: the first while its caller still connects."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from graphmem import statements
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.holder import home_of
from graphmem.neo4j_process.running import health
from graphmem.progress import SILENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.home.state import State
    from graphmem.neo4j_process.running.launch import Launch
    from graphmem.progress import Progress
    from graphmem.settings import Settings

# A new store has no indexes yet, without which the statement cannot be planned.
RETRY_SECONDS = 5.0
MOST_TRIES = 12
POLL_SECONDS = 0.05
# Seconds from the start until the other statements are planned, which nobody waits for: by then the
# caller that the server was started for has its answer, and a server for one test is gone.
LATER_SECONDS = 30.0


def await_plan(settings: Settings, *, seconds: float, progress: Progress = SILENT) -> None:
    """Wait while the keeper has its server plan the first statement.

    A statement that another connection is planning would be planned twice, which takes longer.

    Args:
        settings: Name the home.
        seconds: The most to wait.
        progress: Told that it waits.
    """
    home = home_of(settings)
    if not _plans(home):
        return
    progress.say("Waiting until the private Neo4j has planned its first search …")
    deadline = time.monotonic() + seconds
    while _plans(home) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)


def _plans(home: Home) -> bool:
    state = states.read(home)
    return state is not None and state.plans and state.is_ready


class PlansAhead:
    """The plans of statements on one server, which the keeper sees to in the background.

    Callers wait for the first one, which most of them need at once, and for no other.

    Args:
        launch: Names the statements, if there are any.
    """

    def __init__(self, launch: Launch) -> None:
        self.home = launch.home
        self.preparation = launch.preparation
        self._thread: threading.Thread | None = None
        self._later_thread: threading.Thread | None = None
        self._tries_left = 0
        self._due = 0.0
        self._later: list[tuple[str, Mapping[str, Any]]] = []
        self._later_due = 0.0

    @property
    def plans_first(self) -> bool:
        """Whether the server is planning the first statement just now."""
        return self._thread is not None and self._thread.is_alive()

    def renew(self) -> None:
        """Note that a JVM has just started, which has planned nothing."""
        self._tries_left = MOST_TRIES if self.preparation else 0
        self._due = 0.0
        self._later = list(self.preparation.later) if self.preparation else []
        self._later_due = time.monotonic() + LATER_SECONDS

    def begin_when_due(self, state: State) -> None:
        """Have the server plan, unless it has or does; some seconds after a failure again.

        Args:
            state: The server, which answers.
        """
        if self.plans_first:
            return
        if self._tries_left:
            if time.monotonic() >= self._due:
                self._thread = threading.Thread(target=self._plan, args=(state,), daemon=True)
                self._thread.start()
        elif self._is_later_due():
            # Where it fails, whoever needs the statement first has it planned.
            self._later_thread = threading.Thread(
                target=self._plan_search, args=(state, *self._later.pop(0)), daemon=True
            )
            self._later_thread.start()

    def _is_later_due(self) -> bool:
        is_busy = self._later_thread is not None and self._later_thread.is_alive()
        return bool(self._later) and not is_busy and time.monotonic() >= self._later_due

    def _plan(self, state: State) -> None:
        self._tries_left -= 1
        if self.preparation is not None and self._plan_search(
            state, self.preparation.statement, self.preparation.parameters
        ):
            self._tries_left = 0
        self._due = time.monotonic() + RETRY_SECONDS

    def _plan_search(self, state: State, statement: str, parameters: Mapping[str, Any]) -> bool:
        """Have the server plan a search of the embeddings that its store searches.

        Returns:
            Whether it could.
        """
        notes = health.store_notes(self.home, state)
        if notes is None:
            return False
        searched = statements.of_embeddings(statement, notes.get("embedding_set", 0))
        return health.plan(self.home, state, searched, parameters)
