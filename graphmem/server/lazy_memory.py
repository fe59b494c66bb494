"""A memory that opens in the background, and again at the next call when it could not."""

import logging
import threading
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Literal

from fastmcp.exceptions import ToolError

from graphmem.errors import GraphmemError
from graphmem.server.version_check import UPGRADED, was_upgraded

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
        self._opening: Future[Memory] | None = None

    @property
    def state(self) -> Literal["closed", "starting", "ready", "failed"]:
        """Whether the memory is closed, being opened, open, or failed to open."""
        opening = self._opening
        if opening is None:
            return "closed"
        if not opening.done():
            return "starting"
        return "failed" if _has_failed(opening) else "ready"

    def begin(self) -> None:
        """Begin to open unless that is done or under way; returns at once."""
        self._begun()

    def memory(self) -> "Memory":
        """The open memory.

        Raises:
            ToolError: It is not open yet, or something unforeseen happened to it.
            GraphmemError: It could not be opened; the next call tries again.
        """
        try:
            return self._begun().result(self._seconds)
        except TimeoutError:
            raise ToolError(STARTING, log_level=logging.INFO) from None
        except CancelledError:
            raise ToolError(UPGRADED if was_upgraded() else BROKEN) from None

    def close(self) -> None:
        """Close the memory, also one that is still being opened; waits five seconds at most."""
        with self._lock:
            opening, self._opening = self._opening, None
        if opening is None or not opening.done() or _has_failed(opening):
            return
        # Closing waits for several things in the background, and a server must end.
        close = opening.result().close
        closing = threading.Thread(target=close, name="graphmem-close", daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)

    def _begun(self) -> "Future[Memory]":
        with self._lock:
            if self._opening is None or _has_failed(self._opening):
                self._opening = Future()
                threading.Thread(
                    target=self._open, args=(self._opening,), name="graphmem-open", daemon=True
                ).start()
            return self._opening

    def _open(self, opening: "Future[Memory]") -> None:
        try:
            memory = self._opens()
            with self._lock:
                is_current = self._opening is opening
                if is_current:
                    opening.set_result(memory)
            if not is_current:
                memory.close()
        except GraphmemError as error:
            log.warning("the memory could not be opened: %s", error)
            opening.set_exception(error)
        finally:
            opening.cancel()  # those who wait, where it has ended in no other way


def _has_failed(opening: "Future[Memory]") -> bool:
    return opening.cancelled() or (opening.done() and opening.exception() is not None)
