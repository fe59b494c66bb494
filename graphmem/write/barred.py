"""The relations that a caller took away although an import asserts them, which stay away."""

from collections.abc import Collection
from dataclasses import replace

from graphmem.batches import batches
from graphmem.graph import Graph
from graphmem.model.identity import RelationIdentity
from graphmem.write.redirects import targets_of

BATCH = 1000


def barred(graph: Graph, relations: Collection[RelationIdentity]) -> set[RelationIdentity]:
    """Those of some relations of an import that a caller took away.

    A relation to an entity that was merged into another one since is barred at that one as well,
    unless the two have such a relation all the same.
    """
    keys = sorted({identity.start for identity in relations})
    removed = {
        RelationIdentity.of_token(row["key"], token)
        for batch in batches(keys, most=BATCH)
        for row in graph.read("read/unlinked", keys=batch)
        for token in row["unlinked"]
    }
    direct = removed.intersection(relations)
    moved = _moved(graph, removed - direct).intersection(relations) - direct
    return direct | (moved - _present(graph, moved))


def _moved(graph: Graph, removed: Collection[RelationIdentity]) -> set[RelationIdentity]:
    """Removed relations at the entities into which their ends were merged."""
    targets = targets_of(graph, (identity.end for identity in removed))
    return {
        replace(identity, end=targets[identity.end])
        for identity in removed
        if identity.end in targets
    }


def _present(graph: Graph, relations: Collection[RelationIdentity]) -> set[RelationIdentity]:
    """Those of some relations that are there."""
    rows = [identity.to_row() for identity in sorted(relations)]
    return {
        RelationIdentity.of_row(row)
        for batch in batches(rows, most=BATCH)
        for row in graph.read("read/present_relations", rows=batch)
    }
