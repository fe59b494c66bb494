"""Use a store as people do: what the private Neo4j runs while its AOT cache is recorded.

`python -m graphmem.memory.store.exercise` opens the store of `GRAPHMEM_HOME`, an empty one that is
gone afterwards, writes a few entities and reads them in the ways that matter at a start. What the
server loads meanwhile is what later servers start with.
"""

from collections.abc import Callable, Sequence

from graphmem import settings
from graphmem.embedding import ModelIdentity, State, Vector
from graphmem.memory.facade import Memory

PROJECT = "exercise"
DIMENSIONS = 384
ENTITIES = 40
ROUNDS = 5
QUERIES = ("tide feed of harbour 7", "Station 3", "+harbour -ferry", '"tide feed"', "приливы")


class _Counting:
    """Embeds a text by counting its letters: vectors that differ, without a model."""

    state: State = "ready"
    reason: str | None = None
    together = ENTITIES

    def identity(self) -> ModelIdentity:
        """Name no model that exists."""
        return ModelIdentity(name=PROJECT, revision="0", dimensions=DIMENSIONS)

    def wait(self, seconds: float | None = None) -> bool:  # noqa: ARG002 - the protocol's
        """Be ready at once."""
        return True

    def query(self, text: str) -> Vector:
        """Count the letters of a question."""
        counts = [1.0] * DIMENSIONS
        for letter in text:
            counts[ord(letter) % DIMENSIONS] += 1.0
        return counts

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """Count the letters of texts."""
        advance(len(texts))
        return [self.query(text) for text in texts]


def exercise(config: settings.Settings) -> None:
    """Write, search, read and count in the store of the settings.

    Raises:
        GraphmemError: The store cannot be opened or used.
    """
    entities = [
        {
            "name": f"Station {number}",
            "kind": "Service",
            "tags": [f"t{number % 3}"],
            "text": f"The tide feed {number} tells harbour {number % 11} of the water level.",
            "observations": [f"It ran late {number} times."],
        }
        for number in range(ENTITIES)
    ]
    relations = [
        {"from": f"Station {number}", "relation": "FOLLOWS", "to": f"Station {number - 1}"}
        for number in range(1, ENTITIES)
    ]
    with Memory.open(project=PROJECT, config=config, embedder=_Counting()) as memory:
        memory.remember(entities, relations)
        for _ in range(ROUNDS):
            for query in QUERIES:
                memory.search(query)
        memory.search("tide", kinds=["Service"], tags=["t1"])
        memory.context("tide feed", budget=1000)
        memory.get("Station 3")
        memory.stats()


def main() -> None:
    """Exercise the store that the environment names."""
    exercise(settings.load())


if __name__ == "__main__":
    main()
