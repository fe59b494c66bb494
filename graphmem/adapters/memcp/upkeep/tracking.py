"""Notes in the background which entities searches gave: no search waits for it, or fails by it."""

import logging
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.errors import GraphmemError
from graphmem.graph import Graph

log = logging.getLogger("graphmem")

# Far more than searches give between two writes; a database that hangs shall not fill our memory.
WAITING = 10_000
CLOSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Use:
    """How an entity was used.

    Args:
        accessed: When a search last gave it, or None.
        access_count: How many searches gave it.
        decay_weight: What decay has left, from 1.0 down to 0.1.
    """

    accessed: datetime | None = None
    access_count: int = 0
    decay_weight: float = 1.0


def uses(graph: Graph, keys: Sequence[str]) -> dict[str, Use]:
    """How the entities of some keys were used."""
    rows = graph.read("read/memcp/use", keys=list(keys))
    return {
        row["key"]: Use(row["accessed"], row["access_count"], row["decay_weight"]) for row in rows
    }


class Tracker:
    """Counts the entities that searches gave, in a thread of its own that begins with the first.

    Args:
        graph: Where to.
        on: Whether anything is written at all.
    """

    def __init__(self, graph: Graph, *, on: bool) -> None:
        self._graph = graph
        self._on = on
        self._changed = threading.Condition()
        self._waiting: Counter[str] = Counter()
        self._writing = False
        self._closing = False
        self._thread: threading.Thread | None = None

    def note(self, keys: Iterable[str]) -> None:
        """Note that a search gave these entities; returns at once and raises nothing."""
        with self._changed:
            if not self._on or self._closing:
                return
            for key in keys:
                if key in self._waiting or len(self._waiting) < WAITING:
                    self._waiting[key] += 1
            if self._waiting and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._work, name="graphmem-use", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def settle(self, seconds: float | None = None) -> bool:
        """Wait until everything noted so far is written or given up; False where time ran out."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._waiting and not self._writing, timeout=seconds
            )

    def close(self) -> None:
        """Write what waits, for five seconds at most, and note no more."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                counts, self._waiting = self._waiting, Counter()
                self._writing = True
            try:
                self._write(counts)
            except GraphmemError as error:
                log.warning(
                    "that %d entities were found could not be noted: %s", len(counts), error
                )
            finally:
                with self._changed:
                    self._writing = False
                    self._changed.notify_all()

    def _write(self, counts: Counter[str]) -> None:
        rows = [{"key": key, "times": times} for key, times in sorted(counts.items())]
        now = datetime.now(UTC)
        self._graph.run("write/memcp/note_use", rows=rows, at=now)
