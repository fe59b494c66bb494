"""A sentence-transformers model run by torch: for GPUs, and for what onnxruntime cannot run.

Importing torch takes seconds, so nothing here imports it before a model is opened.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from graphmem.embedding.embedder import TOGETHER, ModelIdentity, Vector
from graphmem.embedding.query_first import QueryFirstLock

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Texts that are embedded at once; fewer let questions in between sooner.
BATCH = 32
BATCH_BETWEEN_QUERIES = 8
# So long after a question another one is expected.
QUERY_SECONDS = 30.0


class TorchModel:
    """A model that torch runs; one call at a time, and a question before documents that wait.

    Args:
        model: What sentence-transformers opened.
        name: The setting's name of the model, without an organisation.
    """

    together = TOGETHER

    def __init__(self, model: "SentenceTransformer", name: str) -> None:
        import torch  # noqa: PLC0415 - seconds of import, and loaded by now

        self._model = model
        self._threads = torch.get_num_threads()
        self._query_first = QueryFirstLock()
        self.identity = identity_of(model, name)

    def query(self, text: str) -> Vector:
        """The embedding of a question."""
        return self._encode([text], task="query", threads=1)[0]

    def documents(self, texts: Sequence[str], advance: Callable[[int], None]) -> list[Vector]:
        """The embeddings of texts in order, longest first through the model.

        Questions of other threads are embedded in between; they wait for the batch in hand.
        """
        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        vectors: list[Vector] = [[]] * len(texts)
        start = 0
        while batch := order[start : start + self._batch()]:
            start += len(batch)
            batch_vectors = self._encode(
                [texts[i] for i in batch], task="document", threads=self._threads
            )
            for index, vector in zip(batch, batch_vectors, strict=True):
                vectors[index] = vector
            advance(len(batch))
        return vectors

    def _batch(self) -> int:
        has_recent_query = self._query_first.had_query_within(QUERY_SECONDS)
        return BATCH_BETWEEN_QUERIES if has_recent_query else BATCH

    def _encode(
        self, texts: list[str], *, task: Literal["query", "document"], threads: int
    ) -> list[Vector]:
        import torch  # noqa: PLC0415

        with self._query_first.hold(query=task == "query"):
            torch.set_num_threads(threads)
            encode = self._model.encode_query if task == "query" else self._model.encode_document
            matrix = encode(
                texts, batch_size=len(texts), show_progress_bar=False, normalize_embeddings=True
            )
        return [[float(number) for number in row] for row in matrix]


def open_model(source: str, *, local: bool) -> "SentenceTransformer":
    """Open a model with sentence-transformers; seconds of import the first time.

    Args:
        source: A folder, or a name at the model hub.
        local: Whether nothing may be downloaded.
    """
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    from transformers.utils import logging as transformers_logging  # noqa: PLC0415

    transformers_logging.disable_progress_bar()
    return SentenceTransformer(source, local_files_only=local)


def identity_of(model: "SentenceTransformer", name: str) -> ModelIdentity:
    """The identity of a model: its revision is a digest of its weights."""
    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(key.encode())
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return ModelIdentity(
        name=name,
        revision=digest.hexdigest()[:16],
        dimensions=int(model.get_embedding_dimension() or 0),
    )


def has_gpu() -> bool:
    """Whether torch would run a model on a GPU with memory of its own."""
    import torch  # noqa: PLC0415

    return torch.cuda.is_available()
