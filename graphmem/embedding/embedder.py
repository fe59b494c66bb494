"""What the verbs need of an embedding model, and what is embedded of a passage."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from graphmem.model.spelling import usual_letters

# A part of the identity, so another wording would have every store embedded again: it names no
# lead-in, which stands above the text of few entities.
TEMPLATE = "name, title, text; one a line"

# What Neo4j's vector indexes hold.
MOST_DIMENSIONS = 4096

# Documents that a model is given together where that is of no help to it.
TOGETHER = 32

# Before a revision that tells what a model does, where its weights cannot be seen.
PROBED = "probe-"
# Of 128 signs: a model of 4 bits a weight differs in 12 from the same of 32, another in 60.
_MOST_DIFFERENT_SIGNS = 16

State = Literal["loading", "ready", "unavailable", "failed"]
Vector = list[float]


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """What embeddings were made with; embeddings of two identities cannot be compared.

    Args:
        name: The setting's name of the model, without an organisation.
        revision: A digest of the weights, the same wherever they were loaded from; where they
            cannot be seen, `probe-` and what `fingerprint` tells of the embeddings.
        dimensions: The length of an embedding.
        template: What of a passage is embedded.
    """

    name: str
    revision: str
    dimensions: int
    template: str = TEMPLATE

    def matched(self, stored_identity: "ModelIdentity | None") -> "ModelIdentity":
        """The stored identity if it is this model's, else this one.

        Two servers may name a model differently and run it at different precisions.
        """
        if stored_identity is None or not self._is_like(stored_identity):
            return self
        return stored_identity

    def _is_like(self, other: "ModelIdentity") -> bool:
        if replace(self, name=other.name, revision=other.revision) != other:
            return False
        own_signs, other_signs = (
            identity.revision.removeprefix(PROBED) if identity.revision.startswith(PROBED) else ""
            for identity in (self, other)
        )
        try:
            different_signs = int(own_signs, 16) ^ int(other_signs, 16)
        except ValueError:  # the weights of one were seen
            return self == other
        return (
            len(own_signs) == len(other_signs)
            and different_signs.bit_count() <= _MOST_DIFFERENT_SIGNS
        )


class DocumentEmbedder(Protocol):
    """What a write needs of a model that is ready."""

    def identity(self) -> ModelIdentity:
        """What embeddings are made with; only once it was ready."""

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """The embeddings of texts, in order; `advance` hears how many more are done."""


class Embedder(DocumentEmbedder, Protocol):
    """What the verbs need of a model."""

    @property
    def state(self) -> State:
        """Whether the model is loading, ready, unavailable for a while, or failed for good."""

    @property
    def together(self) -> int:
        """How many documents it is best given together."""

    @property
    def reason(self) -> str | None:
        """Why the model is not ready, or None."""

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the model is no longer loading; True when it is ready.

        One that is unavailable is tried again in the background now and then; nothing waits for it.
        """

    def query(self, text: str) -> Vector:
        """The embedding of a question."""


class LoadedModel(Protocol):
    """A model that is in memory or can be reached; threads may share it.

    What it raises is of `EmbeddingError` or `BROKEN`; `ModelUnavailable` means that it has to be
    loaded again.
    """

    @property
    def together(self) -> int:
        """How many documents it is best given together."""

    @property
    def identity(self) -> ModelIdentity:
        """What embeddings are made with."""

    def query(self, text: str) -> Vector:
        """The embedding of a question, of length 1."""

    def documents(self, texts: Sequence[str], advance: Callable[[int], None]) -> list[Vector]:
        """The embeddings of texts in order, of length 1; `advance` hears how many more are done."""


def document(name: str, title: str | None, text: str, lead_in: str | None = None) -> str:
    """What is embedded of a passage: above its text the entity's name, title and lead-in.

    These are in the form NFKC, whose letters models know.
    Somebody may have written a number by hand as a title or lead-in; it is embedded as its digits.
    """
    lines = [name] if title is None or title == name else [name, str(title)]
    names = usual_letters("\n".join([*lines, *([str(lead_in)] if lead_in else [])]))
    return f"{names}\n{text.strip()}"
