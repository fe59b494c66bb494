"""Entities that may be one thing: by their names, by what their passages mean, by their links."""

from graphmem import statements
from graphmem.embedding import StoredModels
from graphmem.graph import Graph, Row
from graphmem.model.duplicates import Duplicates, Pair
from graphmem.model.provenance import CALLER, CODE, FIRST_LINE, LAST_LINE
from graphmem.progress import SILENT, Progress

ENTITIES = 5000
# A statement must end in time also where others keep the machine busy.
BATCH = 50
NEAR = 20
# What each shared neighbour adds to a cosine where pairs are put in order.
NEIGHBOUR = 0.01


def duplicates(
    graph: Graph,
    project: str,
    *,
    threshold: float,
    limit: int,
    by_meaning_only: bool,
    progress: Progress = SILENT,
) -> Duplicates:
    """Find living entities of a project that may be one; one statement for each 50 entities.

    Each passage is compared with the 20 nearest to it, so of more than 20 copies of one text not
    every pair is given.

    Args:
        graph: The store.
        project: The project.
        threshold: The least cosine of two passages, in [0, 1]; one name is enough without, unless
            both are code of which only imports speak.
        limit: The most pairs.
        by_meaning_only: Whether a name in common counts for nothing, and pairs are ordered by their
            cosine.
        progress: Receives the progress of the comparison.
    """
    models = StoredModels.of_rows(graph.read("read/store"))
    pairs: dict[tuple[str, str], Pair] = {}
    compared, after = 0, ""
    while rows := graph.read(
        statements.of_embeddings("read/close_entities", models.number),
        project=project,
        after=after,
        limit=BATCH,
        near=NEAR,
        threshold=threshold,
        caller=CALLER,
        code=CODE,
        first=FIRST_LINE,
        last=LAST_LINE,
        dimensions=models.current.dimensions if models.current else None,
    ):
        if compared >= ENTITIES:
            break
        compared, after = compared + len(rows), rows[-1]["key"]
        if len(rows) == BATCH:
            progress.advance("Comparing entities", compared, compared + 1)
        for pair in (_pair(row, other) for row in rows for other in row["close"]):
            earlier = pairs.get(pair.keys)
            # From either side, only the nearest are looked at.
            if earlier is None or (pair.cosine or 0.0) > (earlier.cosine or 0.0):
                pairs[pair.keys] = pair
    if by_meaning_only:
        similar_pairs = [pair for pair in pairs.values() if pair.cosine is not None]
        ordered = sorted(similar_pairs, key=lambda pair: (-(pair.cosine or 0.0), pair.keys))
    else:
        ordered = sorted(pairs.values(), key=_order)
    return Duplicates(project, tuple(ordered[:limit]), complete=not rows)


def _pair(row: Row, other: Row) -> Pair:
    first, second = sorted((row, other), key=lambda entity: str(entity["key"]))
    return Pair(
        first=first["name"],
        second=second["name"],
        keys=(first["key"], second["key"]),
        cosine=other["cosine"],
        names=tuple(sorted(other["names"])),
        neighbours=other["neighbours"],
    )


def _order(pair: Pair) -> tuple[bool, float, tuple[str, str]]:
    likely = (pair.cosine or 0.0) + NEIGHBOUR * pair.neighbours
    return (not pair.names, -likely, pair.keys)
