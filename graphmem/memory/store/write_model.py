"""The embedding model as one write uses it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphmem.embedding import Embedder, ModelIdentity, RecentEmbeddings, Vector
from graphmem.errors import EmbeddingError


@dataclass
class WriteModel:
    """The model as one write uses it; remembers whether it failed.

    Args:
        inner: The model, ready.
        recent: Keeps what is embedded, for a write that may be killed and run again; or None.
        failure: What it failed with, or None.
    """

    inner: Embedder
    recent: RecentEmbeddings | None = None
    failure: str | None = None

    def identity(self) -> ModelIdentity:
        """What embeddings are made with."""
        return self.inner.identity()

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """The embeddings of texts, in order.

        Raises:
            EmbeddingError: The model failed, which is remembered.
        """
        try:
            if self.recent is None:
                return self.inner.documents(texts, advance=advance)
            return self._with_recent(self.recent, texts, advance)
        except EmbeddingError as error:
            self.failure = str(error)
            raise

    def _with_recent(
        self, recent: RecentEmbeddings, texts: Sequence[str], advance: Callable[[int], None]
    ) -> list[Vector]:
        model = self.identity()
        vectors = recent.find(model, texts)
        advance(sum(text in vectors for text in texts))
        missing = sorted({text for text in texts if text not in vectors}, key=len, reverse=True)
        while missing:
            together = self.inner.together  # the model may have learnt how quick it is
            batch, missing = missing[:together], missing[together:]
            new_vectors = dict(
                zip(batch, self.inner.documents(batch, advance=advance), strict=True)
            )
            recent.add(model, new_vectors)
            vectors |= new_vectors
        return [vectors[text] for text in texts]
