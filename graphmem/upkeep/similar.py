"""Entities whose passages mean nearly the same: perhaps one thing under two names."""

from dataclasses import dataclass

from graphmem.graph import Graph

THRESHOLD = 0.85
ENTITIES = 5000
BATCH = 200
NEAR = 20


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities, the one whose key comes first named first.

    Args:
        one: A key.
        other: Another key.
        cosine: The best of two of their passages, in [-1, 1].
    """

    one: str
    other: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs found, best first, ties by their keys.

    Args:
        pairs: Each pair once.
        whole: Whether every entity was compared; otherwise the first 5,000 by key.
    """

    pairs: tuple[Pair, ...]
    whole: bool


def similar(graph: Graph, project: str, *, threshold: float = THRESHOLD, limit: int = 10) -> Pairs:
    """Find the living entities of a project that are near one another by meaning.

    Each passage is compared with the 20 nearest to it, so of more than 20 copies of one text not
    every pair is given.
    """
    best: dict[tuple[str, str], float] = {}
    compared, after = 0, ""
    while compared < ENTITIES and (
        rows := graph.read(
            "read/similar_entities",
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
                one, other = sorted((row["key"], pair["key"]))
                best[one, other] = max(best.get((one, other), -1.0), pair["cosine"])
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    pairs = tuple(Pair(*keys, cosine) for keys, cosine in ranked[:limit])
    return Pairs(pairs, whole=compared < ENTITIES)
