"""An embedding model that loads in a thread of its own and remembers the questions it embedded."""

import logging
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

from graphmem.embedding.embedder import LoadedModel, ModelIdentity, State, Vector
from graphmem.errors import EmbeddingError

log = logging.getLogger("graphmem")

# What a model whose files or settings are wrong raises.
BROKEN = (
    OSError, ValueError, RuntimeError, ImportError, LookupError, TypeError, AttributeError,
    EOFError, MemoryError, pickle.UnpicklingError,
)  # fmt: skip


class Report:
    """What is done to a model before it is ready, heard by the thread that loads it.

    Args:
        say: Hears a sentence when something takes long; from a thread of its own.
    """

    def __init__(self, say: Callable[[str], None] = lambda _: None) -> None:
        self._say = say
        self.activity = "loading"

    def begin(self, activity: str, sentence: str) -> None:
        """Note what is being done, and say so.

        Args:
            activity: After "the embedding model … is still".
            sentence: For a person who waits.
        """
        self.activity = activity
        log.info(sentence)
        self._say(sentence)


class BackgroundEmbedder:
    """A model that loads in a thread of its own; threads may share it.

    Args:
        name: The setting's name of the model, for messages.
        load: Loads it; what it raises of `BROKEN` is the reason why the model failed.
        hint: The next step after a failure, which ends the sentence.
        cache: How many questions' embeddings are kept.
        report: Hears what is done before the model is ready.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[Report], LoadedModel],
        *,
        hint: str,
        cache: int = 1000,
        report: Report | None = None,
    ) -> None:
        self._name = name
        self._load_model = load
        self._hint = hint
        self._report = report or Report()
        self._cache_size = cache
        self._cache: OrderedDict[str, Vector] = OrderedDict()
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._model: LoadedModel | None = None
        self._reason: str | None = None
        self._thread: threading.Thread | None = None
        self.encoded = 0

    def start(self) -> None:
        """Begin to load the model; returns at once, and a second call does nothing."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._load, name="graphmem-model", daemon=True
                )
                self._thread.start()

    @property
    def state(self) -> State:
        """Whether the model is loading, ready or failed."""
        if not self._done.is_set():
            return "loading"
        return "ready" if self._model is not None else "failed"

    @property
    def reason(self) -> str | None:
        """Why the model is not ready, or None."""
        if self.state == "loading":
            return f"the embedding model {self._name} is still {self._report.activity}"
        return self._reason

    def identity(self) -> ModelIdentity:
        """What embeddings are made with.

        Raises:
            EmbeddingError: The model is not ready.
        """
        return self._ready().identity

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the model is ready or failed, at most so many seconds; True when ready."""
        self.start()
        self._done.wait(seconds)
        return self.state == "ready"

    def query(self, text: str) -> Vector:
        """The embedding of a question; the last 1,000 are remembered.

        Raises:
            EmbeddingError: The model is not ready or failed on this text.
        """
        with self._lock:
            known = self._cache.get(text)
            if known is not None:
                self._cache.move_to_end(text)
                return known
        model = self._ready()
        try:
            vector = model.query(text)
        except BROKEN as error:
            raise EmbeddingError(f"the embedding model failed: {error}") from error
        with self._lock:
            self.encoded += 1
            self._cache[text] = vector
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
        return vector

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """The embeddings of texts in order; questions of other threads are embedded in between.

        Raises:
            EmbeddingError: The model is not ready or failed on these texts.
        """
        if not texts:
            return []
        model = self._ready()
        try:
            vectors = model.documents(texts, advance)
        except BROKEN as error:
            raise EmbeddingError(f"the embedding model failed: {error}") from error
        with self._lock:
            self.encoded += len(texts)
        return vectors

    def _ready(self) -> LoadedModel:
        if self._model is None:
            raise EmbeddingError(self.reason or "the embedding model is not ready")
        return self._model

    def _load(self) -> None:
        try:
            self._model = self._load_model(self._report)
        except BROKEN as error:
            first = (str(error).splitlines() or [type(error).__name__])[0]
            self._reason = self._unusable(first)
            log.warning(self._reason)
        finally:
            if self._model is None and self._reason is None:
                self._reason = self._unusable("see the error above")
            self._done.set()

    def _unusable(self, why: str) -> str:
        return f"the embedding model {self._name} cannot be loaded ({why}){self._hint}"
