"""A few searches at a time, so that many of them leave the writers their share of the server."""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.errors import DatabaseTimeout

AT_ONCE = 8


class SearchLimiter:
    """Lets eight searches of a memory run at a time; the others wait in the order they came.

    More at once were answered little faster on two cores, and writers beside 32 of them got a third
    done (`benchmarks/searches_beside_writes.py`). The semaphores of the standard library keep no
    order, so that the slowest of many waited three times as long. Safe to share between threads.

    Args:
        seconds: The longest one waits.
        at_once: How many run at a time.
    """

    def __init__(self, *, seconds: float, at_once: int = AT_ONCE) -> None:
        self._free = at_once
        self._seconds = seconds
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a turn, and have it while the context lasts.

        Raises:
            DatabaseTimeout: Too many others were before this one.
        """
        self._take()
        try:
            yield
        finally:
            self._give()

    def _take(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Event()
            self._waiting.append(turn)
        has_turn = False
        try:
            has_turn = turn.wait(self._seconds)
        finally:
            if not has_turn:
                self._leave(turn)
        if not has_turn:
            raise DatabaseTimeout("too many searches are running; try again soon")

    def _give(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def _leave(self, turn: threading.Event) -> None:
        """Wait no more; a turn that came at the same moment goes to the next."""
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return
        self._give()
