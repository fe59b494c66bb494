"""Samples of the passages of projects, for the background of queries: read once, kept a while."""

import logging
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem import queries
from graphmem.errors import DatabaseMemory, DatabaseTimeout
from graphmem.graph import Graph

if TYPE_CHECKING:
    from graphmem.embedding.cosines import Sample

log = logging.getLogger("graphmem")

SIZE = 100
# What other processes write is seen in the sample after so many seconds.
MAX_AGE_SECONDS = 60.0
MOST_SCOPES = 64
# How long a search waits while another one reads the sample that both need.
PATIENCE_SECONDS = 1.0


class PassageSamples:
    """Keeps a sample for each scope that was searched; safe between threads.

    Args:
        graph: Where they are read.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._kept: dict[tuple[tuple[str, ...], int], tuple[float, Sample]] = {}
        self._reading: dict[tuple[tuple[str, ...], int], threading.Lock] = {}
        self._forgotten = 0
        self._lock = threading.Lock()

    def of(self, projects: Sequence[str], embedding_set: int) -> "Sample":
        """The embeddings of at most SIZE passages, n x d, of length 1; the same until a write.

        Of searches that need the same one after a write, one reads it for all.

        None of them where the store cannot give them in time: an older one that is only read has no
        index for it.

        Raises:
            DatabaseError: The database does not answer or refuses.
        """
        key = tuple(projects), embedding_set
        kept = self._fresh(key)
        if kept is not None:
            return kept
        with self._lock:
            if len(self._reading) >= MOST_SCOPES:
                self._reading.clear()
            reading = self._reading.setdefault(key, threading.Lock())
        alone = reading.acquire(timeout=PATIENCE_SECONDS)
        try:
            kept = self._fresh(key)
            return self._anew(key) if kept is None else kept
        finally:
            if alone:
                reading.release()

    def _fresh(self, key: tuple[tuple[str, ...], int]) -> "Sample | None":
        """What is kept of a scope and not too old."""
        with self._lock:
            kept = self._kept.get(key)
        return kept[1] if kept and time.monotonic() - kept[0] < MAX_AGE_SECONDS else None

    def _anew(self, key: tuple[tuple[str, ...], int]) -> "Sample":
        """Read a sample; it is kept unless something was written meanwhile."""
        from graphmem.embedding.cosines import unit_rows  # noqa: PLC0415 - brings numpy

        with self._lock:
            forgotten = self._forgotten
        sample = unit_rows(self._read(*key))
        with self._lock:
            if len(self._kept) >= MOST_SCOPES:
                self._kept.clear()
            if forgotten == self._forgotten:
                self._kept[key] = time.monotonic(), sample
        return sample

    def _read(self, projects: Sequence[str], embedding_set: int) -> list[list[float]]:
        statement = queries.of_embeddings("read/passage_sample", embedding_set)
        try:
            rows = self._graph.read(statement, projects=list(projects), size=SIZE)
        except (DatabaseTimeout, DatabaseMemory) as error:
            log.warning("searches go by what is usual with the model: %s", error)
            return []
        return [row["embedding"] for row in rows]

    def forget(self) -> None:
        """Read every sample again when it is next asked for: something was written."""
        with self._lock:
            self._forgotten += 1
            self._kept.clear()
