"""Stand-ins for tests: a model without torch. The database is never faked."""

import hashlib
import math
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from graphmem.embedding import (
    DEFAULT_MODEL,
    DEFAULT_REVISION,
    TOGETHER,
    ModelIdentity,
    State,
    Vector,
)
from graphmem.errors import EmbeddingError

# The real default model, so that a store written with the fake can be searched with the real one;
# a live test compares the two.
DEFAULT_IDENTITY = ModelIdentity(name=DEFAULT_MODEL, revision=DEFAULT_REVISION, dimensions=384)
STEM_LETTERS = 5
PLACES_PER_WORD = 4

_WORD = re.compile(r"\w+")


@dataclass
class FakeEmbedder:
    """A bag of hashed stems: texts that share words are near, and the same text is always the same.

    Args:
        made_with: The identity it claims.
        state: Whether it is loading, ready or failed; set it to see what its callers do.
        reason: Why it is not ready.
        together: How many documents it is given together.
        embedded: Every document it was given, in order.
        batches: How many documents it was given each time.
        asked: Every query it was given, in order.
    """

    made_with: ModelIdentity = DEFAULT_IDENTITY
    state: State = "ready"
    reason: str | None = None
    together: int = TOGETHER
    embedded: list[str] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def identity(self) -> ModelIdentity:
        """The identity it claims."""
        return self.made_with

    def wait(self, seconds: float | None = None) -> bool:  # noqa: ARG002 - the protocol's
        """Answer at once: a fake does not change by itself."""
        return self.state == "ready"

    def query(self, text: str) -> Vector:
        """The embedding of a question."""
        self.asked.append(text)
        return vector(text, self.made_with.dimensions)

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """The embeddings of texts, in order."""
        self.embedded.extend(texts)
        self.batches.append(len(texts))
        advance(len(texts))
        return [vector(text, self.made_with.dimensions) for text in texts]


@dataclass
class OddEmbedder(FakeEmbedder):
    """Gives queries an embedding of one's own choosing, or fails on every one."""

    gives: Vector | None = None

    def query(self, text: str) -> Vector:
        if self.gives is None:
            raise EmbeddingError(f"the embedding model failed: {len(text)} letters too many")
        return self.gives


@dataclass
class HeldEmbedder(FakeEmbedder):
    """Stops at documents that hold a word until it is let go on.

    Args:
        word: What the documents hold that it stops at.
        reached: Set once it has stopped.
        go: Set it to let it go on.
    """

    word: str = "backlog"
    reached: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        if any(self.word in text for text in texts):
            self.reached.set()
            self.go.wait()
        return super().documents(texts, advance=advance)


@dataclass
class PoisonedEmbedder(FakeEmbedder):
    """Fails on documents that hold a word."""

    word: str = "poison"

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        if any(self.word in text for text in texts):
            raise EmbeddingError("the embedding model failed: out of memory")
        return super().documents(texts, advance=advance)


@dataclass
class EndlessEmbedder(FakeEmbedder):
    """Never done with loading; remembers how long it was waited for each time."""

    state: State = "loading"
    reason: str | None = "the embedding model is still being downloaded from the model hub"
    waited: list[float | None] = field(default_factory=list)

    def wait(self, seconds: float | None = None) -> bool:
        assert seconds is not None, "nobody waits without an end"
        self.waited.append(seconds)
        time.sleep(seconds)
        return False


def vector(text: str, dimensions: int) -> Vector:
    """A unit vector: each stem of the text adds to four places that its digest names."""
    made = [0.0] * dimensions
    made[0] = 1e-3  # a text without words has a direction too
    for word in _WORD.findall(text.casefold()):
        digest = hashlib.blake2b(word[:STEM_LETTERS].encode()).digest()
        for place in range(PLACES_PER_WORD):
            number = int.from_bytes(digest[4 * place : 4 * place + 4], "big")
            made[(number >> 1) % dimensions] += 1.0 if number & 1 else -1.0
    length = math.sqrt(sum(part * part for part in made))
    return [part / length for part in made]
