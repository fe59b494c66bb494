"""An embedding model that loads in the background and remembers the questions it embedded."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from graphmem.embedding.background_model import BROKEN, BackgroundModel, LoadProgress
from graphmem.embedding.embedder import TOGETHER, LoadedModel, ModelIdentity, Vector
from graphmem.errors import EmbeddingError, ModelUnavailable

# Embeddings of questions that are remembered.
CACHED_QUERIES = 1000


class BackgroundEmbedder(BackgroundModel[LoadedModel]):
    """An embedding model that loads in a thread of its own; threads may share it.

    Args:
        name: The setting's name of the model, for messages.
        load: As for `BackgroundModel`.
        hint: Likewise.
        progress: Likewise.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[LoadProgress], LoadedModel],
        *,
        hint: str,
        progress: LoadProgress | None = None,
    ) -> None:
        super().__init__(f"the embedding model {name}", load, hint=hint, progress=progress)
        self._cache: OrderedDict[str, Vector] = OrderedDict()
        self._identity: ModelIdentity | None = None

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

    def _use(self, model: LoadedModel) -> None:
        if self._identity not in {None, model.identity}:
            self._cache.clear()
        self._identity = model.identity
        super()._use(model)
