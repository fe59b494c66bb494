"""An embedding model that loads in a thread of its own and remembers the questions it embedded."""

import logging
import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from graphmem.embedding.embedder import TOGETHER, LoadedModel, ModelIdentity, State, Vector
from graphmem.errors import EmbeddingError, ModelUnavailable, first_line

log = logging.getLogger("graphmem")

# What a model whose files or settings are wrong raises.
BROKEN = (
    OSError, ValueError, RuntimeError, ImportError, LookupError, TypeError, AttributeError,
    EOFError, MemoryError, pickle.UnpicklingError,
)  # fmt: skip

# A model that is unavailable is tried again after the first pause, which doubles up to the longest.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
# Embeddings of questions that are remembered.
CACHED_QUERIES = 1000


class LoadProgress:
    """What is done to a model before it is ready, heard by the thread that loads it.

    Args:
        say: Called with a sentence when something takes long, from a thread of its own.

    Attributes:
        activity: After "the embedding model … is still".
        missing_export: A sentence on why torch runs a model that could be exported, or None.
    """

    def __init__(self, say: Callable[[str], None] = lambda _: None) -> None:
        self._say = say
        self.activity = "loading"
        self.missing_export: str | None = None

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

    One that is unavailable is loaded again when somebody asks for it, after a pause, in the
    background; meanwhile every call fails at once.

    Args:
        name: The setting's name of the model, for messages.
        load: Loads it; what it raises of `BROKEN` is the reason why the model failed for good, and
            `ModelUnavailable` why it cannot be used for a while.
        hint: The next step after a failure, which ends the sentence.
        progress: Hears what is done before the model is ready.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[LoadProgress], LoadedModel],
        *,
        hint: str,
        progress: LoadProgress | None = None,
    ) -> None:
        self._name = name
        self._load_model = load
        self._hint = hint
        self._progress = progress or LoadProgress()
        self._cache: OrderedDict[str, Vector] = OrderedDict()
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._model: LoadedModel | None = None
        self._identity: ModelIdentity | None = None
        self._reason: str | None = None
        self._is_loading = False
        # When it may be loaded again, by the monotonic clock; None where that is of no use.
        self._again: float | None = 0.0
        self._failures = 0

    def start(self) -> None:
        """Begin to load the model unless it is loading, ready, or not to be tried yet."""
        with self._lock:
            is_due = self._again is not None and time.monotonic() >= self._again
            if self._is_loading or self._model is not None or not is_due:
                return
            self._is_loading = True
            threading.Thread(target=self._load, name="graphmem-model", daemon=True).start()

    @property
    def state(self) -> State:
        """Whether the model is loading, ready, unavailable for a while, or failed for good."""
        with self._lock:
            if not self._done.is_set():
                return "loading"
            if self._model is not None:
                return "ready"
            return "failed" if self._again is None else "unavailable"

    @property
    def reason(self) -> str | None:
        """Why the model is not ready, or None."""
        if self.state == "loading":
            return f"the embedding model {self._name} is still {self._progress.activity}"
        return self._reason

    @property
    def missing_export(self) -> str | None:
        """A sentence on why torch runs a model that could be exported, or None."""
        return self._progress.missing_export

    @property
    def together(self) -> int:
        """How many documents it is best given together."""
        model = self._model
        return TOGETHER if model is None else model.together

    def identity(self) -> ModelIdentity:
        """What embeddings are made with; of a model that is unavailable, what they were.

        Raises:
            EmbeddingError: The model was not ready yet.
        """
        return self._identity or self._ready().identity

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most so many seconds until the model is no longer loading; True when ready."""
        self.start()
        self._done.wait(seconds)
        return self.state == "ready"

    def query(self, text: str) -> Vector:
        """The embedding of a question; the last 1,000 are remembered.

        Raises:
            EmbeddingError: The model is not ready or failed on this text.
        """
        with self._lock:
            cached = self._cache.get(text)
            if cached is not None:
                self._cache.move_to_end(text)
                return cached
        model = self._ready()
        with self._translate_errors(model):
            vector = model.query(text)
        with self._lock:
            if model.identity == self._identity:  # not that of a model that was there before
                self._cache[text] = vector
            if len(self._cache) > CACHED_QUERIES:
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
        with self._translate_errors(model):
            return model.documents(texts, advance)

    @contextmanager
    def _translate_errors(self, model: LoadedModel) -> Iterator[None]:
        """Give the model up where it is unavailable, and translate what it raises."""
        try:
            yield
        except ModelUnavailable as error:
            with self._lock:
                if self._model is model:
                    self._model = None
                    self._give_up(error)
            raise
        except BROKEN as error:
            raise EmbeddingError(f"the embedding model failed: {error}") from error

    def _give_up(self, error: ModelUnavailable) -> None:
        """Note that the model cannot be used, and from when on it is tried again."""
        pause = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** min(self._failures, 16))
        self._failures += 1
        self._again = time.monotonic() + max(pause, error.pause)
        if self._reason != str(error):
            log.warning("%s", error)
        self._reason = str(error)

    def _ready(self) -> LoadedModel:
        model = self._model
        if model is not None:
            return model
        reason = self.reason or "the embedding model is not ready"
        raise ModelUnavailable(reason) if self.state == "unavailable" else EmbeddingError(reason)

    def _load(self) -> None:
        failure = self._unusable("see the error above")
        try:
            model = self._load_model(self._progress)
        except ModelUnavailable as error:
            with self._lock:
                self._is_loading = False
                self._give_up(error)
        except BROKEN as error:
            failure = self._unusable(first_line(error))
            log.warning(failure)
        else:
            with self._lock:
                self._is_loading = False
                self._use(model)
        finally:
            with self._lock:
                if self._is_loading:
                    self._is_loading, self._again, self._reason = False, None, failure
            self._done.set()

    def _use(self, model: LoadedModel) -> None:
        if self._failures:
            log.warning("the embedding model %s can be used again", self._name)
        if self._identity not in {None, model.identity}:
            self._cache.clear()
        self._model, self._identity = model, model.identity
        self._reason, self._failures = None, 0

    def _unusable(self, cause: str) -> str:
        return f"the embedding model {self._name} cannot be loaded ({cause}){self._hint}"
