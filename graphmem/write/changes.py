"""Brings stored entities to what they shall be: only what differs is written."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.batches import STATEMENT_BYTES, batches, size
from graphmem.embedding import Vector
from graphmem.graph import Transaction
from graphmem.write.shape import Stored, Wanted, looks_the_same
from graphmem.write.shared import Shared, shared_fields

ROWS = 500

_Row = dict[str, Any]


def put(
    transaction: Transaction,
    changed: Sequence[tuple[Stored, Wanted]],
    *,
    vectors: Mapping[str, Vector],
    now: datetime,
) -> None:
    """Write entities that are locked, and those of their passages that are new, moved or gone.

    A passage that keeps its text, its position and what it repeats of its entity is not touched.

    Args:
        transaction: The one that locked them.
        changed: Each as it is stored and as it shall be.
        vectors: Embeddings of passages by digest; a new passage without one waits for the model.
        now: The moment of the change.
    """
    entities: list[_Row] = []
    gone: list[_Row] = []
    moved: list[_Row] = []
    fresh: list[_Row] = []
    for stored, wanted in changed:
        shared = wanted.shared
        before = {_mark(passage): passage for passage in stored.passages}
        after = {_mark(passage): passage for passage in wanted.passages}
        entities.append(_entity(stored, wanted, now))
        if lost := [passage["id"] for mark, passage in before.items() if mark not in after]:
            gone.append({"key": wanted.key, "ids": lost})
        kept = [(before[mark], passage) for mark, passage in after.items() if mark in before]
        moved += _moved(stored, wanted.key, shared, kept)
        fresh += [
            _passage(wanted.key, shared, passage, vectors)
            for mark, passage in after.items()
            if mark not in before
        ]
    for statement, rows in (
        ("write/put_entities", entities),
        ("write/delete_passages", gone),
        ("write/move_passages", moved),
        ("write/put_passages", fresh),
    ):
        for some in batches(rows, size, most=ROWS, most_bytes=STATEMENT_BYTES):
            transaction.run(statement, rows=some)


def _entity(stored: Stored, wanted: Wanted, now: datetime) -> _Row:
    return {
        "key": wanted.key,
        "properties": wanted.properties | {"updated_at": _updated_at(stored, wanted, now)},
        "add": list(wanted.labels),
        "remove": [label for label in stored.labels if label not in wanted.labels],
    }


def _updated_at(stored: Stored, wanted: Wanted, now: datetime) -> datetime:
    """The moment of the last change; that somebody else says the same is none."""
    earlier: datetime | None = stored.properties.get("updated_at")
    return earlier if earlier is not None and looks_the_same(stored, wanted) else now


def _mark(passage: Mapping[str, Any]) -> tuple[Any, ...]:
    """What makes a passage the same one; where it differs, the passage is made anew."""
    fields = ("id", "digest", "created_at", "source", "confidence")
    return tuple(passage.get(field) for field in fields)


def _moved(
    stored: Stored,
    key: str,
    shared: Shared,
    kept: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
) -> Iterator[_Row]:
    """Rows for the passages that stay but stand elsewhere, or repeat what is no more so."""
    if not kept:
        return
    before = shared_fields(stored.properties)
    differs = {
        (was, now): before.at(was) != shared.at(now) for was in (0, 1) for now in (0, 1)
    }  # a passage is the first or one of the others
    for place, fields in enumerate((shared.first, shared.others)):
        here = [(old, new) for old, new in kept if min(new["position"], 1) == place]
        other = {
            new["id"]: new["position"]
            for old, new in here
            if differs[min(old["position"], 1), place]
        }
        elsewhere = {
            new["id"]: new["position"]
            for old, new in here
            if new["id"] not in other
            and (old["position"] != new["position"] or _authors(old) != _authors(new))
        }
        authors = {
            new["id"]: new["asserted_by"] for old, new in here if _authors(old) != _authors(new)
        }
        if other:
            yield {"key": key, "shared": fields, "positions": other, "authors": authors}
        if elsewhere:
            yield {"key": key, "shared": {}, "positions": elsewhere, "authors": authors}


def _authors(passage: Mapping[str, Any]) -> list[str]:
    return list(passage.get("asserted_by") or ())


def _passage(
    key: str, shared: Shared, passage: Mapping[str, Any], vectors: Mapping[str, Vector]
) -> _Row:
    embedding = vectors.get(passage["digest"])
    properties = {
        **shared.at(passage["position"]),
        **passage,
        **({"pending": True} if embedding is None else {}),
    }
    return {
        "key": key,
        "properties": {name: value for name, value in properties.items() if value is not None},
        "embedding": embedding,
    }
