"""The embedding model and the store together: embeddings of two models are never mixed."""

import logging
import math
import threading
import time
from collections.abc import Callable

from graphmem import schema
from graphmem.embedding import (
    DEFAULT_MODEL,
    Calibration,
    Embedder,
    RecentEmbeddings,
    StoredModels,
    Vector,
    calibration_of,
    described,
)
from graphmem.errors import (
    DatabaseError,
    DatabaseTimeout,
    DatabaseUnavailable,
    EmbeddingError,
    GraphmemError,
    ModelUnavailable,
)
from graphmem.graph import Graph
from graphmem.memory.store.backlog_thread import BacklogThread
from graphmem.memory.store.write_model import WriteModel
from graphmem.progress import SILENT, Progress

log = logging.getLogger("graphmem")

# Where no setting says otherwise, calls wait so long for the model, all of them together.
SECONDS = 120.0

_WITHOUT = "searched by words and links only"
_WAITING = "passages wait to be embedded; until then, they are found by words"
_POLL_SECONDS = 0.2
# Documents of the backlog that a question waits for.
_AT_ONCE = 8


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
        # Until when calls wait, by the monotonic clock; None before the first one that does.
        self._deadline: float | None = None
        self._stored = schema.stored_models(graph)
        self._backlog_thread = BacklogThread(self._fill_later)
        # Whether the backlog was looked for since the store was opened.
        self._has_looked = not wait_for_model
        self._filling = threading.Lock()
        # Set while a call fills the backlog, before which what does so in the background stops.
        self._is_call_filling = threading.Event()
        if not wait_for_model and not read_only:
            self._backlog_thread.wake()

    def close(self) -> None:
        """Stop what runs in the background after the batch in hand; at most five seconds."""
        self._backlog_thread.close()

    def forget_recent(self) -> None:
        """Forget the embeddings kept for imports that are killed: texts were deleted for good."""
        if self._recent is not None:
            self._recent.clear()

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
        """The calibration of the cosines of the store's embeddings."""
        current = self._stored.current
        return calibration_of(DEFAULT_MODEL if current is None else current.name)

    def stored(self) -> StoredModels:
        """What the store notes of its models; read again while it is not searched with this one."""
        if self.embedder.state == "ready" and not self._stored.searches(self.embedder.identity()):
            self._stored = schema.stored_models(self._graph)
        return self._stored

    def was_replaced(self, before: StoredModels, error: DatabaseError) -> bool:
        """Whether a search failed since another set of embeddings took the place of one."""
        if isinstance(error, (DatabaseTimeout, DatabaseUnavailable)):
            return False
        self._stored = schema.stored_models(self._graph)
        return self._stored.number != before.number

    def reason(self) -> str | None:
        """Why the store cannot be searched by meaning, or None."""
        if self.embedder.state == "loading" and self._deadline is not None:
            return f"{self.embedder.reason} after {self._seconds:g} seconds"
        if self.embedder.state != "ready":
            return self.embedder.reason
        identity, models = self.embedder.identity(), self.stored()
        if models.current is None or models.searches(identity):
            return None
        begun_note = "; that has begun and is not finished" if models.makes(identity) else ""
        return (
            f"the store was embedded with {described(models.current)}, not with "
            f"{described(identity)}; run `graphmem reembed` to embed it with {identity.name}"
            f"{begun_note}, or change GRAPHMEM_MODEL, or GRAPHMEM_EMBEDDING_URL and its model, back"
        )

    def usable(self, progress: Progress = SILENT) -> Embedder | None:
        """The model, if passages can be embedded with it now; notes it in a new store."""
        if self._wait_for_model and self.embedder.state == "loading":
            progress.say("Loading the embedding model …")
        self._wait()
        if self.embedder.state != "ready":
            return None
        if self.stored().current is None:
            schema.note_model(self._graph, self.embedder.identity())
        return self.embedder if self.reason() is None else None

    def for_write(
        self, progress: Progress = SILENT, *, resumable: bool = False
    ) -> WriteModel | None:
        """The model for one write, or None where its passages have to wait; see `notes`.

        Args:
            progress: Receives the progress of the loading.
            resumable: Whether the write may be killed and run again, so that what it embeds is kept
                until then.
        """
        embedder = self.usable(progress)
        return (
            None if embedder is None else WriteModel(embedder, self._recent if resumable else None)
        )

    def loaded(self, progress: Progress) -> WriteModel:
        """The model, whichever the store is embedded with; what it embeds outlives a kill.

        Raises:
            EmbeddingError: It cannot be loaded, or not in time.
        """
        if self.embedder.state == "loading":
            progress.say("Loading the embedding model …")
            self.embedder.wait(self._seconds)
        if self.embedder.state != "ready":
            raise EmbeddingError(self.embedder.reason or "the embedding model is not ready")
        return WriteModel(self.embedder, self._recent)

    def notes(self, write_model: WriteModel | None) -> tuple[str, ...]:
        """A sentence where the passages of a write wait for the model; never fails.

        Wakes what fills the backlog, where there may be one.
        """
        reason = self._reason_to_wait(write_model)
        if not self._read_only and (reason is not None or not self._has_looked):
            self._has_looked = True
            self._backlog_thread.wake()
        return () if reason is None else (f"{reason}; the {_WAITING}",)

    def _reason_to_wait(self, write_model: WriteModel | None) -> str | None:
        if write_model is not None and write_model.failure is not None:
            return write_model.failure
        try:
            if write_model is not None:  # another model may have taken over while this was written
                self._stored = schema.stored_models(self._graph)
            reason = self.reason()
        except GraphmemError as error:
            return None if write_model is not None else str(error)
        if write_model is None and reason is None:
            return "the embedding model has only just been loaded"
        return reason

    def fill(self, progress: Progress = SILENT) -> tuple[str, ...]:
        """Embed the whole backlog in this call; a sentence where that is not possible."""
        self._is_call_filling.set()
        try:
            with self._filling:
                embedder = self.usable(progress)
                if embedder is None:
                    return (f"{self.reason()}; the {_WAITING}",)
                self._work_off(embedder, progress=progress)
                return ()
        except GraphmemError as error:
            return (
                f"{error}; passages still wait to be embedded; until then, they are found by words",
            )
        finally:
            self._is_call_filling.clear()

    def _wait(self) -> None:
        """Wait for the model as long as calls do; one that is unavailable is only tried again."""
        if self.embedder.state == "unavailable":
            self.embedder.wait(0.0)
        if not self._wait_for_model or self.embedder.state != "loading":
            return
        now = time.monotonic()
        if self._deadline is None:
            self._deadline = now + self._seconds
        self.embedder.wait(max(0.0, self._deadline - now))

    def _fill_later(self, closing: threading.Event) -> None:
        """Fill the backlog unless a call does, whenever the model is there."""
        while True:
            while not self.embedder.wait(_POLL_SECONDS):
                if self.embedder.state == "failed" or closing.wait(_POLL_SECONDS):
                    return
            try:
                self._fill_some(lambda: closing.is_set() or self._is_call_filling.is_set())
            except ModelUnavailable as error:
                log.info("passages wait until the model is there again: %s", error)
            else:
                return

    def _fill_some(self, stops: Callable[[], bool]) -> None:
        with self._filling:
            embedder = self.usable()
            if embedder is not None:
                self._work_off(embedder, at_once=_AT_ONCE, stops=stops)

    def _work_off(
        self,
        embedder: Embedder,
        *,
        at_once: int | None = None,
        stops: Callable[[], bool] = lambda: False,
        progress: Progress = SILENT,
    ) -> None:
        """Embed what waits, after what a `graphmem reembed` that was killed left to be done."""
        from graphmem.write import BATCH, fill_pending, remove_leftover  # noqa: PLC0415 - for weight

        models = schema.stored_models(self._graph)
        if models.leftover:
            remove_leftover(self._graph, models, stops=stops)
        fill_pending(
            self._graph, embedder, at_once=at_once or BATCH, stops=stops, progress=progress
        )


def _has_direction(vector: Vector) -> bool:
    return all(map(math.isfinite, vector)) and any(vector)
