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


class PassageSamples:
    """Keeps a sample for each scope that was searched; safe between threads.

    Args:
        graph: Where they are read.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._kept: dict[tuple[tuple[str, ...], int], tuple[float, Sample]] = {}
        self._lock = threading.Lock()

    def of(self, projects: Sequence[str], embedding_set: int) -> "Sample":
        """The embeddings of at most SIZE passages, n x d, of length 1; the same until a write.

        None of them where the store cannot give them in time: an older one that is only read has no
        index for it.

        Raises:
            DatabaseError: The database does not answer or refuses.
        """
        from graphmem.embedding.cosines import unit_rows  # noqa: PLC0415 - brings numpy

        key = tuple(projects), embedding_set
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and time.monotonic() - kept[0] < MAX_AGE_SECONDS:
            return kept[1]
        sample = unit_rows(self._read(projects, embedding_set))
        with self._lock:
            if len(self._kept) >= MOST_SCOPES:
                self._kept.clear()
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
            self._kept.clear()
