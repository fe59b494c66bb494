"""The one door to sentence-transformers: loads the model in the background and makes embeddings.

Importing torch takes seconds, so nothing here imports it before `SentenceEmbedder.start`.
"""

import hashlib
import logging
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from graphmem.embedding.embedder import ModelIdentity, State, Vector
from graphmem.embedding.models import DEFAULT_MODEL, folder_of, hub_name, packaged_model
from graphmem.embedding.query_first import QueryFirstLock
from graphmem.errors import EmbeddingError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

log = logging.getLogger("graphmem")

# Texts that are embedded at once; fewer take longer in all, and let questions in between.
BATCH = 32
BATCH_BETWEEN_QUERIES = 8
# So long after a question another one is expected.
QUERY_SECONDS = 30.0

# What a model whose files or settings are wrong raises.
_BROKEN = (
    OSError, ValueError, RuntimeError, ImportError, LookupError, TypeError, AttributeError,
    EOFError, MemoryError, pickle.UnpicklingError,
)  # fmt: skip


class SentenceEmbedder:
    """A sentence-transformers model that loads in a thread of its own; threads may share it.

    Args:
        model: A name at the model hub, or the path of a folder, see `folder_of`.
        hub: Whether a model that is not on this machine may be downloaded.
        cache: How many questions' embeddings are kept.
    """

    def __init__(self, model: str, *, hub: bool = True, cache: int = 1000) -> None:
        self._name = model
        self._hub = hub
        self._cache_size = cache
        self._cache: OrderedDict[str, Vector] = OrderedDict()
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._query_first = QueryFirstLock()
        self._model: SentenceTransformer | None = None
        self._identity: ModelIdentity | None = None
        self._reason: str | None = None
        self._thread: threading.Thread | None = None
        self._threads = 1
        self._downloads = False
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
            doing = "being downloaded from the model hub" if self._downloads else "loading"
            return f"the embedding model {self._name} is still {doing}"
        return self._reason

    def identity(self) -> ModelIdentity:
        """What embeddings are made with.

        Raises:
            EmbeddingError: The model is not ready.
        """
        if self._identity is None:
            raise EmbeddingError(self.reason or "the embedding model is not ready")
        return self._identity

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
        vector = self._encode([text], task="query", threads=1)[0]
        with self._lock:
            self._cache[text] = vector
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
        return vector

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """The embeddings of texts in order, longest first through the model.

        Questions of other threads are embedded in between; they wait for the batch in hand.

        Raises:
            EmbeddingError: The model is not ready or failed on these texts.
        """
        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        vectors: list[Vector] = [[]] * len(texts)
        start = 0
        while batch := order[start : start + self._batch()]:
            start += len(batch)
            made = self._encode([texts[i] for i in batch], task="document", threads=self._threads)
            for index, vector in zip(batch, made, strict=True):
                vectors[index] = vector
            advance(len(batch))
        return vectors

    def _batch(self) -> int:
        queried = self._query_first.had_query_within(QUERY_SECONDS)
        return BATCH_BETWEEN_QUERIES if queried else BATCH

    def _encode(
        self, texts: list[str], *, task: Literal["query", "document"], threads: int
    ) -> list[Vector]:
        if self._model is None:
            raise EmbeddingError(self.reason or "the embedding model is not ready")
        import torch  # noqa: PLC0415 - seconds of import, and loaded by now

        with self._query_first.held(query=task == "query"):
            torch.set_num_threads(threads)
            encode = self._model.encode_query if task == "query" else self._model.encode_document
            try:
                made = encode(
                    texts, batch_size=len(texts), show_progress_bar=False, normalize_embeddings=True
                )
            except _BROKEN as error:
                raise EmbeddingError(f"the embedding model failed: {error}") from error
            self.encoded += len(texts)
        return [[float(number) for number in row] for row in made]

    def _load(self) -> None:
        try:
            model = self._open()
            self._identity = ModelIdentity(
                name=(folder_of(self._name) or Path(self._name)).name,
                revision=_weights_digest(model),
                dimensions=int(model.get_embedding_dimension() or 0),
            )
            self._model = model
        except _BROKEN as error:
            first = (str(error).splitlines() or [type(error).__name__])[0]
            self._reason = self._unloadable(first)
            log.warning(self._reason)
        finally:
            if self._model is None and self._reason is None:
                self._reason = self._unloadable("see the error above")
            self._done.set()

    def _unloadable(self, why: str) -> str:
        folder = folder_of(self._name) is None and Path(self._name).is_dir()
        meant = f"; the folder of that name is ./{self._name}" if folder else ""
        return (
            f"the embedding model {self._name} cannot be loaded ({why}){meant}; set GRAPHMEM_MODEL "
            "to the path of a folder, or `pip install 'graphmem[offline]'`"
        )

    def _open(self) -> "SentenceTransformer":
        # Seconds of import, so here and not above.
        import torch  # noqa: PLC0415
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils import logging as transformers_logging  # noqa: PLC0415

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        self._threads = torch.get_num_threads()
        folder = folder_of(self._name)
        if folder is not None:
            if not folder.is_dir():
                raise FileNotFoundError(f"{folder} is no folder")
            return SentenceTransformer(str(folder))
        packaged = packaged_model() if self._name == DEFAULT_MODEL else None
        if packaged is not None:
            return SentenceTransformer(str(packaged))
        name = hub_name(self._name)
        try:
            return SentenceTransformer(name, local_files_only=True)
        except (OSError, ValueError):
            if not self._hub:
                raise
        self._downloads = True
        return SentenceTransformer(name)


def _weights_digest(model: "SentenceTransformer") -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]
