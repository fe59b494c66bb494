"""When a server that failed is started again: soon, then later and later, then not at all."""

from __future__ import annotations

import time
from dataclasses import dataclass

FIRST_SECONDS = 1.0
LONGEST_SECONDS = 300.0
# So many failures without a good while between them, and the next caller has to ask for a start.
MOST_FAILURES = 8
GOOD_WHILE_SECONDS = 600.0


@dataclass(slots=True)
class Backoff:
    """Counts failures that follow one another quickly.

    Args:
        failures: How many there were since the last good while.
        last_failure_at: When the last was, in seconds of the monotonic clock.
    """

    failures: int = 0
    last_failure_at: float = 0.0

    def note_failure(self, *, now: float | None = None) -> None:
        """Count a failure; the first after a good while counts as the first of all."""
        now = time.monotonic() if now is None else now
        self.failures = 1 if now - self.last_failure_at > GOOD_WHILE_SECONDS else self.failures + 1
        self.last_failure_at = now

    @property
    def is_spent(self) -> bool:
        """Whether it failed so often that trying again by itself makes no sense."""
        return self.failures >= MOST_FAILURES

    @property
    def seconds(self) -> float:
        """Seconds to wait before the next start: 1, doubled with each failure, 300 at most."""
        return float(min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** max(0, self.failures - 1)))
