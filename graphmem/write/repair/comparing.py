"""Finds what somebody changed by hand in an entity, and how to repair it: pure, no I/O.

An entity is compared with what would be written of its own fields and passages. Fields are taken as
they are; what is derived from them is computed again.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graphmem import statements
from graphmem.graph import Row
from graphmem.model import Observation, stored_values
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.period import PERIOD
from graphmem.model.provenance import CALLER
from graphmem.write.assertions import manual_values
from graphmem.write.assertions.corrections import observation_id
from graphmem.write.assertions.facts import (
    counting,
    ledger_of,
    record_of,
    without_defaults,
)
from graphmem.write.assertions.provenance import STATUS, is_same
from graphmem.write.assertions.shape import OWN_LABELS, PURGE_MARK, Desired, finished

# Sorts of what is found, as a report calls them.
FIELDS = "entities with fields that are missing or of a wrong type"
KINDS = "entities whose kind and label differ"
AUTHORS = "entities with fields that no author asserted"
COPIES = "entities whose fields were changed, but not their copies for searches and filters"
TEXTS = "passages whose text, name, title or lead-in was changed, with the earlier embedding"
PASSAGES = "passages that differ from their entity"
UNEMBEDDED = "passages without an embedding that do not wait for one"
MADE = "passages made by hand"
REPEATED = "passages that two entities have, or one has twice"

_DERIVED = frozenset({"live", "graphmem_filters", "graphmem_names", "graphmem_handles"})
_OWN = ("id", "origin", "text", *OBSERVATION_FIELDS, "asserted_by")
# Properties of a passage that are not compared.
_BESIDE = frozenset({"pending", *statements.EMBEDDING_PROPERTIES})


@dataclass(slots=True)
class EntityRepair:
    """What has to be written to repair an entity; empty where it is as it should be.

    Args:
        sorts: How many there are of each sort.
        entity: A row of `write/put_entities`.
        changed_passages: Rows of `write/set_passages`.
        added_passages: Rows of `write/put_passages`.
        deleted_elements: The element ids of passages to delete.
        deleted_links: The element ids of relationships to passages that stay.
    """

    sorts: dict[str, int] = field(default_factory=dict)
    entity: Row | None = None
    changed_passages: list[Row] = field(default_factory=list)
    added_passages: list[Row] = field(default_factory=list)
    deleted_elements: list[str] = field(default_factory=list)
    deleted_links: list[str] = field(default_factory=list)

    def note(self, sort: str) -> None:
        """Count one more of a sort."""
        self.sorts[sort] = self.sorts.get(sort, 0) + 1

    def delete(self, passage_row: Row) -> None:
        """Delete a passage, unless another entity has it."""
        if passage_row["element"] is not None:
            self.deleted_elements.append(passage_row["element"])


def compare(row: Row, now: datetime) -> EntityRepair:
    """Compare an entity with what graphmem would write of it.

    Args:
        row: Of `read/compared_entities`; it has a name.
        now: The moment that stands where none does.
    """
    repair = EntityRepair()
    stored: Row = row["stored"]
    labels = [label for label in row["labels"] if label not in OWN_LABELS]
    properties = manual_values.fields(row["key"], stored, now)
    if any(not is_same(stored.get(name), value) for name, value in properties.items()):
        repair.note(FIELDS)
    passage_rows = _own_rows(row["passages"], repair)
    kept = _kept_passages(passage_rows, repair, now)
    desired_kind = manual_values.kind_of(stored, labels)
    if [desired_kind] != labels or desired_kind != stored.get("kind"):
        repair.note(KINDS)
    properties = {**stored, **properties, "kind": desired_kind}
    passages = [stored_passage.passage for stored_passage in kept]
    if (assertion_fields := _unnoted(properties, passages, now)) is not None:
        repair.note(AUTHORS)
        properties |= assertion_fields
    desired = finished(row["key"], properties, passages)
    changed_properties = _changed_properties(
        {name: value for name, value in stored.items() if name != PURGE_MARK}, desired.properties
    )
    if changed_properties.keys() & _DERIVED or (changed_properties and not repair.sorts):
        repair.note(COPIES)
    _compare_passages(row["key"], passage_rows, kept, desired, repair)
    if changed_properties or list(desired.labels) != labels:
        repair.entity = {
            "key": row["key"],
            "properties": {**changed_properties, "updated_at": now},
            "add": list(desired.labels),
            "remove": [label for label in labels if label not in desired.labels],
        }
    return repair


@dataclass(frozen=True, slots=True)
class _Kept:
    """A stored passage that stays, with fields of valid types.

    Args:
        element: Its element id; None for the copy of one that another entity has.
        passage: Its own fields, as `passage_of` makes them.
    """

    element: str | None
    passage: dict[str, Any]


def _own_rows(rows: Sequence[Row], repair: EntityRepair) -> list[Row]:
    """Each passage once; one that belongs to another entity has no element, and is to be copied."""
    own_rows: dict[str, Row] = {}
    for row in rows:
        if row["is_surplus"]:
            repair.note(REPEATED)
            repair.deleted_links.append(row["link"])
        own_rows.setdefault(row["element"], row | {"element": None} if row["is_surplus"] else row)
    return list(own_rows.values())


def _kept_passages(rows: Sequence[Row], repair: EntityRepair, now: datetime) -> list[_Kept]:
    """The passages that stay, those of the text first; notes which of the others are deleted.

    Cards are left out, since they are always made again.
    """
    kept: dict[str, _Kept] = {}
    has_text = any(_is_text(row["properties"]) and not _is_blank(row) for row in rows)
    for row in rows:
        properties: Row = row["properties"]
        if properties.get("origin") == "card":
            continue
        # The blank lines between two passages of a text may be a passage of their own.
        is_part = has_text and _is_text(properties) and properties["id"] not in kept
        if _has_no_text(row) or (_is_blank(row) and not is_part):
            repair.note(MADE)
            repair.delete(row)
            continue
        passage = _valid_passage(properties, now)
        if not isinstance(properties.get("id"), str) or properties["id"] in kept:
            repair.note(MADE)
            passage |= {"id": observation_id(Observation(properties["text"]))}
            passage |= {"origin": "observation"}
        if passage["id"] in kept:
            repair.delete(row)
            continue
        if passage["origin"] == "observation":
            passage["asserted_by"] = stored_values.texts(properties.get("asserted_by")) or [CALLER]
        kept[passage["id"]] = _Kept(row["element"], passage)
    return sorted(kept.values(), key=lambda stored: stored.passage["origin"] != "text")


def _valid_passage(properties: Row, now: datetime) -> dict[str, Any]:
    """The fields of a passage itself, with valid types."""
    origin = properties.get("origin")
    return {name: properties.get(name) for name in _OWN} | {
        "origin": origin if origin in stored_values.ORIGINS else "observation",
        "created_at": stored_values.moment(properties.get("created_at")) or now,
        "source": stored_values.optional_text(properties.get("source")),
        "confidence": stored_values.share(properties.get("confidence")),
        **{name: stored_values.day(properties.get(name)) for name in PERIOD},
    }


def _is_text(properties: Row) -> bool:
    """Whether a passage is a part of its entity's text, with an id."""
    return properties.get("origin") == "text" and isinstance(properties.get("id"), str)


def _has_no_text(row: Row) -> bool:
    content = row["properties"].get("text")
    return not isinstance(content, str) or not content


def _is_blank(row: Row) -> bool:
    content = row["properties"].get("text")
    return not isinstance(content, str) or not content.strip()


def _unnoted(
    properties: Mapping[str, Any], passages: Sequence[Row], now: datetime
) -> dict[str, Any] | None:
    """The record with facts without an author as the caller's; None where every fact has one."""
    if not isinstance(json.loads(properties.get("graphmem_assertions") or "[]"), dict):
        return None
    ledger = ledger_of(properties, passages)
    facts = without_defaults(counting(properties, passages))
    missing_facts = {
        fact: value
        for fact, value in facts.items()
        if fact not in ledger.words and fact != STATUS and manual_values.is_sayable(fact, value)
    }
    if not missing_facts:
        return None
    ledger = ledger.record(CALLER, missing_facts, now, replaces=False)
    return {
        "asserted_by": list(ledger.authors),
        "graphmem_assertions": record_of(ledger, ledger.facts()),
    }


def _compare_passages(
    key: str, rows: Sequence[Row], kept: Sequence[_Kept], desired: Desired, repair: EntityRepair
) -> None:
    """Find the passages that are to be written, added and deleted."""
    elements = {stored.passage["id"]: stored.element for stored in kept}
    own_rows = {row["element"]: row for row in rows if row["element"] is not None}
    for element, row in own_rows.items():
        if row["properties"].get("origin") == "card":
            elements.setdefault(row["properties"].get("id"), element)
    shared = desired.shared
    staying: set[str] = set(repair.deleted_elements)
    for passage in desired.passages:
        expected = {**shared.of(passage), **passage}
        expected = {name: value for name, value in expected.items() if value is not None}
        element = elements.get(passage["id"])
        if element is None:
            repair.note(TEXTS)
            properties = expected | {"pending": True}
            repair.added_passages.append({"key": key, "properties": properties, "embedding": None})
            continue
        staying.add(element)
        _compare_passage(own_rows[element], expected, repair)
    # Delete a card of an earlier name or title, or of an entity that has texts by now.
    repair.deleted_elements += [element for element in own_rows if element not in staying]


def _compare_passage(row: Row, expected: Row, repair: EntityRepair) -> None:
    stored: Row = row["properties"]
    properties = {name: value for name, value in stored.items() if name not in _BESIDE}
    changed_properties = _changed_properties(properties, expected)
    is_pending = stored.get("pending") is True
    if "digest" in changed_properties:
        if "id" not in changed_properties:
            repair.note(TEXTS)
        changed_properties |= {"pending": True, **dict.fromkeys(statements.EMBEDDING_PROPERTIES)}
    elif changed_properties:
        repair.note(PASSAGES)
    elif is_pending == row["is_embedded"]:
        repair.note(PASSAGES if is_pending else UNEMBEDDED)
    if "digest" not in changed_properties and is_pending == row["is_embedded"]:
        changed_properties["pending"] = None if row["is_embedded"] else True
    if changed_properties:
        repair.changed_passages.append(
            {"element": row["element"], "properties": changed_properties}
        )


def _changed_properties(stored: Mapping[str, Any], desired: Mapping[str, Any]) -> dict[str, Any]:
    """The properties that differ, with None for those to remove."""
    removed = {
        name: None for name, value in stored.items() if name not in desired and value is not None
    }
    return removed | {
        name: value for name, value in desired.items() if not is_same(stored.get(name), value)
    }
