"""A memory that opens in the background, and again at the next call when it could not."""

import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from fastmcp.exceptions import ToolError

from graphmem.errors import GraphmemError
from graphmem.server.upgraded import UPGRADED, was_upgraded

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmem.memory import Memory

log = logging.getLogger("graphmem")

# Below the 60 s after which many clients give a call up: they shall hear our sentence instead.
WAIT_SECONDS = 45.0
CLOSE_SECONDS = 5.0

STARTING = "the private Neo4j is still starting; try again in a few seconds"
BROKEN = (
    "graphmem could not open its memory; ask the user to look into the server's log, or to run "
    "`graphmem doctor`"
)


@dataclass(slots=True)
class _Attempt:
    done: threading.Event = field(default_factory=threading.Event)
    memory: "Memory | None" = None
    error: GraphmemError | None = None

    @property
    def failed(self) -> bool:
        return self.done.is_set() and self.memory is None


class LazyMemory:
    """Opens a memory in a thread, at most one at a time, and hands it to the calls that wait.

    Args:
        opens: Opens the memory; takes as long as a private Neo4j takes to start.
        seconds: How long a call waits for it.
    """

    def __init__(self, opens: "Callable[[], Memory]", *, seconds: float = WAIT_SECONDS) -> None:
        self._opens = opens
        self._seconds = seconds
        self._lock = threading.Lock()
        self._attempt: _Attempt | None = None

    @property
    def state(self) -> Literal["closed", "starting", "ready", "failed"]:
        """Whether the memory is closed, being opened, open, or failed to open."""
        attempt = self._attempt
        if attempt is None:
            return "closed"
        if not attempt.done.is_set():
            return "starting"
        return "failed" if attempt.failed else "ready"

    def begin(self) -> None:
        """Begin to open unless that is done or under way; returns at once."""
        self._begin_attempt()

    def memory(self) -> "Memory":
        """The open memory.

        Raises:
            ToolError: It is not open yet, or something unforeseen happened to it.
            GraphmemError: It could not be opened; the next call tries again.
        """
        attempt = self._begin_attempt()
        if not attempt.done.wait(self._seconds):
            raise ToolError(STARTING, log_level=logging.INFO)
        if attempt.error is not None:
            raise attempt.error
        if attempt.memory is None:
            raise ToolError(UPGRADED if was_upgraded() else BROKEN)
        return attempt.memory

    def close(self) -> None:
        """Close the memory, also one that is still being opened; waits five seconds at most."""
        with self._lock:
            attempt, self._attempt = self._attempt, None
        if attempt is None or attempt.memory is None:
            return
        # Closing waits for several things in the background, and a server must end.
        closing = threading.Thread(target=attempt.memory.close, name="graphmem-close", daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)

    def _begin_attempt(self) -> _Attempt:
        with self._lock:
            if self._attempt is None or self._attempt.failed:
                self._attempt = _Attempt()
                threading.Thread(
                    target=self._open, args=(self._attempt,), name="graphmem-open", daemon=True
                ).start()
            return self._attempt

    def _open(self, attempt: _Attempt) -> None:
        try:
            memory = self._opens()
            with self._lock:
                is_current = self._attempt is attempt
                attempt.memory = memory if is_current else None
            if not is_current:
                memory.close()
        except GraphmemError as error:
            log.warning("the memory could not be opened: %s", error)
            attempt.error = error
        finally:
            attempt.done.set()
