"""The relations of a change that is undone, and the entities that are merged again with them."""

from collections.abc import Collection, Sequence
from typing import Any

from graphmem.batches import batches
from graphmem.graph import Reader, Transaction
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import REDIRECT, RELATION
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write.assertions.states import State, encoded_relation, relations_in
from graphmem.write.history.effects import Entities
from graphmem.write.history.later import later_relation
from graphmem.write.relations import BATCH, restore_relations
from graphmem.write.reshaping import ALL


def affected_relations(entities: Entities) -> set[RelationIdentity]:
    """The relations that a change created, changed or deleted."""
    relations = {identity for entity in entities.values() for identity in entity.relations}
    for key, entity in entities.items():
        relations.update(identity for identity, _ in relations_in(entity.before, key))
    return relations


def merged_keys_of(entities: Entities, undone_keys: Collection[str]) -> list[str]:
    """The keys of the entities that become part of others again; none that are so already."""
    return [
        key
        for key, entity in entities.items()
        if key not in undone_keys and entity.was_merged_before(key)
    ]


def check_later_relations(
    reader: Reader, merged_keys: Sequence[str], relations: Collection[RelationIdentity]
) -> None:
    """Refuse to merge entities again that have got relations since.

    Args:
        reader: The store.
        merged_keys: Of the entities, which will be deleted.
        relations: Those that the undo puts where they were.

    Raises:
        Conflict: An entity has another relation, which would be lost.
    """
    if not merged_keys:
        return
    for row in reader.read("read/incident_relations", keys=merged_keys):
        identity = RelationIdentity.of_row(row)
        if identity not in relations:
            raise later_relation(identity, row["stored"].get(CREATED_BY))


def relations_before(transaction: Transaction, entities: Entities) -> dict[str, State]:
    """The present state of the relations that the undo will change."""
    earlier_states: dict[str, State] = {}
    identities = sorted(affected_relations(entities))
    stored_relations = {
        RelationIdentity.of_row(row): row["stored"]
        for batch in batches([identity.to_row() for identity in identities], most=BATCH)
        for row in transaction.run("write/lock_relations", rows=batch)
    }
    for identity in identities:
        properties = stored_relations.get(identity)
        encoded = None if properties is None else encoded_relation(identity, properties)
        earlier_states.setdefault(identity.start, {})[RELATION + identity.token] = encoded
    return earlier_states


def put_relations(transaction: Transaction, entities: Entities) -> None:
    """Give relations what they had before the change, and delete those that it created."""
    restored: dict[RelationIdentity, dict[str, Any]] = {}
    deleted_rows: list[dict[str, Any]] = []
    for key, entity in entities.items():
        deleted_rows += [identity.to_row() for identity in entity.relations]
        for identity, properties in relations_in(entity.before, key):
            if properties is None:
                deleted_rows.append(identity.to_row())
            else:
                restored[identity] = properties
    restore_relations(transaction, restored)
    for batch in batches(deleted_rows, most=BATCH):
        transaction.run("write/delete_relations", rows=batch)


def delete_merged(transaction: Transaction, entities: Entities) -> None:
    """Delete entities that are part of others again; these get what others linked to them.

    Args:
        transaction: The one that has locked them.
        entities: Those that are deleted.
    """
    if not entities:
        return
    rows = [{"key": key, "to": entity.before[REDIRECT + key]} for key, entity in entities.items()]
    transaction.run("write/move_outside_relations", rows=rows, limit=ALL)
    transaction.run("write/delete_entities", keys=sorted(entities))
