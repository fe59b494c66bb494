"""Samples of passages, for the background of queries and the weights of words: kept a while."""

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from graphmem import queries
from graphmem.errors import DatabaseMemory, DatabaseTimeout
from graphmem.graph import Graph, Row
from graphmem.search.word_weights import (
    LARGEST_PART,
    NO_WEIGHTS,
    WordCounts,
    WordWeights,
    estimated_passages,
)

if TYPE_CHECKING:
    from graphmem.embedding.cosines import Sample

log = logging.getLogger("graphmem")

# Passages of the projects, and of the whole store.
SIZE = 100
# What other processes write is seen in the sample after so many seconds.
MAX_AGE_SECONDS = 60.0
MOST_SCOPES = 64
# How long a search waits while another one reads the sample that both need.
PATIENCE_SECONDS = 1.0


_Key = tuple[tuple[str, ...], int]


@dataclass(frozen=True)
class PassageSample:
    """What a search knows of the passages of its projects.

    Args:
        stored_embeddings: Those of at most SIZE passages, as they are stored.
        word_weights: What words count there, beside the rest of the store.
    """

    stored_embeddings: Sequence[Sequence[float]]
    word_weights: WordWeights = NO_WEIGHTS

    @cached_property
    def embeddings(self) -> "Sample":
        """The embeddings of length 1, n x d."""
        from graphmem.embedding.cosines import unit_rows  # noqa: PLC0415 - brings numpy

        return unit_rows(self.stored_embeddings)


class PassageSamples:
    """Keeps a sample for each scope that was searched; safe between threads.

    Args:
        graph: Where they are read.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._samples: dict[_Key, tuple[float, PassageSample]] = {}
        # Of each that is being read: how often samples were forgotten before, and what it will be.
        self._reading: dict[_Key, tuple[int, Future[PassageSample]]] = {}
        self._generation = 0
        self._lock = threading.Lock()

    def of(self, projects: Sequence[str], embedding_set: int) -> PassageSample:
        """The sample of a scope; the same until a write.

        Of searches that need the same one after a write, one reads it for all that came until the
        next write.

        Args:
            projects: Those that are searched.
            embedding_set: The number of the embeddings that are searched.

        Returns:
            The sample; empty if reading it times out, as in an older store opened read-only,
            which lacks an index.

        Raises:
            DatabaseError: The database does not answer or refuses.
        """
        key = tuple(projects), embedding_set
        sample = self._fresh_sample(key)
        if sample is not None:
            return sample
        with self._lock:
            generation, future = self._reading.get(key, (-1, None))
            if future is None or generation != self._generation:
                future, is_reader = Future(), True
                self._reading[key] = self._generation, future
            else:
                is_reader = False
        if is_reader:
            return self._read_for_all(key, future)
        try:
            return future.result(PATIENCE_SECONDS)
        except (TimeoutError, CancelledError):
            return self._read_anew(key)

    def _read_for_all(self, key: _Key, future: Future[PassageSample]) -> PassageSample:
        try:
            sample = self._read_anew(key)
            future.set_result(sample)
            return sample
        finally:
            future.cancel()  # where it was not read: each that waits reads itself
            with self._lock:
                if self._reading.get(key, (0, None))[1] is future:
                    del self._reading[key]

    def _fresh_sample(self, key: _Key) -> PassageSample | None:
        """The sample of a scope that was read before, unless it is too old."""
        with self._lock:
            entry = self._samples.get(key)
        return entry[1] if entry and time.monotonic() - entry[0] < MAX_AGE_SECONDS else None

    def _read_anew(self, key: _Key) -> PassageSample:
        """Read a sample, and keep it unless something was written meanwhile."""
        with self._lock:
            generation = self._generation
        rows = self._read_rows(*key)
        of_projects = [row for row in rows if row["of_projects"]]
        embeddings = [row["embedding"] for row in of_projects if row["embedding"] is not None]
        of_store = [row for row in rows if not row["of_projects"]]
        sample = PassageSample(embeddings, _word_weights(of_projects, of_store))
        with self._lock:
            if len(self._samples) >= MOST_SCOPES:
                self._samples.clear()
            if generation == self._generation:
                self._samples[key] = time.monotonic(), sample
        return sample

    def _read_rows(self, projects: Sequence[str], embedding_set: int) -> list[Row]:
        statement = queries.of_embeddings("read/passage_sample", embedding_set)
        try:
            return self._graph.read(statement, projects=list(projects), size=SIZE)
        except (DatabaseTimeout, DatabaseMemory) as error:
            log.warning("searches go by what is usual with the model: %s", error)
            return []

    def forget(self) -> None:
        """Read every sample again when it is next asked for: something was written."""
        with self._lock:
            self._generation += 1
            self._samples.clear()


def _word_weights(of_projects: Sequence[Row], of_store: Sequence[Row]) -> WordWeights:
    """What words count, of rows in the order of their digests.

    Without texts, as where the projects hold most of the store, all count the same.
    """
    project_texts, other_texts = (
        [row["texts"] for row in rows if row["texts"]] for rows in (of_projects, of_store)
    )
    if not project_texts:
        return NO_WEIGHTS
    passages, store_passages = (
        estimated_passages([row["digest"] for row in rows], SIZE)
        for rows in (of_projects, of_store)
    )
    part = min(LARGEST_PART, passages / max(1, store_passages))
    return WordWeights(WordCounts(project_texts), WordCounts(other_texts), part)
