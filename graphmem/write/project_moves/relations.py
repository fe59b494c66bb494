"""Moves the relations of entities that go to another project to their keys there."""

from collections.abc import Mapping
from typing import Any

from graphmem.graph import Row, Transaction
from graphmem.model.identity import RelationIdentity
from graphmem.write.assertions.links import joined as joined_links
from graphmem.write.relations import restore_relations


def put_relations(transaction: Transaction, to: Mapping[str, str], *, limit: int) -> list[Row]:
    """Create the relations of moved entities at their new keys; gives the rows of the old ones.

    Args:
        transaction: The one that moves the entities.
        to: By the keys of the entities, those they have in the other project.
        limit: The most relations.
    """
    relation_rows = transaction.run("write/take_relations", keys=sorted(to), limit=limit)
    desired_relations: dict[RelationIdentity, dict[str, Any]] = {}
    for row in relation_rows:
        new_identity = RelationIdentity.of_row(row).moved(to)
        earlier = desired_relations.get(new_identity)
        desired_relations[new_identity] = (
            row["stored"] if earlier is None else joined_links(earlier, row["stored"])
        )
    rows = transaction.run(
        "write/lock_relations", rows=[identity.to_row() for identity in sorted(desired_relations)]
    )
    for row in rows:
        new_identity = RelationIdentity.of_row(row)
        desired_relations[new_identity] = joined_links(
            row["stored"], desired_relations[new_identity]
        )
    restore_relations(transaction, desired_relations)
    return relation_rows
