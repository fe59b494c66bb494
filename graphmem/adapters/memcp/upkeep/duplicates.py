"""Entities whose passages mean nearly the same: perhaps one thing under two names."""

from dataclasses import dataclass

from graphmem import queries
from graphmem.embedding import StoredModels
from graphmem.graph import Graph

THRESHOLD = 0.85
ENTITIES = 5000
BATCH = 200
NEAR = 20


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities, in the order of their keys.

    Args:
        first: A key.
        second: Another key.
        cosine: That of the two passages that are nearest to each other, in [-1, 1].
    """

    first: str
    second: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of entities, nearest first, ties by their keys.

    Args:
        pairs: Each pair once.
        whole: Whether every entity was compared; otherwise the first 5,000 by key.
    """

    pairs: tuple[Pair, ...]
    whole: bool


def duplicates(
    graph: Graph, project: str, *, threshold: float = THRESHOLD, limit: int = 10
) -> Pairs:
    """Find the active entities of a project that are near one another by meaning.

    Each passage is compared with the 20 nearest to it, so of more than 20 copies of one text not
    every pair is given.
    """
    rows = graph.read("read/store")
    number = StoredModels.of(rows[0]["store"]).number if rows else 0
    best: dict[tuple[str, str], float] = {}
    compared, after = 0, ""
    while compared < ENTITIES and (
        rows := graph.read(
            queries.of_embeddings("read/similar_entities", number),
            project=project,
            after=after,
            limit=BATCH,
            near=NEAR,
            threshold=threshold,
        )
    ):
        compared, after = compared + len(rows), rows[-1]["key"]
        for row in rows:
            for pair in row["pairs"]:
                first, second = sorted((row["key"], pair["key"]))
                best[first, second] = max(best.get((first, second), -1.0), pair["cosine"])
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    pairs = tuple(Pair(*keys, cosine) for keys, cosine in ranked[:limit])
    return Pairs(pairs, whole=compared < ENTITIES)
