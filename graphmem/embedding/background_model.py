"""A model that loads in a thread of its own, and again later where it could not be used."""

import logging
import pickle
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from graphmem.embedding.embedder import State
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

Loaded = TypeVar("Loaded")


class LoadProgress:
    """What is done to a model before it is ready, heard by the thread that loads it.

    Args:
        say: Called with a sentence when something takes long, from a thread of its own.

    Attributes:
        activity: After the model's name, such as "is still loading".
        missing_export: A sentence on why torch runs a model that could be exported, or None.
    """

    def __init__(self, say: Callable[[str], None] = lambda _: None) -> None:
        self._say = say
        self.activity = "is still loading"
        self.missing_export: str | None = None

    def begin(self, activity: str, sentence: str) -> None:
        """Note what is being done, and say so.

        Args:
            activity: After the model's name and "is still".
            sentence: For a person who waits.
        """
        self.activity = f"is still {activity}"
        log.info(sentence)
        self._say(sentence)


class BackgroundModel(Generic[Loaded]):
    """A model that loads in a thread of its own; threads may share it.

    One that is unavailable is loaded again when somebody asks for it, after a pause, in the
    background; meanwhile every call fails at once.

    Args:
        name: As messages call it, such as `the embedding model NAME`.
        load: Loads it; what it raises of `BROKEN` is the reason why the model failed for good, and
            `ModelUnavailable` why it cannot be used for a while.
        hint: The next step after a failure, which ends the sentence.
        progress: Hears what is done before the model is ready.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[LoadProgress], Loaded],
        *,
        hint: str,
        progress: LoadProgress | None = None,
    ) -> None:
        self._name = name
        self._load_model = load
        self._hint = hint
        self._progress = progress or LoadProgress()
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._model: Loaded | None = None
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
            return f"{self._name} {self._progress.activity}"
        return self._reason

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most so many seconds until the model is no longer loading; True when ready."""
        self.start()
        self._done.wait(seconds)
        return self.state == "ready"

    def _give_up(self, error: ModelUnavailable) -> None:
        """Note that the model cannot be used, and from when on it is tried again."""
        pause = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** min(self._failures, 16))
        self._failures += 1
        self._again = time.monotonic() + max(pause, error.pause)
        if self._reason != str(error):
            log.warning("%s", error)
        self._reason = str(error)

    def _ready(self) -> Loaded:
        model = self._model
        if model is not None:
            return model
        reason = self.reason or f"{self._name} is not ready"
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

    def _use(self, model: Loaded) -> None:
        """Take a model that was loaded; the caller holds the lock."""
        if self._failures:
            log.warning("%s can be used again", self._name)
        self._model = model
        self._reason, self._failures = None, 0

    def _unusable(self, cause: str) -> str:
        return f"{self._name} cannot be loaded ({cause}){self._hint}"
