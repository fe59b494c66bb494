"""Entities as earlier versions stored them, in which a field of today was a custom attribute."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.graph import Transaction
from graphmem.model import limits
from graphmem.model.json_object import written
from graphmem.model.period import PERIOD, Day
from graphmem.write import changes
from graphmem.write.embeddings import Embeddings
from graphmem.write.entities import locked
from graphmem.write.shape import Desired, Stored, finished, unchanged


def with_periods(transaction: Transaction, keys: Sequence[str], *, limit: int) -> bool:
    """Have custom attributes with the names of a period's ends be these ends.

    Args:
        transaction: In which the entities are locked.
        keys: Of the entities, sorted.
        limit: The most that are written.

    Returns:
        Whether none is left.
    """
    pairs = [
        (stored, wanted)
        for stored in locked(transaction, keys)
        if stored.properties and not unchanged(stored, wanted := _with_period(stored))
    ]
    for stored, wanted in pairs[:limit]:
        at = stored.properties.get("updated_at") or datetime.now(UTC)
        changes.put(transaction, [(stored, wanted)], embeddings=Embeddings(), now=at)
    return len(pairs) <= limit


def _with_period(stored: Stored) -> Desired:
    properties = dict(stored.properties)
    before = properties.get("graphmem_assertions") or "[]"
    record = json.loads(before)
    for name in PERIOD:
        words = record.pop(f"attribute/{name}", None) if isinstance(record, dict) else None
        value = properties.pop(name, None)
        said = [value, *(word[1] for word in (words or {}).values() if len(word) > 1)]
        if all(one is None or _day(one) is not None for one in said):
            properties[name] = _day(value)
            if words:
                record[f"{name}/"] = {who: _as_field(word) for who, word in words.items()}
        else:
            properties.setdefault(f"{name}_", value)
            if words:
                record.setdefault(f"attribute/{name}_", words)
    if any(f"attribute/{name}" in json.loads(before) for name in PERIOD):
        properties["graphmem_assertions"] = json.dumps(
            record, ensure_ascii=False, separators=(",", ":")
        )
    return finished(stored.key, properties, [dict(passage) for passage in stored.passages])


def _as_field(word: Sequence[Any]) -> list[Any]:
    """A word on an attribute as one on a field: a day or moment is a text there."""
    return [word[0], *(written(_day(value)) for value in word[1:])]


def _day(value: object) -> Day | None:
    """The day or moment that an attribute says; None for anything else."""
    if isinstance(value, Mapping):
        value = next(iter(value.values()), None)
    if not isinstance(value, str | date):
        return None
    try:
        return limits.day_or_moment("day", value)
    except InvalidInput:
        return None
