"""The embedding model and the store together: embeddings of two models are never mixed."""

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphmem import schema
from graphmem.embedding import (
    DEFAULT_MODEL,
    Calibration,
    Embedder,
    ModelIdentity,
    RecentEmbeddings,
    State,
    Vector,
    calibration_of,
)
from graphmem.errors import EmbeddingError, GraphmemError, ModelUnavailable
from graphmem.graph import Graph
from graphmem.memory.filling import Filling
from graphmem.progress import SILENT, Progress
from graphmem.write import fill_pending

log = logging.getLogger("graphmem")

# Where no setting says otherwise, calls wait so long for the model, all of them together.
SECONDS = 120.0

_WITHOUT = "searched by words and links only"
_WAITING = "passages wait to be embedded; words find them already"
_POLL_SECONDS = 0.2
# Documents of the backlog that a question waits for.
_AT_ONCE = 8


@dataclass
class Attempt:
    """The model as one write uses it; remembers whether it failed.

    Args:
        inner: The model, ready.
        recent: Keeps what is embedded, for a write that may be killed and run again; or None.
        failure: What it failed with, or None.
    """

    inner: Embedder
    recent: RecentEmbeddings | None = None
    failure: str | None = None

    @property
    def state(self) -> State:
        """The model's."""
        return self.inner.state

    @property
    def reason(self) -> str | None:
        """The model's."""
        return self.inner.reason

    @property
    def together(self) -> int:
        """The model's."""
        return self.inner.together

    def identity(self) -> ModelIdentity:
        """The model's."""
        return self.inner.identity()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the model."""
        return self.inner.wait(seconds)

    def query(self, text: str) -> Vector:
        """The embedding of a question."""
        return self.inner.query(text)

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """The embeddings of texts, in order.

        Raises:
            EmbeddingError: The model failed, which is remembered.
        """
        try:
            if self.recent is None:
                return self.inner.documents(texts, advance=advance)
            return self._kept(self.recent, texts, advance)
        except EmbeddingError as error:
            self.failure = str(error)
            raise

    def _kept(
        self, recent: RecentEmbeddings, texts: Sequence[str], advance: Callable[[int], None]
    ) -> list[Vector]:
        model = self.identity()
        vectors = recent.find(model, texts)
        advance(sum(text in vectors for text in texts))
        missing = sorted({text for text in texts if text not in vectors}, key=len, reverse=True)
        together = self.together
        for start in range(0, len(missing), together):
            batch = missing[start : start + together]
            made = dict(zip(batch, self.inner.documents(batch, advance=advance), strict=True))
            recent.add(model, made)
            vectors |= made
        return [vectors[text] for text in texts]


class StoreModel:
    """A store's model: embeds queries, lends itself to writes, and fills the store's backlog.

    A write embeds its own passages. Those that wait from earlier, or for a model that was not there
    yet, are embedded in the background.

    Args:
        graph: The store.
        embedder: The model of the settings, perhaps still loading.
        wait_for_model: Whether calls wait for the model; otherwise they do without it until it is
            loaded, and the backlog is looked for at once and not after the first write.
        read_only: Whether nothing is embedded in the background.
        seconds: How long calls wait for the model, all of them together.
        recent: Keeps the embeddings of imports, or None.
    """

    def __init__(
        self,
        graph: Graph,
        embedder: Embedder,
        *,
        wait_for_model: bool,
        read_only: bool,
        seconds: float = SECONDS,
        recent: RecentEmbeddings | None = None,
    ) -> None:
        self.embedder = embedder
        self._recent = recent
        self._graph = graph
        self._wait_for_model = wait_for_model
        self._read_only = read_only
        self._seconds = seconds
        self._until: float | None = None
        self._noted: ModelIdentity | None = schema.noted_model(graph)
        self._filling = Filling(self._fill_later)
        self._looked = not wait_for_model
        self._one_fills = threading.Lock()
        self._in_call = threading.Event()
        if not wait_for_model and not read_only:
            self._filling.wake()

    def close(self) -> None:
        """Stop what runs in the background after the batch in hand; at most five seconds."""
        self._filling.close()

    def query(self, text: str) -> tuple[Vector | None, str | None]:
        """A query's embedding, or None and the reason why the answer does without."""
        self._wait()
        reason = self.reason()
        if reason is None:
            try:
                vector = self.embedder.query(text)
            except EmbeddingError as error:
                reason = str(error)
            else:
                if len(vector) == self.embedder.identity().dimensions and _has_direction(vector):
                    return vector, None
                reason = "the embedding model returned no usable embedding of the query"
        return None, f"{reason}; {_WITHOUT}"

    @property
    def calibration(self) -> Calibration:
        """What the cosines of the store's embeddings mean."""
        return calibration_of(DEFAULT_MODEL if self._noted is None else self._noted.name)

    def reason(self) -> str | None:
        """Why the store cannot be searched by meaning, or None."""
        if self.embedder.state == "loading" and self._until is not None:
            return f"{self.embedder.reason} after {self._seconds:g} seconds"
        if self.embedder.state != "ready":
            return self.embedder.reason
        if self._noted is None:
            self._noted = schema.noted_model(self._graph)
        own = self.embedder.identity().matched(self._noted)
        if self._noted is None or self._noted == own:
            return None
        return (
            f"the store was embedded with {self._noted.name} ({self._noted.revision}), not with "
            f"{own.name} ({own.revision}); set GRAPHMEM_MODEL, or GRAPHMEM_EMBEDDING_URL and its "
            "model, back to it"
        )

    def usable(self, progress: Progress = SILENT) -> Embedder | None:
        """The model, if passages can be embedded with it now; notes it in a new store."""
        if self._wait_for_model and self.embedder.state == "loading":
            progress.say("Loading the embedding model …")
        self._wait()
        if self.embedder.state != "ready":
            return None
        if self._noted is None:
            self._noted = schema.note_model(self._graph, self.embedder.identity())
        return self.embedder if self.reason() is None else None

    def attempt(self, progress: Progress = SILENT, *, resumable: bool = False) -> Attempt | None:
        """The model for one write, or None where its passages have to wait; see `notes`.

        Args:
            progress: Hears of the loading.
            resumable: Whether the write may be killed and run again, so that what it embeds is kept
                until then.
        """
        embedder = self.usable(progress)
        return None if embedder is None else Attempt(embedder, self._recent if resumable else None)

    def notes(self, attempt: Attempt | None) -> tuple[str, ...]:
        """A sentence where the passages of a write wait for the model; fails never.

        Wakes what fills the backlog, where there may be one.
        """
        waiting = attempt is None or attempt.failure is not None
        if not self._read_only and (waiting or not self._looked):
            self._looked = True
            self._filling.wake()
        if not waiting:
            return ()
        if attempt is not None:
            return (f"{attempt.failure}; the {_WAITING}",)
        try:
            reason = self.reason() or "the embedding model has only just been loaded"
        except GraphmemError as error:
            reason = str(error)
        return (f"{reason}; the {_WAITING}",)

    def fill(self, progress: Progress = SILENT) -> tuple[str, ...]:
        """Embed the whole backlog in this call; a sentence where that is not possible."""
        self._in_call.set()
        try:
            with self._one_fills:
                embedder = self.usable(progress)
                if embedder is None:
                    return (f"{self.reason()}; the {_WAITING}",)
                fill_pending(self._graph, embedder, progress=progress)
                return ()
        except GraphmemError as error:
            return (f"{error}; passages still wait to be embedded, text search has them",)
        finally:
            self._in_call.clear()

    def _wait(self) -> None:
        """Wait for the model as long as calls do; one that is unavailable is only tried again."""
        if self.embedder.state == "unavailable":
            self.embedder.wait(0.0)
        if not self._wait_for_model or self.embedder.state != "loading":
            return
        now = time.monotonic()
        if self._until is None:
            self._until = now + self._seconds
        self.embedder.wait(max(0.0, self._until - now))

    def _fill_later(self, closing: threading.Event) -> None:
        """Fill the backlog unless a call does, whenever the model is there."""
        while True:
            while not self.embedder.wait(_POLL_SECONDS):
                if self.embedder.state == "failed" or closing.wait(_POLL_SECONDS):
                    return
            try:
                self._fill_some(lambda: closing.is_set() or self._in_call.is_set())
            except ModelUnavailable as error:
                log.info("passages wait until the model is there again: %s", error)
            else:
                return

    def _fill_some(self, stops: Callable[[], bool]) -> None:
        with self._one_fills:
            embedder = self.usable()
            if embedder is not None:
                fill_pending(self._graph, embedder, at_once=_AT_ONCE, stops=stops)


def _has_direction(vector: Vector) -> bool:
    return all(map(math.isfinite, vector)) and any(vector)
