"""What the keeper knows of failures: it notices them, remembers why, and says when to try again."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import debug_log
from graphmem.neo4j_process.machine import disk, processes
from graphmem.neo4j_process.running import aot_cache, causes, health, jvm
from graphmem.neo4j_process.running.backoff import Backoff
from graphmem.neo4j_process.running.failures import Journal

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmem.neo4j_process.home.state import State
    from graphmem.neo4j_process.running.launch import Launch

# Seconds between two looks at the database, and between two tries to write what could not be.
LOOK_SECONDS = 5.0
SAVE_SECONDS = 5.0
POLL_SECONDS = 0.2
# So many looks without any answer, of up to ten seconds each, and the server is started again.
MOST_SILENCES = 12
# On a disk that stays full a start is tried so seldom: each takes a minute and fails.
FULL_DISK_SECONDS = 300.0


class Broken(StartFailed):
    """The server came up and its database did not.

    Args:
        cause: The cause and the cure in one sentence.
        words: The server's own.
    """

    def __init__(self, cause: str, words: str) -> None:
        super().__init__(cause)
        self.words = words


class Recovery:
    """The failures of one server and what follows from them.

    Args:
        launch: What was started.
    """

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.home = launch.home
        self.journal = Journal(launch.home)
        # A start that an ended keeper had planned is not waited for.
        self.journal.note_retry(None)
        self.backoff = Backoff()
        self._is_disk_full = False
        self._least_free = 0
        self._due = self._next_look = self._next_save = 0.0
        self._silences = 0

    def note_up(self) -> None:
        """Note that the server answers."""
        self._silences = 0
        self._next_look = time.monotonic()
        self.journal.note_retry(None)

    def require_online(self, state: State, *, is_cancelled: Callable[[], bool]) -> None:
        """Wait, after a failure, until the database of a new server is online.

        Without a failure before, `finds_broken` sees to that: asking a cold server takes seconds.

        Args:
            state: The server, which answers.
            is_cancelled: Asked all the time; when it says yes the wait is over.

        Raises:
            Broken: when it does not open.
        """
        deadline = time.monotonic() + self.launch.start_seconds
        while self.backoff.failures and time.monotonic() < deadline and not is_cancelled():
            answer = health.examine(self.home, state)
            if answer.status == "broken":
                raise self._broken(answer.reason)
            if answer.status not in {"starting", "silent"} or not processes.is_alive(state.server):
                return
            time.sleep(POLL_SECONDS)

    def finds_broken(self, state: State) -> bool:
        """Look, every few seconds, whether the database is online; note the cause when it is not.

        Args:
            state: The server, which runs.
        """
        if time.monotonic() < self._next_look:
            return False
        answer = health.examine(self.home, state)
        self._next_look = time.monotonic() + LOOK_SECONDS
        self._silences = self._silences + 1 if answer.status == "silent" else 0
        if answer.status == "broken":
            self.note_error(self._broken(answer.reason))
        elif self._silences >= MOST_SILENCES and processes.is_alive(state.server):
            self._note(causes.SILENT, "")
        else:
            return False
        return True

    def note_end(self, state: State) -> None:
        """Note that the JVM ended although nobody asked it to, and why."""
        words = jvm.last_words(self.home)
        number = processes.ending_signal(state.server)
        if jvm.has_crashed(self.home):
            aot_cache.reject(self.launch, f"the JVM crashed; its log is {self.home.console_log}")
        if number is not None:
            self._note(causes.killed_sentence(number, self.launch.heap), words)
        else:
            cause = self._explain(words) or causes.ended_sentence(self.home.console_log)
            self._note(cause, words)

    def note_error(self, error: Exception) -> None:
        """Note that a start failed, or that the database broke off."""
        words = error.words if isinstance(error, Broken) else str(error)
        self._note(self._explain(words) or str(error), words)

    def plan(self) -> None:
        """Decide when the server is started again.

        Raises:
            StartFailed: when it failed too often; with the cause of the last time.
        """
        if self.backoff.is_spent and not self._is_disk_full:
            last_failure = self.journal.record.last
            cause = last_failure.cause if last_failure else "the private Neo4j does not stay up"
            self.journal.note_retry(None)
            raise StartFailed(
                f"{cause} (it failed {self.backoff.failures} times in a row, so it is started "
                "again only by the next call)"
            )
        seconds = FULL_DISK_SECONDS if self._is_disk_full else self.backoff.seconds
        self._due = time.monotonic() + seconds
        self.journal.note_retry(datetime.now(UTC) + timedelta(seconds=seconds))

    def begin_when_due(self) -> bool:
        """Tell whether the next start is to begin now, and note that it does."""
        if self._has_time_come():
            self.journal.note_retry(None)
            return True
        return False

    def _has_time_come(self) -> bool:
        """On a full disk it comes when there is room."""
        is_time = time.monotonic() >= self._due
        if not self._is_disk_full:
            return is_time
        free_bytes = disk.free_bytes(self.home.root)
        if free_bytes is None:
            return is_time
        self._least_free = min(free_bytes, self._least_free)
        return free_bytes - self._least_free >= disk.STEP_BYTES or (
            is_time and free_bytes > disk.LEAST_BYTES
        )

    def save(self) -> None:
        """Write what could not be written before, every few seconds."""
        if time.monotonic() >= self._next_save:
            self._next_save = time.monotonic() + SAVE_SECONDS
            self.journal.save()

    def _broken(self, reason: str) -> Broken:
        words = reason
        if self._explain(reason) is None:  # it says no more than that it did not start
            words = f"{reason} {debug_log.why_offline(self.home)}".strip()
        return Broken(self._explain(words) or causes.broken(words), words)

    def _explain(self, words: str) -> str | None:
        return causes.explain(words, self.home.root, self.launch.heap)

    def _note(self, cause: str, words: str) -> None:
        self._is_disk_full = causes.means_full_disk(words)
        self._least_free = disk.free_bytes(self.home.root) or 0
        self.backoff.note_failure()
        self.journal.add(cause, words)
