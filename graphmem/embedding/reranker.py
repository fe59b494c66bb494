"""A cross-encoder that reads a question and a text together; loads in a thread of its own.

It is of sentence-transformers, and torch runs it: importing them takes seconds, so nothing here
does so before a reranker is loaded.
"""

import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem.embedding.background_model import BROKEN, BackgroundModel
from graphmem.embedding.models import Source, open_first
from graphmem.errors import first_line
from graphmem.settings import Settings

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

_NEXT_STEP = (
    "set GRAPHMEM_RERANKER to the name of a cross-encoder at the model hub or to the path of a "
    "folder that holds one, or leave it empty"
)


class Reranker(BackgroundModel["CrossEncoder"]):
    """A cross-encoder that loads when it is first wanted; threads may share it.

    Args:
        model: A name at the model hub, or the path of a folder, as for the embedding model.
        hub: Whether a model that is not on this machine may be downloaded.
        seconds: How long calls wait for it to load; 0 for not at all.
    """

    def __init__(self, model: str, *, hub: bool = True, seconds: float = 0.0) -> None:
        super().__init__(
            f"the reranker {model}",
            lambda _: open_first(model, _open, hub=hub),
            hint=f"; {_NEXT_STEP}",
        )
        self.name = model
        self._seconds = seconds
        self._one_at_a_time = threading.Lock()

    def scores(self, query: str, texts: Sequence[str]) -> tuple[list[float] | None, str | None]:
        """How well each text answers a query, as the model says it; or None and why not.

        Calls of several threads take turns. It waits for the loading as long as it was told.
        """
        if not self.wait(self._seconds):
            return None, self.reason
        if not texts:
            return [], None
        try:
            with self._one_at_a_time:
                predictions = self._ready().predict(
                    [(query, text) for text in texts], show_progress_bar=False
                )
        except BROKEN as error:
            return None, f"{self._name} failed: {first_line(error)}"
        scores = [float(score) for score in predictions]
        if not all(map(math.isfinite, scores)):
            return None, f"{self._name} gave scores that are not numbers; {_NEXT_STEP}"
        return scores, None


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
