"""The ends of an import's relations: which entities they are, and whether both are one."""

from collections.abc import Mapping

from graphmem import text
from graphmem.model import Item, Relation
from graphmem.model.identity import RelationIdentity
from graphmem.read import Resolved


def identity_of(relation: Relation, ends_of: Mapping[str, Resolved]) -> RelationIdentity | None:
    """The identity of a relation, given what its names lead to; None where one leads nowhere."""
    start, end = ends_of[relation.start].key, ends_of[relation.end].key
    if start is None or end is None:
        return None
    return RelationIdentity.between(start, end, relation)


def between_two(relation: Relation, ends_of: Mapping[str, Resolved]) -> Relation | Item:
    """A relation, or an Item where its two names lead to one entity, as after a merge of the two.

    What a file calls by one name, such as a function that calls itself, stays a relation.
    """
    names = {text.normalised(name) for name in (relation.start, relation.end)}
    identity = identity_of(relation, ends_of)
    if len(names) == 1 or identity is None or identity.start != identity.end:
        return relation
    return Item(
        "relation", relation.display_name, "unchanged", "its ends are the same entity by now"
    )
