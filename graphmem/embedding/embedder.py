"""What the verbs need of an embedding model, and what is embedded of a passage."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

TEMPLATE = "name, title, text; one a line"

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


class LoadedModel(Protocol):
    """A model that is in memory or can be reached; threads may share it."""

    @property
    def identity(self) -> ModelIdentity:
        """What embeddings are made with."""

    def query(self, text: str) -> Vector:
        """The embedding of a question, of length 1."""

    def documents(self, texts: Sequence[str], advance: Callable[[int], None]) -> list[Vector]:
        """The embeddings of texts in order, of length 1; `advance` hears how many more are done."""


def document(name: str, title: str | None, text: str) -> str:
    """What is embedded of a passage: the entity's name and title above its text."""
    lines = [name] if title is None or title == name else [name, title]
    return "\n".join([*lines, text.strip()])
