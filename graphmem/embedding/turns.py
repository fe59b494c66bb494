"""Who uses the model next: one at a time, questions first."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class SearchLimiter:
    """Lets one use the model at a time, and a question before all documents that wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy = False
        self._questions = 0
        self._asked = -math.inf

    def questioned(self, seconds: float) -> bool:
        """Whether a question was asked in so many seconds until now."""
        return time.monotonic() - self._asked < seconds

    @contextmanager
    def turn(self, *, question: bool) -> Iterator[None]:
        """Wait for a turn, and have it."""
        if question:
            self._asked = time.monotonic()
        with self._changed:
            self._questions += question
            try:
                self._changed.wait_for(
                    lambda: not self._busy and (question or self._questions == 0)
                )
                self._busy = True
            finally:
                self._questions -= question
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
