"""A cross-encoder that reads a question and a text together; loads in a thread of its own.

It is of sentence-transformers, and torch runs it: importing them takes seconds, so nothing here
does so before a reranker is loaded.
"""

import logging
import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem.embedding.background_embedder import BROKEN
from graphmem.embedding.models import Source, open_first
from graphmem.errors import first_line
from graphmem.settings import Settings

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

log = logging.getLogger("graphmem")

_NEXT_STEP = (
    "set GRAPHMEM_RERANKER to the name of a cross-encoder at the model hub or to the path of a "
    "folder that holds one, or leave it empty"
)


class Reranker:
    """A cross-encoder that loads when it is first wanted; threads may share it.

    Args:
        model: A name at the model hub, or the path of a folder, as for the embedding model.
        hub: Whether a model that is not on this machine may be downloaded.
        seconds: How long calls wait for it to load; 0 for not at all.
    """

    def __init__(self, model: str, *, hub: bool = True, seconds: float = 0.0) -> None:
        self.name = model
        self._hub = hub
        self._seconds = seconds
        self._lock = threading.Lock()
        self._one_at_a_time = threading.Lock()
        self._done = threading.Event()
        self._thread: threading.Thread | None = None
        self._model: CrossEncoder | None = None
        self._reason: str | None = None

    def start(self) -> None:
        """Begin to load it, unless that was begun before; returns at once."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._load, name="graphmem-reranker", daemon=True
                )
                self._thread.start()

    @property
    def reason(self) -> str | None:
        """Why it is not ready, or None."""
        if not self._done.is_set():
            return f"the reranker {self.name} is still loading"
        return self._reason

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most so many seconds until it is no longer loading; True when ready."""
        self.start()
        return self._done.wait(seconds) and self._model is not None

    def scores(self, query: str, texts: Sequence[str]) -> tuple[list[float] | None, str | None]:
        """How well each text answers a query, as the model says it; or None and why not.

        Calls of several threads take turns. It waits for the loading as long as it was told.
        """
        if not self.wait(self._seconds):
            return None, self.reason
        model = self._model
        if model is None or not texts:
            return [], None
        try:
            with self._one_at_a_time:
                predictions = model.predict(
                    [(query, text) for text in texts], show_progress_bar=False
                )
        except BROKEN as error:
            return None, f"the reranker {self.name} failed: {first_line(error)}"
        scores = [float(score) for score in predictions]
        if not all(map(math.isfinite, scores)):
            return None, f"the reranker {self.name} gave scores that are not numbers; {_NEXT_STEP}"
        return scores, None

    def _load(self) -> None:
        try:
            self._model = open_first(self.name, _open, hub=self._hub)
        except BROKEN as error:
            self._reason = self._unusable(first_line(error))
            log.warning("%s", self._reason)
        finally:
            if self._model is None and self._reason is None:
                self._reason = self._unusable("see the error above")
            self._done.set()

    def _unusable(self, cause: str) -> str:
        return f"the reranker {self.name} cannot be loaded ({cause}); {_NEXT_STEP}"


def configured_reranker(settings: Settings, *, waits: bool) -> Reranker | None:
    """Make the reranker of the settings; None where they name none.

    Args:
        settings: Name the model, and say how long calls wait for it.
        waits: Whether calls wait at all.
    """
    if settings.reranker is None:
        return None
    seconds = settings.model_seconds if waits else 0.0
    return Reranker(settings.reranker, hub=settings.hub, seconds=seconds)


def _open(source: Source) -> "CrossEncoder":
    """Open a cross-encoder; seconds of import the first time.

    Raises:
        OSError: It is not there, or may not be downloaded.
        ValueError: It is a model of another kind.
    """
    from sentence_transformers import CrossEncoder  # noqa: PLC0415 - for weight
    from transformers.utils import logging as transformers_logging  # noqa: PLC0415

    transformers_logging.disable_progress_bar()
    encoder: CrossEncoder = CrossEncoder(source.name, local_files_only=source.is_local)
    if encoder.num_labels != 1:
        raise ValueError(f"it gives {encoder.num_labels} numbers for a text, not one score")
    transformer = getattr(encoder[0], "model", None)
    architectures = getattr(getattr(transformer, "config", None), "architectures", None)
    # What was trained for something else is opened with a head of random weights.
    if architectures and type(transformer).__name__ not in architectures:
        raise ValueError(f"it is a {architectures[0]}, not a cross-encoder")
    return encoder
