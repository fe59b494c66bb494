"""Embeddings that a write brings along, and whether the store still searches those of their model.

Another process may put the embeddings of another model in the place of those that are searched, at
any moment. So a transaction that writes embeddings looks which set is searched before it writes
them, and again behind each statement that did. A change of an index of passages waits for every
transaction that has written a passage; the embeddings of the set before are removed behind such a
change. So either a writer sees the new set, or whoever removes the old one sees what it wrote.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from graphmem import statements
from graphmem.embedding import ModelIdentity, StoredModels, Vector
from graphmem.errors import EmbeddingsReplaced
from graphmem.graph import Reader, Row, Transaction

log = logging.getLogger("graphmem")

Result = TypeVar("Result")


def again_if_replaced(work: Callable[[], Result]) -> Result:
    """Run a write, and again where the store searches another model's embeddings since then."""
    while True:
        try:
            return work()
        except EmbeddingsReplaced:
            log.info("the store searches the embeddings of another model now; writing again")


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Embeddings of passages, by digest.

    Args:
        vectors: The embeddings.
        model: The model they were made with; None where there are none.
    """

    vectors: Mapping[str, Vector] = field(default_factory=dict)
    model: ModelIdentity | None = None


@dataclass(frozen=True, slots=True)
class SearchedSet:
    """The set of embeddings that is searched, as a transaction sees it.

    Args:
        number: Its number.
        vectors: What is written into it, by digest.
    """

    number: int
    vectors: Mapping[str, Vector]

    @property
    def own_property(self) -> str:
        """The property of passages that it is kept in."""
        return statements.embedding_property(self.number)

    @property
    def other_property(self) -> str:
        """The property that the next set is made in."""
        return statements.embedding_property(self.number + 1)

    def check(self, rows: Sequence[Row]) -> None:
        """Check what a statement gave that may have written embeddings.

        Raises:
            EmbeddingsReplaced: Another set is searched by now.
        """
        if self.vectors and any(row["embedding_set"] != self.number for row in rows):
            raise EmbeddingsReplaced


def searched_set(transaction: Transaction, embeddings: Embeddings) -> SearchedSet:
    """The set that is searched, with those embeddings that belong to it: all of them or none."""
    if not embeddings.vectors or embeddings.model is None:
        return SearchedSet(0, {})
    models = stored_models(transaction)
    is_right = models.current is None or models.searches(embeddings.model)
    return SearchedSet(models.number, embeddings.vectors if is_right else {})


def stored_models(reader: Reader) -> StoredModels:
    """What the store notes of its models."""
    return StoredModels.of_rows(reader.read("read/store"))


def locked_models(transaction: Transaction) -> StoredModels:
    """Lock the store's node, and return which models it notes."""
    return StoredModels.of(transaction.run("write/lock_store_record")[0]["store"])


def note_models(transaction: Transaction, models: StoredModels) -> StoredModels:
    """Note what shall be noted; the store's node is locked."""
    transaction.run("write/note_in_store_record", properties=models.properties())
    return models
