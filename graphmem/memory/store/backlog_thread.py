"""A thread that embeds the store's backlog while nobody waits for it."""

import logging
import threading
from collections.abc import Callable

from graphmem.errors import GraphmemError

log = logging.getLogger("graphmem")

# A call that writes again at once, or a process that ends, comes first.
QUIET_SECONDS = 1.0
CLOSE_SECONDS = 5.0


class BacklogThread:
    """Works in a daemon thread of its own that begins with the first wake.

    What fails is logged and tried again at the next wake.

    Args:
        work: Embeds the backlog; is to end soon once the event it is given is set.
    """

    def __init__(self, work: Callable[[threading.Event], object]) -> None:
        self._work = work
        self._changed = threading.Lock()
        self._woken = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Say that passages may wait; returns at once."""
        with self._changed:
            if self._closing.is_set():
                return
            self._woken.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="graphmem-fill", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop after the batch in hand; waits for it five seconds at most."""
        with self._changed:
            self._closing.set()
            self._woken.set()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        while True:
            self._woken.wait()
            if self._closing.wait(QUIET_SECONDS):
                return
            self._woken.clear()
            try:
                self._work(self._closing)
            except GraphmemError as error:
                if not self._closing.is_set():
                    log.warning("passages still wait to be embedded: %s", error)
