"""Samples of the passages of projects, for the background of queries: read once, kept a while."""

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
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


_Key = tuple[tuple[str, ...], int]


class PassageSamples:
    """Keeps a sample for each scope that was searched; safe between threads.

    Args:
        graph: Where they are read.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._kept: dict[_Key, tuple[float, Sample]] = {}
        # Of each that is being read: how often samples were forgotten before, and what it will be.
        self._reading: dict[_Key, tuple[int, Future[Sample]]] = {}
        self._forgotten = 0
        self._lock = threading.Lock()

    def of(self, projects: Sequence[str], embedding_set: int) -> "Sample":
        """The embeddings of at most SIZE passages, n x d, of length 1; the same until a write.

        Of searches that need the same one after a write, one reads it for all that came until the
        next write.

        Args:
            projects: Those that are searched.
            embedding_set: The number of the embeddings that are searched.

        Returns:
            The sample; without rows if reading it times out, as in an older store opened
            read-only, which lacks the index.

        Raises:
            DatabaseError: The database does not answer or refuses.
        """
        key = tuple(projects), embedding_set
        kept = self._fresh(key)
        if kept is not None:
            return kept
        with self._lock:
            forgotten, coming = self._reading.get(key, (-1, None))
            if coming is None or forgotten != self._forgotten:
                coming, reads = Future(), True
                self._reading[key] = self._forgotten, coming
            else:
                reads = False
        if reads:
            return self._read_for_all(key, coming)
        try:
            return coming.result(PATIENCE_SECONDS)
        except (TimeoutError, CancelledError):
            return self._anew(key)

    def _read_for_all(self, key: _Key, coming: "Future[Sample]") -> "Sample":
        try:
            sample = self._anew(key)
            coming.set_result(sample)
            return sample
        finally:
            coming.cancel()  # where it was not read: each that waits reads itself
            with self._lock:
                if self._reading.get(key, (0, None))[1] is coming:
                    del self._reading[key]

    def _fresh(self, key: _Key) -> "Sample | None":
        """What is kept of a scope and not too old."""
        with self._lock:
            kept = self._kept.get(key)
        return kept[1] if kept and time.monotonic() - kept[0] < MAX_AGE_SECONDS else None

    def _anew(self, key: _Key) -> "Sample":
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
