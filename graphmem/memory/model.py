"""The embedding model and the store together: embeddings of two models are never mixed."""

import logging
import math
import threading

from graphmem import schema
from graphmem.embedding import Embedder, ModelIdentity, Vector
from graphmem.errors import EmbeddingError, GraphmemError
from graphmem.graph import Graph
from graphmem.progress import SILENT, Progress
from graphmem.write import fill_pending

log = logging.getLogger("graphmem")

_WITHOUT = "found by words and links alone"


class StoreModel:
    """A store's model: embeds queries, and embeds passages now or once the model is loaded.

    Args:
        graph: The store.
        embedder: The model of the settings, perhaps still loading.
        waits: Whether callers wait for the model; otherwise what they write is embedded later, in
            a thread of its own.
        read_only: Whether nothing is embedded at all.
    """

    def __init__(self, graph: Graph, embedder: Embedder, *, waits: bool, read_only: bool) -> None:
        self.embedder = embedder
        self._graph = graph
        self._waits = waits
        self._read_only = read_only
        self._noted: ModelIdentity | None = schema.noted_model(graph)
        self._closing = threading.Event()
        self._filler: threading.Thread | None = None
        if not waits and not read_only:
            self._filler = threading.Thread(target=self._fill_later, name="graphmem-fill")
            self._filler.start()

    def close(self) -> None:
        """Stop what runs in the background."""
        self._closing.set()
        if self._filler is not None:
            self._filler.join()

    def query(self, text: str) -> tuple[Vector | None, str | None]:
        """A query's embedding, or None and the reason why the answer does without."""
        if self._waits:
            self.embedder.wait()
        reason = self.reason()
        if reason is None:
            try:
                vector = self.embedder.query(text)
            except EmbeddingError as error:
                reason = str(error)
            else:
                if len(vector) == self.embedder.identity().dimensions and _has_direction(vector):
                    return vector, None
                reason = "the embedding model gave no usable embedding of the query"
        return None, f"{reason}; {_WITHOUT}"

    def reason(self) -> str | None:
        """Why the store cannot be searched by meaning, or None."""
        if self.embedder.state != "ready":
            return self.embedder.reason
        if self._noted is None:
            self._noted = schema.noted_model(self._graph)
        own = self.embedder.identity()
        if self._noted is None or self._noted == own:
            return None
        return (
            f"the store was embedded with {self._noted.name} ({self._noted.revision}), not with "
            f"{own.name} ({own.revision}); set GRAPHMEM_MODEL back"
        )

    def usable(self, progress: Progress = SILENT) -> Embedder | None:
        """The model, if passages can be embedded with it now; notes it in a new store."""
        if self._waits and self.embedder.state == "loading":
            progress.say("Loading the embedding model …")
            self.embedder.wait()
        if self.embedder.state != "ready":
            return None
        if self._noted is None:
            self._noted = schema.note_model(self._graph, self.embedder.identity())
        return self.embedder if self.reason() is None else None

    def finish(self, progress: Progress = SILENT) -> tuple[str, ...]:
        """Embed what still waits; a sentence where that is not possible now."""
        embedder = self.usable(progress)
        if embedder is None:
            return (f"{self.reason()}; the passages written wait for it, text search has them",)
        fill_pending(self._graph, embedder, progress=progress)
        return ()

    def _fill_later(self) -> None:
        while not self._closing.is_set():
            if self.embedder.wait(0.2):
                break
            if self.embedder.state == "failed":
                return
        if self._closing.is_set():
            return
        try:
            self.finish()
        except GraphmemError as error:
            log.warning("passages still wait to be embedded: %s", error)


def _has_direction(vector: Vector) -> bool:
    return all(map(math.isfinite, vector)) and any(vector)
