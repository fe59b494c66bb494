"""Writes entities as they should be: only what differs from the stored state is written."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any

from graphmem import calls
from graphmem.batches import STATEMENT_BYTES, batches, size
from graphmem.embedding import Vector
from graphmem.graph import Transaction, vector_value
from graphmem.model.period import is_dated
from graphmem.model.relation_fields import CREATED_BY
from graphmem.text import SEVERAL, project_of
from graphmem.write.assertions.shape import WHOLE, Desired, Stored, looks_the_same
from graphmem.write.assertions.shared import Place, Shared, place_of, shared_fields
from graphmem.write.assertions.states import State, difference, state_of, stored_state
from graphmem.write.embeddings.searched_set import Embeddings, SearchedSet, searched_set
from graphmem.write.history import recording

ROWS = 500
# In the order in which they run.
STATEMENTS = (
    "write/put_entities",
    "write/delete_passages",
    "write/change_passages",
    "write/put_passages",
)
# Those of them that write embeddings.
EMBEDDING = frozenset({"write/change_passages", "write/put_passages"})
# Properties that are derived from the passages' texts alone.
OF_TEXTS = frozenset({"graphmem_text", "graphmem_identifier_parts"})

NOTHING: Mapping[str, State] = MappingProxyType({})

_Row = dict[str, Any]


def put(
    transaction: Transaction,
    pairs: Sequence[tuple[Stored, Desired]],
    *,
    embeddings: Embeddings,
    now: datetime,
    earlier_states: Mapping[str, State] = NOTHING,
    is_change: bool = True,
) -> None:
    """Write what differs of entities that are locked and of their passages.

    A passage with the same content and position is not touched. Where only its heading differs, its
    text is not written again.

    Args:
        transaction: The one that locked them.
        pairs: Each as it is stored and as it shall be.
        embeddings: Of passages that are new or embedded otherwise; one that is missing here waits
            for the model, and all of them do where the store searches those of another.
        now: The moment of the change.
        earlier_states: By key, what else was there before: of relations, of names that lead
            elsewhere, of entities that are deleted.
        is_change: Whether the content changes. Where the same content is only stored in another
            form, no history is recorded, and the moment of the last change stays.

    Raises:
        EmbeddingsReplaced: The store searches those of another model since a moment ago.
    """
    searched = searched_set(transaction, embeddings)
    rows: dict[str, list[_Row]] = {statement: [] for statement in STATEMENTS}
    for stored, desired in pairs:
        shared = desired.shared
        before = {passage["id"]: passage for passage in stored.passages}
        after = {passage["id"]: passage for passage in desired.passages}
        updated_at = _updated_at(stored, desired, now, is_change=is_change)
        rows["write/put_entities"].append(_entity(stored, desired, updated_at))
        if lost_ids := [identifier for identifier in before if identifier not in after]:
            rows["write/delete_passages"].append({"key": desired.key, "ids": lost_ids})
        passage_pairs = [
            (before[identifier], passage)
            for identifier, passage in after.items()
            if identifier in before
        ]
        rows["write/change_passages"] += _changes(
            stored, desired.key, shared, passage_pairs, searched
        )
        rows["write/put_passages"] += [
            _passage(desired.key, shared, passage, searched.vectors)
            for identifier, passage in after.items()
            if identifier not in before
        ]
    call = calls.current()
    for row, (stored, _) in zip(rows["write/put_entities"], pairs, strict=True):
        if not stored.properties:
            row["properties"] |= {CREATED_BY: recording.change_id(call, project_of(stored.key))}
    for statement, statement_rows in rows.items():
        for batch in batches(statement_rows, size, most=ROWS, most_bytes=STATEMENT_BYTES):
            if statement in EMBEDDING:
                searched.check(
                    transaction.run(statement, rows=batch, property=searched.own_property)
                )
            else:
                transaction.run(statement, rows=batch)
    if is_change:
        _note(transaction, call, pairs, now, earlier_states)


def _note(
    transaction: Transaction,
    call: calls.Call,
    pairs: Sequence[tuple[Stored, Desired]],
    now: datetime,
    earlier_states: Mapping[str, State],
) -> None:
    """Write down what was there before, project by project."""
    before = {key: dict(state) for key, state in earlier_states.items()}
    projects = dict.fromkeys(project_of(stored.key) for stored, _ in pairs)
    projects |= dict.fromkeys(map(project_of, earlier_states))
    for stored, desired in pairs:
        after = state_of(desired.properties, desired.passages)
        if stored.properties and (earlier_values := difference(stored_state(stored), after)):
            before[stored.key] = {**earlier_values, **before.get(stored.key, {})}
    for project in projects:
        project_states = [
            (key, state) for key, state in before.items() if project_of(key) == project
        ]
        recording.note(transaction, call, project, project_states, now=now)


def _entity(stored: Stored, desired: Desired, updated_at: datetime) -> _Row:
    """The row of an entity with the properties that differ."""
    properties = {
        name: value
        for name, value in desired.properties.items()
        if name not in stored.properties or not _is_same(stored.properties[name], value)
    }
    if _texts(stored) == _texts(desired):
        properties = {name: value for name, value in properties.items() if name not in OF_TEXTS}
    removed_names = [
        name for name in (*stored.properties, *WHOLE) if name not in desired.properties
    ]
    return {
        "key": desired.key,
        "properties": {
            **dict.fromkeys(removed_names),
            **properties,
            "updated_at": updated_at,
        },
        "add": list(desired.labels),
        "remove": [label for label in stored.labels if label not in desired.labels],
    }


def _texts(entity: Stored | Desired) -> tuple[bool, list[tuple[str, bool]]]:
    """Whether operators are matched in the whole text of an entity, and what that is made of."""
    has_whole_text = SEVERAL in str(entity.properties.get("graphmem_filters"))
    return has_whole_text, [(passage["text"], is_dated(passage)) for passage in entity.passages]


def _updated_at(stored: Stored, desired: Desired, now: datetime, *, is_change: bool) -> datetime:
    """The moment of the last change; it is no change if another author says the same."""
    earlier: datetime | None = stored.properties.get("updated_at")
    if earlier is None:  # what comes with its history was changed last when that says
        return desired.properties.get("updated_at") or now
    return now if is_change and not looks_the_same(stored, desired) else earlier


def _is_same(stored: object, desired: object) -> bool:
    """Whether two values are equal and of one type: to the database 1, 1.0 and true differ."""
    if isinstance(stored, list) and isinstance(desired, list):
        return len(stored) == len(desired) and all(map(_is_same, stored, desired))
    return type(stored) is type(desired) and stored == desired


def _changes(
    stored: Stored,
    key: str,
    shared: Shared,
    passage_pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
    searched: SearchedSet,
) -> Iterator[_Row]:
    """Rows for the passages that stay, but differ in content, position or their entity's fields.

    Args:
        stored: The entity as it is stored.
        key: Its key.
        shared: The fields that its passages are to repeat.
        passage_pairs: Each passage as it is stored and as it shall be.
        searched: The embeddings that are written.
    """
    if not passage_pairs:
        return
    shared_before = shared_fields(stored.properties)

    @cache
    def differs(old: Place, new: Place) -> bool:
        return shared_before.at(old) != shared.at(new)

    # By whether they get new fields of their entity, and by their place: one row is for passages
    # that get the same.
    groups: dict[tuple[bool, Place], dict[str, _Row]] = {}
    for old, new in passage_pairs:
        place = place_of(new)
        gets_fields = differs(place_of(old), place)
        properties = {
            name: value for name, value in new.items() if name != "words" and old.get(name) != value
        }
        if "text" in properties:
            properties["words"] = new["words"]
        if properties or gets_fields:
            changes = groups.setdefault((gets_fields, place), {})
            changes[new["id"]] = _with_embedding(properties, searched)
    for (gets_fields, place), changes in groups.items():
        for batch in batches(changes.items(), most=ROWS):
            yield {
                "key": key,
                "shared": shared.at(place) if gets_fields else {},
                "passages": dict(batch),
                "embeddings": {
                    passage_id: vector_value(searched.vectors[properties["digest"]])
                    for passage_id, properties in batch
                    if properties.get("digest") in searched.vectors
                },
            }


def _with_embedding(properties: _Row, searched: SearchedSet) -> _Row:
    """The properties of a passage that change, with those that its text or heading decides."""
    if "digest" not in properties:
        return properties
    is_embedded = properties["digest"] in searched.vectors
    waiting = {"pending": None} if is_embedded else {"pending": True, searched.own_property: None}
    # The embedding in the next set was made of another text, so it is removed.
    return properties | waiting | {searched.other_property: None}


def _passage(
    key: str, shared: Shared, passage: Mapping[str, Any], vectors: Mapping[str, Vector]
) -> _Row:
    embedding = vectors.get(passage["digest"])
    properties = {
        **shared.of(passage),
        **passage,
        **({"pending": True} if embedding is None else {}),
    }
    return {
        "key": key,
        "properties": {name: value for name, value in properties.items() if value is not None},
        "embedding": None if embedding is None else vector_value(embedding),
    }
