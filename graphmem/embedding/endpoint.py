"""A model at a server that speaks the OpenAI embeddings format: Ollama, vLLM, llama.cpp, hosted."""

import logging
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from graphmem.batches import batches
from graphmem.embedding.embedder import MOST_DIMENSIONS, TEMPLATE, ModelIdentity, Vector
from graphmem.embedding.endpoint_address import Endpoint
from graphmem.embedding.endpoint_client import (
    REFUSED_SECONDS,
    EndpointClient,
    Patience,
    TooMuchError,
)
from graphmem.embedding.fingerprint import PROBES, fingerprint
from graphmem.errors import EmbeddingError, ModelUnavailable

log = logging.getLogger("graphmem")

# Texts and characters of one request, and requests that are under way at a time.
MOST_TEXTS = 32
MOST_CHARACTERS = 32_768
REQUESTS = 4
# A text that a server refuses is not cut shorter than so many characters.
SHORTEST = 32
# Documents wait for queries, but not for a server that lets queries hang.
GIVE_WAY_SECONDS = 1.0

QUERY = Patience(answer=15.0, pauses=1.0)
DOCUMENTS = Patience(answer=60.0, pauses=60.0)
LOAD = Patience(answer=60.0, pauses=2.0)


class EndpointModel:
    """A model at a server, which is asked for a few embeddings at once to tell the model by.

    Documents go in several requests at a time, and begin none while a query is under way. What the
    server finds too much is halved; a single text that it finds too long is cut at its end.

    Args:
        endpoint: The server and its model.

    Raises:
        ModelUnavailable: The server does not answer, refuses, or its answers cannot be used.
    """

    together = MOST_TEXTS * REQUESTS

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._client = EndpointClient(endpoint)
        weakref.finalize(self, self._client.close)
        self._most_texts = MOST_TEXTS
        self._queries = 0
        self._changed = threading.Condition()
        self._workers: ThreadPoolExecutor | None = None
        try:
            self.identity = self._identity()
        except ModelUnavailable:
            raise
        except (EmbeddingError, TooMuchError) as error:
            raise ModelUnavailable(str(error), pause=REFUSED_SECONDS) from error

    def query(self, text: str) -> Vector:
        """The embedding of a question."""
        prompted = (self._endpoint.query_prompt + text)[:MOST_CHARACTERS]
        with self._querying():
            vectors, _ = self._embed([prompted], QUERY)
        vector: Vector = self._check_dimensions(vectors)[0].tolist()
        return vector

    def documents(self, texts: Sequence[str], advance: Callable[[int], None]) -> list[Vector]:
        """The embeddings of texts in order, those of like length in one request."""
        prompt = self._endpoint.document_prompt
        prompted = [(prompt + text)[:MOST_CHARACTERS] for text in texts]
        vectors: list[Vector] = [[]] * len(texts)
        longest_first = sorted(range(len(prompted)), key=lambda index: -len(prompted[index]))
        requests = [
            *batches(
                longest_first,
                lambda index: len(prompted[index]),
                most=self._most_texts,
                most_bytes=MOST_CHARACTERS,
            )
        ]
        failures: list[ModelUnavailable] = []

        def embed(batch: list[int]) -> NDArray[np.float64]:
            if failures:  # the others need not find out one after the other
                raise failures[0]
            try:
                return self._documents([prompted[index] for index in batch])
            except ModelUnavailable as error:
                failures.append(error)
                raise

        row_groups = self._pool().map(embed, requests)
        for batch, rows in zip(requests, row_groups, strict=True):
            for index, vector in zip(batch, rows.tolist(), strict=True):
                vectors[index] = vector
            advance(len(batch))
        return vectors

    def _documents(self, texts: list[str]) -> NDArray[np.float64]:
        with self._changed:
            self._changed.wait_for(lambda: self._queries == 0, GIVE_WAY_SECONDS)
        vectors, _ = self._embed(texts, DOCUMENTS)
        return self._check_dimensions(vectors)

    def _embed(self, texts: list[str], patience: Patience) -> tuple[NDArray[np.float64], bool]:
        """The embeddings of texts, and whether one of them had to be cut."""
        try:
            return self._client.embed(texts, patience), False
        except TooMuchError as error:
            if len(texts) == 1 and len(texts[0]) <= SHORTEST:
                raise EmbeddingError(str(error)) from None
        if len(texts) == 1:
            shorter = texts[0][: max(SHORTEST, len(texts[0]) * 2 // 3)]
            log.info("a text of %d characters was cut to %d", len(texts[0]), len(shorter))
            return self._embed([shorter], patience)[0], True
        half = len(texts) // 2
        parts = [
            self._embed(half_of_texts, patience) for half_of_texts in (texts[:half], texts[half:])
        ]
        was_cut = any(is_cut for _, is_cut in parts)
        if not was_cut:  # their number was too much, and not the length of one
            self._most_texts = max(1, min(self._most_texts, half))
        if len({vectors.shape[1] for vectors, _ in parts}) != 1:
            raise EmbeddingError(
                f"the embedding server at {self._endpoint.place} answered with embeddings of "
                "different lengths"
            )
        return np.concatenate([vectors for vectors, _ in parts]), was_cut

    def _check_dimensions(self, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        expected, actual = self.identity.dimensions, vectors.shape[1]
        if actual != expected:
            # Loaded again, the model is another one, which the store's is compared with.
            raise ModelUnavailable(
                f"the embedding server at {self._endpoint.place} answered with embeddings of "
                f"{actual} numbers, and earlier with {expected}: the name {self._endpoint.model} "
                "now means another model"
            )
        return vectors

    def _identity(self) -> ModelIdentity:
        endpoint = self._endpoint
        prompt = endpoint.document_prompt
        vectors, _ = self._embed([prompt + text for text in PROBES], LOAD)
        dimensions = vectors.shape[1]
        if dimensions > MOST_DIMENSIONS:
            raise EmbeddingError(
                f"the embeddings of {endpoint.model} have {dimensions} numbers, and the store "
                f"takes at most {MOST_DIMENSIONS}; set GRAPHMEM_EMBEDDING_DIMENSIONS, or choose "
                "another model"
            )
        if endpoint.dimensions not in {None, dimensions}:
            raise EmbeddingError(
                f"GRAPHMEM_EMBEDDING_DIMENSIONS is {endpoint.dimensions}, but the embeddings of "
                f"{endpoint.model} at {endpoint.place} have {dimensions} numbers all the same; "
                "unset it, or choose a model whose embeddings can be shortened"
            )
        return ModelIdentity(
            name=endpoint.name,
            revision=fingerprint(vectors.tolist()),
            dimensions=dimensions,
            template=f"{prompt}({TEMPLATE})" if prompt else TEMPLATE,
        )

    @contextmanager
    def _querying(self) -> Iterator[None]:
        with self._changed:
            self._queries += 1
        try:
            yield
        finally:
            with self._changed:
                self._queries -= 1
                self._changed.notify_all()

    def _pool(self) -> ThreadPoolExecutor:
        with self._changed:
            if self._workers is None:
                self._workers = ThreadPoolExecutor(REQUESTS, "graphmem-embed")
            return self._workers
