"""Writes relations between the entities that their ends were merged into meanwhile."""

from collections.abc import Collection, Mapping

from graphmem.graph import Graph
from graphmem.model import Relation
from graphmem.model.identity import RelationIdentity
from graphmem.model.report import Outcome
from graphmem.write.options import WriteOptions
from graphmem.write.redirects import targets_of
from graphmem.write.relations import write_relations


def write_to_present_ends(
    graph: Graph,
    relations: Mapping[RelationIdentity, Relation],
    written: Collection[RelationIdentity],
    options: WriteOptions,
) -> dict[RelationIdentity, Outcome]:
    """Write those of some relations that were not written since an end of theirs was merged away.

    Args:
        graph: Where to.
        relations: By the identity that they had when their ends were looked up.
        written: Those that were written.
        options: The author, and whether anything is kept.

    Returns:
        The outcomes by that identity; one whose end was deleted, or whose ends were merged into one
        entity, is missing.
    """
    missing = relations.keys() - set(written)
    if not missing:
        return {}
    ends = (end for identity in missing for end in (identity.start, identity.end))
    targets = targets_of(graph, ends)
    present = {identity: identity.moved(targets) for identity in missing}
    outcomes = write_relations(
        graph,
        {
            present[identity]: relations[identity]
            for identity in sorted(missing)
            if present[identity] != identity and present[identity].start != present[identity].end
        },
        options,
    )
    return {
        identity: outcomes[present[identity]]
        for identity in missing
        if present[identity] in outcomes
    }
