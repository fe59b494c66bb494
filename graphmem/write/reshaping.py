"""Renames, merges and replaces entities, each in one transaction that leaves no link dangling."""

from collections.abc import Callable

from graphmem import text
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph, Transaction, rehearse
from graphmem.model import Outcome, Relation
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import to_json_value
from graphmem.model.paths import REDIRECT
from graphmem.model.status import SUPERSEDED
from graphmem.write.assertions.entity_changes import joined_into, renamed
from graphmem.write.assertions.facts import ledger_of
from graphmem.write.assertions.provenance import STATUS
from graphmem.write.assertions.shape import Desired, Stored, unchanged
from graphmem.write.assertions.states import (
    State,
    deleted,
    stored_state,
    word_path,
)
from graphmem.write.assertions.upsert import with_status
from graphmem.write.bounds import refusal
from graphmem.write.changes import put as put_changes
from graphmem.write.embeddings.searched_set import Embeddings, again_if_replaced
from graphmem.write.entities import locked
from graphmem.write.history import recording
from graphmem.write.merge_result import Merge
from graphmem.write.options import WriteOptions
from graphmem.write.redirects import put as put_redirects
from graphmem.write.relations import RelationWrite, restore_relations
from graphmem.write.relations import put as put_relations
from graphmem.write.transferred_relations import TransferredRelations

# The type of the links from what holds now to what it replaced.
SUPERSEDES = "SUPERSEDES"

# More relationships than a transaction can hold.
ALL = 1_000_000

# Embeds the texts that a change has touched; without embeddings they wait for the model.
Embed = Callable[[Stored, Desired], Embeddings]


def rename(graph: Graph, key: str, name: str, *, embed: Embed) -> bool:
    """Give an entity another name; its key and its relations stay. Whether anything changed.

    Raises:
        InvalidInput: The name is that of another entity.
        NotFound: The entity was deleted meanwhile.
    """
    project = text.project_of(key)
    other = text.key(project, name)

    def work(transaction: Transaction) -> bool:
        target = _target(transaction, other)
        if target not in {None, key}:
            raise _name_conflict(transaction, name, target)
        is_new = target is None and other != key
        entities = {
            entity.key: entity
            for entity in locked(transaction, sorted({key, other} if is_new else {key}))
        }
        stored = _existing(entities[key], key)
        if is_new and entities[other].properties:
            raise _name_conflict(transaction, name, other)
        now = recording.moment(transaction, [project])
        desired = renamed(stored, name, now=now)
        if is_new:
            transaction.run("write/delete_blanks", keys=[other])
            put_redirects(transaction, [{"key": other, "target": key}])
        if unchanged(stored, desired):
            return False
        earlier_states: dict[str, State] = {key: {REDIRECT + other: None}} if is_new else {}
        embeddings = embed(stored, desired)
        put_changes(
            transaction,
            [(stored, desired)],
            embeddings=embeddings,
            now=now,
            earlier_states=earlier_states,
        )
        return True

    return again_if_replaced(lambda: graph.write(work))


def merge(graph: Graph, key: str, into: str, *, embed: Embed, dry_run: bool = False) -> Merge:
    """Join an entity into another one, which has its links, observations and names from then on.

    Args:
        graph: The store.
        key: The one that goes; its key leads to the other from then on.
        into: The one that stays, of the same project.
        embed: Embeds what is new.
        dry_run: Whether nothing is kept.

    Raises:
        InvalidInput: The two would hold more together than an entity may.
        NotFound: One of them was deleted meanwhile.
    """

    def work(transaction: Transaction) -> Merge:
        entities = {entity.key: entity for entity in locked(transaction, sorted({key, into}))}
        absorbed_entity, stored = _existing(entities[key], key), _existing(entities[into], into)
        now = recording.moment(transaction, [text.project_of(key)])
        desired = joined_into(stored, absorbed_entity, now=now)
        if reason := refusal(stored, desired):
            raise InvalidInput("into", stored.properties["name"], reason)
        transferred = TransferredRelations.of(transaction, key, into)
        result = _merge_of(absorbed_entity, stored, desired, transferred)
        if dry_run:
            return result
        redirect_rows = transaction.run("read/redirected", targets=[key])
        rows = [{"key": row["key"], "target": into} for row in redirect_rows]
        earlier_states = transferred.earlier_states
        earlier_states[key] = {
            **deleted(absorbed_entity),
            **{REDIRECT + row["key"]: row["target"] for row in redirect_rows},
            **earlier_states.get(key, {}),
            REDIRECT + key: None,
        }
        pairs = [] if unchanged(stored, desired) else [(stored, desired)]
        embeddings = embed(stored, desired) if pairs else Embeddings()
        # Before the deletion, since a later statement might still come across the deleted node.
        put_changes(
            transaction, pairs, embeddings=embeddings, now=now, earlier_states=earlier_states
        )
        restore_relations(transaction, transferred.relations)
        outside_rows = [{"key": key, "to": into}]
        transaction.run("write/move_outside_relations", rows=outside_rows, limit=ALL)
        transaction.run("write/delete_entities", keys=[key])
        put_redirects(transaction, [*rows, {"key": key, "target": into}])
        return result

    if dry_run:
        return rehearse(graph, work)
    return again_if_replaced(lambda: graph.write(work))


def supersede(
    graph: Graph, key: str, new: str, note: str | None
) -> tuple[bool, dict[RelationIdentity, Outcome]]:
    """Replace an entity by another one, and by that one everything which it has replaced.

    What has replaced the other one replaces them, too. The status and the links change in one
    transaction, which has locked both entities and those that have replaced the other one.

    Returns:
        Whether the entity changed, and the outcome of each link, that to the entity first.

    Raises:
        InvalidInput: The new one was replaced by the old one.
        NotFound: One of them was deleted meanwhile.
    """
    options = WriteOptions(text.project_of(key))

    def work(transaction: Transaction) -> tuple[bool, dict[RelationIdentity, Outcome]]:
        entities = {entity.key: entity for entity in locked(transaction, sorted({key, new}))}
        stored, other = _existing(entities[key], key), _existing(entities[new], new)
        rows = transaction.run("read/superseded", keys=[key], type=SUPERSEDES)
        replaced_keys = [superseded_key for row in rows for superseded_key in row["superseded"]]
        if new in replaced_keys:
            old = stored.properties["name"]
            raise InvalidInput(
                "new", other.properties["name"], f"must not be superseded by {old}",
                hint=f"If it is to replace that one, remove their relation {SUPERSEDES} first.",
            )  # fmt: skip
        superseding_keys = _superseding(transaction, new)
        # After all of that was read, so that this change is later than those that it follows from.
        now = recording.moment(transaction, [options.project])
        desired = with_status(stored, SUPERSEDED, now=now)
        pairs = [] if unchanged(stored, desired) else [(stored, desired)]
        # One link leads from what holds now to all it replaces, however often that was replaced.
        new_relations = {
            RelationIdentity(start, end, SUPERSEDES): Relation(
                start, SUPERSEDES, end, note=note if (start, end) == (new, key) else None
            )
            for start in (new, *superseding_keys)
            for end in (key, *replaced_keys)
        }
        ordered = [
            RelationWrite(identity, new_relations[identity], now)
            for identity in sorted(new_relations)
        ]
        outcomes = put_relations(transaction, ordered, options)
        earlier_states: dict[str, State] = {}
        if not pairs and outcomes.get(RelationIdentity(new, key, SUPERSEDES)) == "created":
            # It is replaced once more, so that its first replacement is not undone alone.
            path = word_path(STATUS)
            earlier_states[key] = {path: stored_state(stored)[path]}
        put_changes(
            transaction, pairs, embeddings=Embeddings(), now=now, earlier_states=earlier_states
        )
        return bool(pairs), {
            identity: outcomes[identity] for identity in new_relations if identity in outcomes
        }

    return again_if_replaced(lambda: graph.write(work))


def _superseding(transaction: Transaction, key: str) -> list[str]:
    """What supersedes an entity, all of it locked, so that none of it is replaced meanwhile."""
    locked_keys: list[str] = []
    last_keys = [key]
    while last_keys:
        rows = transaction.run("read/superseding", keys=last_keys, type=SUPERSEDES)
        last_keys = [row["key"] for row in rows if row["key"] not in {key, *locked_keys}]
        if last_keys:
            transaction.run("write/lock_keys", keys=last_keys)
            locked_keys += last_keys
    return locked_keys


def _target(transaction: Transaction, key: str) -> str | None:
    rows = transaction.run("read/redirects", keys=[key])
    return next((str(row["target"]) for row in rows if row["target"] is not None), None)


def _existing(stored: Stored, key: str) -> Stored:
    if not stored.properties:
        raise NotFound(f"there is no entity {text.name_of(key)} any more")
    return stored


def _name_conflict(transaction: Transaction, name: str, key: str | None) -> InvalidInput:
    rows = transaction.run("read/names_of", keys=[key])
    other = rows[0]["name"] if rows else text.name_of(str(key))
    return InvalidInput(
        "new_name", name, "must not be a name of another entity",
        hint=f"It leads to {other}; `merge` merges the two.",
    )  # fmt: skip


def _merge_of(
    absorbed_entity: Stored, stored: Stored, desired: Desired, transferred: TransferredRelations
) -> Merge:
    absorbed_facts, stored_facts = (
        ledger_of(entity.properties, entity.passages).facts()
        for entity in (absorbed_entity, stored)
    )
    observations = [
        sum(p["origin"] == "observation" for p in entity.passages) for entity in (stored, desired)
    ]
    return Merge(
        fields={
            " ".join(fact).strip(): (to_json_value(value), to_json_value(stored_facts[fact]))
            for fact, value in sorted(absorbed_facts.items())
            if fact in stored_facts and stored_facts[fact] != value
        },
        relations=len(transferred.relations),
        dropped=transferred.dropped,
        observations=observations[1] - observations[0],
        aliases=tuple(
            alias
            for alias in desired.properties["aliases"]
            if alias not in (stored.properties.get("aliases") or ())
        ),
        hidden=None if desired.properties["live"] else desired.properties["status"],
    )
