"""Samples of passages, for the background of queries and the weights of words: kept a while."""

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from graphmem import statements
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
    word_weights: WordWeights

    @cached_property
    def embeddings(self) -> "Sample":
        """The embeddings of length 1, n x d."""
        from graphmem.embedding.cosines import unit_rows  # noqa: PLC0415 - brings numpy

        return unit_rows(self.stored_embeddings)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A sample, and when it was read, in seconds of the monotonic clock."""

    sample: PassageSample
    read_at: float

    @property
    def is_fresh(self) -> bool:
        return time.monotonic() - self.read_at < MAX_AGE_SECONDS


@dataclass(frozen=True, slots=True)
class _Reading:
    """A sample that a thread is reading for all that need it.

    Args:
        generation: How often samples were forgotten before: what is written later is not in it.
        future: The sample; cancelled if it could not be read.
    """

    generation: int
    future: Future[PassageSample] = field(default_factory=Future)


class PassageSamples:
    """Keeps a sample for each scope that was searched; safe between threads.

    Args:
        graph: Where they are read.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._samples: dict[_Key, _Kept] = {}
        self._readings: dict[_Key, _Reading] = {}
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
        with self._lock:
            kept = self._samples.get(key)
            if kept is not None and kept.is_fresh:
                return kept.sample
            reading = self._readings.get(key)
            is_reader = reading is None or reading.generation != self._generation
            if reading is None or is_reader:
                reading = self._readings[key] = _Reading(self._generation)
        if is_reader:
            return self._read_for_all(key, reading)
        try:
            return reading.future.result(PATIENCE_SECONDS)
        except (TimeoutError, CancelledError):
            return self._read_anew(key)

    def _read_for_all(self, key: _Key, reading: _Reading) -> PassageSample:
        try:
            sample = self._read_anew(key)
            reading.future.set_result(sample)
            return sample
        finally:
            reading.future.cancel()  # if it was not read: each that waits reads it itself
            with self._lock:
                if self._readings.get(key) is reading:
                    del self._readings[key]

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
                self._samples[key] = _Kept(sample, time.monotonic())
        return sample

    def _read_rows(self, projects: Sequence[str], embedding_set: int) -> list[Row]:
        statement = statements.of_embeddings("read/passage_sample", embedding_set)
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
