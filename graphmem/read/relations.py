"""Relations between given entities, and the entities that one relation leads to."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from graphmem.batches import batches
from graphmem.graph import Graph, Row
from graphmem.model.period import time_parameter, validity
from graphmem.model.stored_values import bound
from graphmem.view import ShownIdentity, ShownRelation

PAGE = 100
# The most relations that are read of one entity, and the most that are returned, heaviest first.
SCAN = 10_000
FANOUT = 200
# The most pairs of entities that both have more relations; each pair is looked up by itself.
MOST_PAIRS = 5_000


def between(graph: Graph, keys: Sequence[str]) -> list[ShownRelation]:
    """Every relation between two of some entities of one project each, by ends, type and period.

    Of an entity with more than 200 relations the heaviest are read; the others are found from their
    other ends. Between two such entities only the heaviest relation is certain to be found.
    """
    shown_keys = set(keys)
    relations_by_identity: dict[ShownIdentity, ShownRelation] = {}
    crowded_keys: list[str] = []
    for page in batches(keys, most=PAGE):
        rows = _neighbours(graph, page, FANOUT)
        counts: dict[str, int] = {}
        for row in rows:
            counts[row["start"]] = counts.get(row["start"], 0) + 1
            if row["key"] in shown_keys:
                relation = _related(row, row["key"])
                relations_by_identity.setdefault(relation.identity, relation)
        crowded_keys += [key for key, count in counts.items() if count == FANOUT]
    pairs = [{"start": a, "end": b} for a, b in combinations(sorted(crowded_keys), 2)][:MOST_PAIRS]
    for row in _joining(graph, pairs):
        relation = _related(row, row["end"])
        relations_by_identity.setdefault(relation.identity, relation)
    return [relations_by_identity[identity] for identity in sorted(relations_by_identity)]


def around(graph: Graph, key: str) -> tuple[list[str], bool]:
    """The living entities one relation away, heaviest relation first; and whether these are all."""
    rows = _neighbours(graph, [key], SCAN)
    return list(dict.fromkeys(row["key"] for row in rows)), len(rows) < SCAN


def _neighbours(graph: Graph, keys: Sequence[str], fanout: int) -> list[Row]:
    return graph.read("read/neighbours", keys=list(keys), scan=SCAN, fanout=fanout)


def _joining(graph: Graph, pairs: Sequence[Mapping[str, str]]) -> list[Row]:
    if not pairs:
        return []
    return graph.read(
        "read/joining", pairs=list(pairs), types=[], direction="both", search=time_parameter(None)
    )


def _related(row: Row, other: str) -> ShownRelation:
    start, end = (row["start"], other) if row["outgoing"] else (other, row["start"])
    when = validity(bound(row["valid_from"]), bound(row["valid_until"]))
    return ShownRelation(start, end, row["relation"], row["weight"], row["note"], when)
