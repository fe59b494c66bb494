"""Undoes a change: all that it changed becomes what it was, unless it was changed again since."""

import itertools
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from graphmem.calls import recorded
from graphmem.errors import Conflict, NotFound, shortened
from graphmem.graph import Graph, Reader, Row, Transaction
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import CREATED_IN, REDIRECT, WHOLE
from graphmem.model.status import REMOVED
from graphmem.progress import SILENT, Progress
from graphmem.write.assertions.entity_changes import as_before
from graphmem.write.assertions.noted import required
from graphmem.write.assertions.shape import Desired, Stored, unchanged, with_property
from graphmem.write.assertions.states import (
    State,
    deleted,
    is_own,
    stored_state,
)
from graphmem.write.changes import put as put_changes
from graphmem.write.embeddings.searched_set import Embeddings, again_if_replaced
from graphmem.write.entities import locked, snapshots
from graphmem.write.history import recording
from graphmem.write.history.effects import (
    Entities,
    Undone,
    created_rows,
    in_parts,
    relations_of,
    revisions_of,
)
from graphmem.write.history.entity_effect import EntityEffect
from graphmem.write.history.later import conflict, lost, standing_of
from graphmem.write.history.supersessions import inherited_supersessions
from graphmem.write.history.undone_relations import (
    affected_relations,
    check_later_relations,
    delete_merged,
    merged_keys_of,
    put_relations,
    relations_before,
)
from graphmem.write.redirects import put as put_redirects
from graphmem.write.reshaping import Embed

# Entities that are embedded while they are locked.
ENTITIES_EMBEDDED_WHILE_LOCKED = 20
# Revisions of an entity that are looked at for what came later.
LATER = 100_000


def undo(
    graph: Graph,
    change: str,
    *,
    embed: Embed,
    note: str | None = None,
    progress: Progress = SILENT,
) -> Undone:
    """Undo a change, and record that as a change of its own.

    What the change created is hidden, what it deleted is there again. Each batch of at most 500
    entities happens whole or not at all; a call that was killed is continued by the next one.

    Args:
        graph: The store.
        change: Its id.
        embed: Embeds what becomes as it was.
        note: Why, for the history.
        progress: Receives the progress, batch by batch.

    Raises:
        NotFound: There is no such change, or it is too old.
        Conflict: What it changed was changed since; nothing is taken back. If that happened during
            the call, earlier batches stay taken back.
    """
    rows = graph.read("read/change", id=change)
    if not rows:
        raise NotFound(
            f"there is no change {shortened(change)}; `changes`, or over MCP `history`, lists them"
        )
    project = rows[0]["change"]["project"]
    entities = _entities(graph, rows[0]["change"], progress)
    has_imported_history = bool(rows[0]["change"].get("brought"))
    if not entities and has_imported_history:
        raise Conflict(
            f"import {shortened(change)} restored entities with their earlier history, so it "
            "cannot be undone as a whole; undo its changes one by one, or delete the entities with "
            "`purge`"
        )
    with recorded("undo", undoes=change, note=note):
        changed_keys: list[str] = []
        done = 0
        parts = list(in_parts(graph, entities))
        relations = affected_relations(entities)
        if len(parts) > 1:
            _check(graph, change, parts, relations, progress)
        for part in parts:
            changed_keys += _undo(graph, project, change, part, relations=relations, embed=embed)
            done += len(part)
            if len(parts) > 1:
                progress.advance("Undoing", done, len(entities))
        hidden_keys = frozenset(key for key in changed_keys if entities[key].is_new)
        linked = {
            key: entities[key].all_relations(key)
            for key in changed_keys
            if entities[key].is_linked_only
        }
        return Undone(changed_keys, hidden_keys, relations_of(entities), linked)


def _check(
    graph: Graph,
    change: str,
    parts: Sequence[Entities],
    relations: Collection[RelationIdentity],
    progress: Progress,
) -> None:
    """Refuse what cannot be undone before any of it is; `_undo` looks again behind its locks.

    Raises:
        Conflict: What it changed was changed since.
    """
    done, total = 0, sum(map(len, parts))
    for part in parts:
        new_keys = [key for key, entity in part.items() if entity.is_new]
        stored_by_key = {key: stored for key, stored, _ in snapshots(graph, new_keys)}
        undone_keys = _undone_keys(graph, change, part, stored_by_key)
        check_later_relations(graph, merged_keys_of(part, undone_keys), relations)
        done += len(part)
        progress.advance("Looking for later changes", done, total)


def _entities(
    graph: Graph, change: Mapping[str, Any], progress: Progress
) -> dict[str, EntityEffect]:
    entities: dict[str, EntityEffect] = {}
    for row in revisions_of(graph, change["id"], progress):
        # The newest first: what an older one notes was there before it.
        entity = entities.setdefault(row["key"], EntityEffect())
        entity.before |= required(row["before"], row["key"])
        entity.revision = max(entity.revision, row["revision"])
    for row in graph.read(
        "read/merged_since",
        project=change["project"], since=change.get("at"),
        maker=f'"{CREATED_IN}":{json.dumps(change["id"])}',
    ):  # fmt: skip
        entities.setdefault(row["key"], EntityEffect()).is_new = True
    created = {"project": change["project"], "changes": [change["id"]]}
    created_keys = [row["key"] for row in graph.read("read/created_keys", **created)]
    for row in created_rows(graph, created_keys, [change["id"]], progress):
        since = None if row["is_new"] else change.get("at")
        entity = entities.setdefault(row["key"], EntityEffect(since=since))
        entity.is_new = entity.is_new or row["is_new"]
        entity.is_imported = change.get("source") is not None
        entity.relations = [RelationIdentity.of_row(link) for link in row["relations"]]
    made_at = change.get("at")
    for identity in inherited_supersessions(graph, relations_of(entities), made_at):
        entity = entities.setdefault(identity.start, EntityEffect(since=made_at))
        entity.relations.append(identity)
    return entities


def _undo(
    graph: Graph,
    project: str,
    change: str,
    entities: Entities,
    *,
    relations: Collection[RelationIdentity],
    embed: Embed,
) -> list[str]:
    def work(transaction: Transaction) -> list[str]:
        stored_by_key = {
            entity.key: entity for entity in locked(transaction, sorted(entities), follows=False)
        }
        undone_keys = _undone_keys(transaction, change, entities, stored_by_key)
        open_entities = {key: entity for key, entity in entities.items() if key not in undone_keys}
        now = recording.moment(transaction, [project])
        merged_keys = merged_keys_of(entities, undone_keys)
        check_later_relations(transaction, merged_keys, relations)
        restored = [
            (stored_by_key[key], desired)
            for key, entity in open_entities.items()
            if key not in merged_keys
            if (desired := _desired(stored_by_key[key], entity, project)) is not None
        ]
        pairs = [pair for pair in restored if not unchanged(*pair)]
        earlier_states = relations_before(transaction, open_entities)
        # What was so before is noted all the same, so that an earlier change of it can be undone.
        for stored, desired in restored:
            own_state = _own_state(stored, entities[stored.key])
            if own_state and unchanged(stored, desired):
                earlier_states.setdefault(stored.key, {}).update(own_state)
        for key in merged_keys:
            earlier_states[key] = {**deleted(stored_by_key[key]), **earlier_states.get(key, {})}
        targets = _redirects(transaction, open_entities)
        for row in targets:
            earlier_states.setdefault(row["of"], {})[REDIRECT + row["key"]] = row["was"]
        put_changes(
            transaction,
            pairs,
            embeddings=_embedded(pairs, embed),
            now=now,
            earlier_states=earlier_states,
        )
        put_relations(transaction, open_entities)
        delete_merged(transaction, {key: open_entities[key] for key in merged_keys})
        put_redirects(transaction, targets)
        transaction.run("write/delete_blanks", keys=sorted(entities))
        return sorted({stored.key for stored, _ in pairs} | set(earlier_states))

    return again_if_replaced(lambda: graph.write(work))


def _embedded(pairs: Sequence[tuple[Stored, Desired]], embed: Embed) -> Embeddings:
    """Embeddings of the restored texts, if entities are few; otherwise they wait for the model."""
    if len(pairs) > ENTITIES_EMBEDDED_WHILE_LOCKED:
        return Embeddings()
    embeddings = [embed(*pair) for pair in pairs]
    vectors = {digest: vector for part in embeddings for digest, vector in part.vectors.items()}
    return Embeddings(vectors, next((part.model for part in embeddings if part.vectors), None))


def _desired(stored: Stored, entity: EntityEffect, project: str) -> Desired | None:
    own_state = {path: value for path, value in entity.before.items() if is_own(path)}
    if entity.is_new and stored.properties:
        return with_property(stored, status=REMOVED)
    if not own_state or (not stored.properties and not own_state.keys() >= set(WHOLE)):
        return None
    return as_before(stored, own_state, project=project)


def _own_state(stored: Stored, entity: EntityEffect) -> State:
    """What is there now of what the change wrote, its relations left out."""
    state = stored_state(stored)
    return {path: state.get(path) for path in entity.before if is_own(path)}


def _undone_keys(
    reader: Reader,
    change: str,
    entities: Entities,
    stored_by_key: Mapping[str, Stored],
) -> set[str]:
    """The keys of entities for which the change was undone already.

    Raises:
        Conflict: What the change did to another one was changed since, or may have been.
    """
    undone_keys: set[str] = set()
    rows = reader.read("read/revisions", keys=sorted(entities), limit=LATER)
    groups = itertools.groupby(rows, key=lambda row: str(row["key"]))
    rows_by_key = {key: list(group) for key, group in groups}
    for key, entity in entities.items():
        later = [row for row in rows_by_key.get(key, ()) if entity.precedes(row)]
        standing = standing_of([row for row in later if row["change"]["id"] != change])
        if change in {row["change"].get("undoes") for row in standing}:
            undone_keys.add(key)
            continue
        for row in standing:
            if paths := entity.conflicting_paths(required(row["before"], key).keys()):
                raise conflict(row, min(paths))
        if entity.is_new and entity.lacks_history(stored_by_key[key], later):
            raise lost(stored_by_key[key].properties["name"])
    return undone_keys


def _redirects(transaction: Transaction, entities: Entities) -> list[Row]:
    """The redirects to restore: their earlier targets, their present ones, and their entities."""
    targets = {
        path.removeprefix(REDIRECT): (target, key)
        for key, entity in entities.items()
        for path, target in entity.before.items()
        if path.startswith(REDIRECT)
    }
    rows = transaction.run("read/redirects", keys=sorted(targets)) if targets else []
    current_targets = {row["key"]: row["target"] for row in rows}
    return [
        {"key": key, "target": target, "was": current_targets.get(key), "of": entity_key}
        for key, (target, entity_key) in targets.items()
    ]
