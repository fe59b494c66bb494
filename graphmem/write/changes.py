"""Brings stored entities to what they shall be: only what differs is written."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import product
from types import MappingProxyType
from typing import Any

from graphmem import calls
from graphmem.batches import STATEMENT_BYTES, batches, size
from graphmem.embedding import Vector
from graphmem.graph import Transaction
from graphmem.model.period import is_dated
from graphmem.model.relation_fields import CREATED_BY
from graphmem.text import project_of
from graphmem.write import recording
from graphmem.write.embeddings import Embeddings, SearchedSet, searched_set
from graphmem.write.shape import WHOLE, Desired, Stored, looks_the_same
from graphmem.write.shared import Shared, shared_fields
from graphmem.write.states import State, difference, state_of, stored_state

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
# What is made of the passages' texts alone.
OF_TEXTS = frozenset({"graphmem_text", "graphmem_identifier_parts"})

NOTHING: Mapping[str, State] = MappingProxyType({})

_Row = dict[str, Any]
_Change = tuple[str, _Row, Vector | None]


def put(
    transaction: Transaction,
    changed: Sequence[tuple[Stored, Desired]],
    *,
    embeddings: Embeddings,
    now: datetime,
    noted: Mapping[str, State] = NOTHING,
    is_change: bool = True,
) -> None:
    """Write what differs of entities that are locked and of their passages.

    A passage that stays as it is and stands where it stood is not touched; one whose heading alone
    is another keeps its text.

    Args:
        transaction: The one that locked them.
        changed: Each as it is stored and as it shall be.
        embeddings: Of passages that are new or embedded otherwise; one that is missing here waits
            for the model, and all of them do where the store searches those of another.
        now: The moment of the change.
        noted: By key, what else was there before: of relations, of names that lead elsewhere, of
            entities that are deleted.
        is_change: Whether something else is said from now on. Where the same is only stored in
            another way, history has nothing of it and the moment of the last change stays.

    Raises:
        EmbeddingsReplaced: The store searches those of another model since a moment ago.
    """
    searched = searched_set(transaction, embeddings)
    rows: dict[str, list[_Row]] = {statement: [] for statement in STATEMENTS}
    for stored, wanted in changed:
        shared = wanted.shared
        before = {passage["id"]: passage for passage in stored.passages}
        after = {passage["id"]: passage for passage in wanted.passages}
        updated_at = _updated_at(stored, wanted, now, is_change=is_change)
        rows["write/put_entities"].append(_entity(stored, wanted, updated_at))
        if lost := [identifier for identifier in before if identifier not in after]:
            rows["write/delete_passages"].append({"key": wanted.key, "ids": lost})
        kept = [
            (before[identifier], passage)
            for identifier, passage in after.items()
            if identifier in before
        ]
        rows["write/change_passages"] += _changes(stored, wanted.key, shared, kept, searched)
        rows["write/put_passages"] += [
            _passage(wanted.key, shared, passage, searched.vectors)
            for identifier, passage in after.items()
            if identifier not in before
        ]
    call = calls.current()
    for row, (stored, _) in zip(rows["write/put_entities"], changed, strict=True):
        if not stored.properties:
            row["properties"] |= {CREATED_BY: recording.change_id(call, project_of(stored.key))}
    for statement, own in rows.items():
        for some in batches(own, size, most=ROWS, most_bytes=STATEMENT_BYTES):
            if statement in EMBEDDING:
                searched.check(
                    transaction.run(statement, rows=some, property=searched.own_property)
                )
            else:
                transaction.run(statement, rows=some)
    if is_change:
        _note(transaction, call, changed, now, noted)


def _note(
    transaction: Transaction,
    call: calls.Call,
    changed: Sequence[tuple[Stored, Desired]],
    now: datetime,
    noted: Mapping[str, State],
) -> None:
    """Write down what was there before, project by project."""
    before = {key: dict(state) for key, state in noted.items()}
    projects = dict.fromkeys(project_of(stored.key) for stored, _ in changed)
    projects |= dict.fromkeys(map(project_of, noted))
    for stored, wanted in changed:
        after = state_of(wanted.properties, wanted.passages)
        if stored.properties and (differs := difference(stored_state(stored), after)):
            before[stored.key] = {**differs, **before.get(stored.key, {})}
    for project in projects:
        own = [(key, state) for key, state in before.items() if project_of(key) == project]
        recording.note(transaction, call, project, own, now=now)


def _entity(stored: Stored, wanted: Desired, updated_at: datetime) -> _Row:
    """The properties that differ; what is made of the passages only where they do."""
    properties = {
        name: value
        for name, value in wanted.properties.items()
        if name not in stored.properties or not _is_same(stored.properties[name], value)
    }
    if _texts(stored) == _texts(wanted):
        properties = {name: value for name, value in properties.items() if name not in OF_TEXTS}
    gone = [name for name in (*stored.properties, *WHOLE) if name not in wanted.properties]
    return {
        "key": wanted.key,
        "properties": {
            **dict.fromkeys(gone),
            **properties,
            "updated_at": updated_at,
        },
        "add": list(wanted.labels),
        "remove": [label for label in stored.labels if label not in wanted.labels],
    }


def _texts(entity: Stored | Desired) -> list[tuple[str, bool]]:
    """What the text of a whole entity is made of."""
    return [(passage["text"], is_dated(passage)) for passage in entity.passages]


def _updated_at(stored: Stored, wanted: Desired, now: datetime, *, is_change: bool) -> datetime:
    """The moment of the last change; that somebody else says the same is none."""
    earlier: datetime | None = stored.properties.get("updated_at")
    if earlier is None:  # what comes with its history was changed last when that says
        return wanted.properties.get("updated_at") or now
    return now if is_change and not looks_the_same(stored, wanted) else earlier


def _is_same(stored: object, wanted: object) -> bool:
    """Whether two values are equal and of one sort: to the database 1, 1.0 and true differ."""
    if isinstance(stored, list) and isinstance(wanted, list):
        return len(stored) == len(wanted) and all(map(_is_same, stored, wanted))
    return type(stored) is type(wanted) and stored == wanted


def _changes(
    stored: Stored,
    key: str,
    shared: Shared,
    kept: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
    searched: SearchedSet,
) -> Iterator[_Row]:
    """Rows for the passages that stay and repeat, are or stand where they did not."""
    if not kept:
        return
    before = shared_fields(stored.properties)
    # A passage is the first, or one of the others, and says when it holds or does not.
    places = tuple(product((0, 1), (False, True)))
    differs = {
        (was, now): before.at(was[0], dated=was[1]) != shared.at(now[0], dated=now[1])
        for was, now in product(places, places)
    }
    alike: dict[tuple[bool, tuple[int, bool]], list[_Change]] = {}
    for old, new in kept:
        now = (min(new["position"], 1), is_dated(new))
        repeats = differs[(min(old["position"], 1), is_dated(old)), now]
        own = {
            name: value for name, value in new.items() if name != "words" and old.get(name) != value
        }
        if "text" in own:
            own["words"] = new["words"]
        if own or repeats:
            alike.setdefault((repeats, now), []).append(_change(new, own, searched))
    for (repeats, now), changes in alike.items():
        for start in range(0, len(changes), ROWS):
            some = changes[start : start + ROWS]
            yield {
                "key": key,
                "shared": shared.at(now[0], dated=now[1]) if repeats else {},
                "passages": {identifier: own for identifier, own, _ in some},
                "embeddings": {
                    identifier: vector for identifier, _, vector in some if vector is not None
                },
            }


def _change(passage: Mapping[str, Any], own: _Row, searched: SearchedSet) -> _Change:
    """A passage's id, its properties that change, and its embedding where that is another."""
    if "digest" not in own:
        return passage["id"], own, None
    # What the next set has of it was made of another text.
    own = own | {searched.other_property: None}
    vector = searched.vectors.get(passage["digest"])
    if vector is None:
        return passage["id"], own | {"pending": True, searched.own_property: None}, None
    return passage["id"], own | {"pending": None}, vector


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
        "embedding": embedding,
    }
