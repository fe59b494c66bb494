"""Entities as earlier versions stored them, in which a field of today was a custom attribute."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.graph import Transaction
from graphmem.model import limits
from graphmem.model.json_object import compact_json, to_json_value
from graphmem.model.period import PERIOD, Day, check_period
from graphmem.write.assertions.shape import Desired, Stored, finished, unchanged
from graphmem.write.changes import put as put_changes
from graphmem.write.embeddings.searched_set import Embeddings
from graphmem.write.entities import locked

# Entities that one transaction changes.
LIMIT = 100


def rewrite(
    transaction: Transaction, keys: Sequence[str], shape: Callable[[Stored], Desired]
) -> bool:
    """Write at most 100 entities of an earlier version in the form of this version.

    Their content stays the same, so nothing is recorded in their history.

    Args:
        transaction: In which the entities are locked.
        keys: Of the entities, sorted.
        shape: Gives an entity of an earlier version as it should be: one of the functions below.

    Returns:
        Whether none is left.
    """
    pairs = [
        (stored, desired)
        for stored in locked(transaction, keys, are_legacy=True)
        if stored.properties and not unchanged(stored, desired := shape(stored))
    ]
    put_changes(
        transaction, pairs[:LIMIT], embeddings=Embeddings(), now=datetime.now(UTC), is_change=False
    )
    return len(pairs) <= LIMIT


def with_period(stored: Stored) -> Desired:
    """Turn custom attributes called `valid_from` and `valid_until` into the period of the entity.

    Where their values are no period, they stay attributes, under names that are free.
    """
    properties = dict(stored.properties)
    before = properties.get("graphmem_assertions") or "[]"
    record = json.loads(before)
    words: dict[str, dict[str, Any]] = {
        name: record.pop(f"attribute/{name}", None) or {} if isinstance(record, dict) else {}
        for name in PERIOD
    }
    values = {name: properties.pop(name, None) for name in PERIOD}
    ends = _ends(values, words)
    for name in ends:
        properties[name] = _day(values[name])
        if words[name]:
            record[f"{name}/"] = {author: _as_field(word) for author, word in words[name].items()}
    for name in {*PERIOD} - ends:
        _put_freely(name, values[name], words[name], properties, record)
    if any(words.values()):
        properties["graphmem_assertions"] = compact_json(record)
    # An attribute of this name gets another one by a later migration and was never embedded.
    lead_in = {name: properties.pop(name) for name in ("lead_in",) if name in properties}
    desired = finished(stored.key, properties, [dict(passage) for passage in stored.passages])
    return replace(desired, properties=desired.properties | lead_in)


def with_free_lead_in(stored: Stored) -> Desired:
    """Rename a custom attribute called `lead_in`, which is a field by now, to a free name."""
    properties = dict(stored.properties)
    record = json.loads(properties.get("graphmem_assertions") or "[]")
    words = record.pop("attribute/lead_in", None) or {} if isinstance(record, dict) else {}
    _put_freely("lead_in", properties.pop("lead_in", None), words, properties, record)
    if words:
        properties["graphmem_assertions"] = compact_json(record)
    return finished(stored.key, properties, [dict(passage) for passage in stored.passages])


def _put_freely(
    name: str,
    value: object,
    words: Mapping[str, Any],
    properties: dict[str, Any],
    record: dict[str, Any],
) -> None:
    """Store an attribute, and who says what of it, under a name that is free."""
    free_name = _free_name(f"{name}_", properties, record)
    if value is not None:
        properties[free_name] = value
    if words:
        record[f"attribute/{free_name}"] = words


def _ends(values: Mapping[str, object], words: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Which of the attributes are ends of a period; none if it would end before it begins."""
    # By author; None stands for the value that counts.
    by_author: dict[str, dict[str | None, object]] = {
        name: {
            None: values[name],
            **{
                author: word[1] if len(word) > 1 else values[name]
                for author, word in words[name].items()
            },
        }
        for name in PERIOD
    }
    ends = {
        name
        for name in PERIOD
        if all(value is None or _day(value) is not None for value in by_author[name].values())
    }
    try:
        for author in {author for name in ends for author in by_author[name]}:
            check_period("period", {name: _day(by_author[name].get(author)) for name in ends})
    except InvalidInput:
        return set()
    return ends


def _free_name(name: str, properties: Mapping[str, object], record: Mapping[str, object]) -> str:
    """A name that no attribute has, nor an author's word that does not count any more."""
    while name in properties or f"attribute/{name}" in record:
        name += "_"
    return name


def _as_field(word: Sequence[Any]) -> list[Any]:
    """An author's word on an attribute as a word on a field, where a day or moment is a text."""
    return [word[0], *(to_json_value(_day(value)) for value in word[1:])]


def _day(value: object) -> Day | None:
    """The day or moment that an attribute says; None for anything else."""
    if isinstance(value, Mapping):
        value = next(iter(value.values()), None)
    return limits.or_none(limits.day_or_moment, value)
