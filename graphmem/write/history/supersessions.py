"""Which relations of later replacements follow from a replacement that is undone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.graph import Graph
from graphmem.model.identity import RelationIdentity
from graphmem.write.reshaping import SUPERSEDES


def inherited_supersessions(
    graph: Graph, undone: Sequence[RelationIdentity], since: datetime | None
) -> list[RelationIdentity]:
    """The relations that `supersede` made later because of relations which are undone.

    What replaces an entity replaces all that this one had replaced. Without the relation from that
    one, the relation from its replacement goes too, unless a third one leads from one to the other.

    Args:
        graph: The store.
        undone: The relations that the change made, of every type.
        since: When the change was made.

    Returns:
        Those that nothing supports any more, in order, without the undone ones.
    """
    undone_supersessions = {identity for identity in undone if identity.relation == SUPERSEDES}
    if not undone_supersessions:
        return []
    rows = graph.read(
        "read/inherited_supersessions",
        rows=[identity.to_row() for identity in sorted(undone_supersessions)],
        type=SUPERSEDES,
        since=since,
    )
    between = {
        RelationIdentity(row["start"], row["end"], SUPERSEDES): row["between"] for row in rows
    }
    gone = undone_supersessions | between.keys()
    while supported := {
        identity
        for identity in gone - undone_supersessions
        if any(
            gone.isdisjoint({replace(identity, end=key), replace(identity, start=key)})
            for key in between[identity]
        )
    }:
        gone -= supported
    return sorted(gone - undone_supersessions)
