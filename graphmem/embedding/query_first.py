"""A lock on the model that lets queries go before documents."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class QueryFirstLock:
    """Lets one caller use the model at a time, and a query before all documents that wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy = False
        self._waiting_queries = 0
        self._last_query = -math.inf

    def had_query_within(self, seconds: float) -> bool:
        """Whether a query asked for the model in so many seconds until now."""
        return time.monotonic() - self._last_query < seconds

    @contextmanager
    def hold(self, *, query: bool) -> Iterator[None]:
        """Wait for the lock, and hold it."""
        if query:
            self._last_query = time.monotonic()
        with self._changed:
            self._waiting_queries += query
            try:
                self._changed.wait_for(
                    lambda: not self._busy and (query or self._waiting_queries == 0)
                )
                self._busy = True
            finally:
                self._waiting_queries -= query
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
