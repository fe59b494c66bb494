"""The ends of an import's relations: which entities they are, and whether both are one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from graphmem import text
from graphmem.model import Item, Relation
from graphmem.model.identity import RelationIdentity
from graphmem.read import Resolved
from graphmem.transfer import Row


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A row of a relation, and which relation that is.

    Args:
        index: Its place in the order of all rows.
        row: The row.
        relation: Its value.
        identity: The identity of the relation; None where one of its ends leads nowhere.
    """

    index: int
    row: Row
    relation: Relation
    identity: RelationIdentity | None

    @classmethod
    def of(cls, index: int, row: Row, relation: Relation, ends_of: Mapping[str, Resolved]) -> Self:
        """Look up the identity, given what the names of the ends lead to."""
        return cls(index, row, relation, _identity(relation, ends_of))

    @property
    def indexed_row(self) -> tuple[int, Row]:
        """The row with its place."""
        return self.index, self.row


def _identity(relation: Relation, ends_of: Mapping[str, Resolved]) -> RelationIdentity | None:
    start, end = ends_of[relation.start].key, ends_of[relation.end].key
    if start is None or end is None:
        return None
    return RelationIdentity.between(start, end, relation)


def between_two(relation: Relation, ends_of: Mapping[str, Resolved]) -> Relation | Item:
    """A relation, or an Item where its two names lead to one entity, as after a merge of the two.

    What a file calls by one name, such as a function that calls itself, stays a relation.
    """
    names = {text.normalised(name) for name in (relation.start, relation.end)}
    identity = _identity(relation, ends_of)
    if len(names) == 1 or identity is None or identity.start != identity.end:
        return relation
    return Item(
        "relation", relation.display_name, "unchanged", "its ends are the same entity by now"
    )
