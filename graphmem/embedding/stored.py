"""What a store's own node notes of the models that made its embeddings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from graphmem.embedding.embedder import ModelIdentity

# Before the names of the properties that note a model.
CURRENT = "model_"
NEXT = "next_model_"

_IDENTITY_FIELDS = tuple(field.name for field in fields(ModelIdentity))


@dataclass(frozen=True, slots=True)
class StoredModels:
    """The set of embeddings that is searched, and what there is of another.

    Sets are numbered, and each is of one model. Those of even and of odd numbers take turns in two
    properties of passages, so that one is searched while the next one is made.

    Args:
        number: The set that is searched: 0, and one more each time another took its place.
        current: The model of that set; None where nothing was embedded yet.
        next: The model of the next set, where that is being made.
        leftover: Whether embeddings that are not searched, and never will be, are to be removed.
        after: The last entity, by key, that whoever makes or removes embeddings has taken on.
    """

    number: int = 0
    current: ModelIdentity | None = None
    next: ModelIdentity | None = None
    leftover: bool = False
    after: str = ""

    @classmethod
    def of(cls, store: Mapping[str, Any]) -> Self:
        """Read the properties of the store's node."""
        return cls(
            number=store.get("embedding_set", 0),
            current=_identity(store, CURRENT),
            next=_identity(store, NEXT),
            leftover=store.get("embeddings_left", False),
            after=store.get("embeddings_after", ""),
        )

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[str, Any]]) -> Self:
        """Read the rows of `read/store`: none for a store that has no node yet."""
        return cls.of(rows[0]["store"]) if rows else cls()

    def searches(self, model: ModelIdentity) -> bool:
        """Whether the embeddings that are searched are a model's."""
        return self.current is not None and model.matched(self.current) == self.current

    def makes(self, model: ModelIdentity) -> bool:
        """Whether the embeddings that are being made are a model's."""
        return self.next is not None and model.matched(self.next) == self.next

    def makes_the_same_as(self, earlier: "StoredModels") -> bool:
        """Whether the next set is still the one that was being made at an earlier moment."""
        return (self.number, self.next) == (earlier.number, earlier.next)

    def properties(self) -> dict[str, Any]:
        """The properties of the store's node, null where it is to have none."""
        return {
            "embedding_set": self.number or None,
            **_properties(self.current, CURRENT),
            **_properties(self.next, NEXT),
            "embeddings_left": self.leftover or None,
            "embeddings_after": self.after or None,
        }


def described(model: ModelIdentity) -> str:
    """A model as messages name it."""
    return f"{model.name} ({model.revision})"


def _identity(store: Mapping[str, Any], prefix: str) -> ModelIdentity | None:
    if store.get(f"{prefix}name") is None:
        return None
    return ModelIdentity(**{name: store[f"{prefix}{name}"] for name in _IDENTITY_FIELDS})


def _properties(identity: ModelIdentity | None, prefix: str) -> dict[str, Any]:
    values = dict.fromkeys(_IDENTITY_FIELDS) if identity is None else asdict(identity)
    return {f"{prefix}{name}": value for name, value in values.items()}
