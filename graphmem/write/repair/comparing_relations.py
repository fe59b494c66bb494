"""Finds what somebody changed by hand in relations, and how to repair it: pure, no I/O."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graphmem.graph import Row
from graphmem.model import limits, sources, stored_values
from graphmem.model.period import since
from graphmem.model.provenance import CALLER
from graphmem.model.relation_fields import SINCE
from graphmem.write.assertions.provenance import is_same

# Sorts of what is found, as a report calls them.
RELATIONS = "relations made by hand, or with another beginning"
VALUES = "relations with fields of a wrong type"


@dataclass(slots=True)
class RelationRepairs:
    """What has to be written to repair relations.

    Args:
        sorts: How many there are of each sort.
        rows: Of `write/repair_relations`.
        repeated: Those that exist more than once: start, type and end.
    """

    sorts: Counter[str] = field(default_factory=Counter)
    rows: list[Row] = field(default_factory=list)
    repeated: dict[tuple[str, str, str], None] = field(default_factory=dict)


def compare_relations(
    rows: Sequence[Row], now: datetime, uncounted: Collection[str]
) -> RelationRepairs:
    """Compare relations with what graphmem would write of them.

    Args:
        rows: Of `read/compared_relations`.
        now: The moment that stands where none does.
        uncounted: The keys of entities whose relations are not counted.
    """
    repairs = RelationRepairs()
    taken: set[tuple[str, ...]] = set()
    for row in rows:
        name = (row["start"], row["relation"], row["end"])
        properties = _typed(row["stored"], now)
        identity = (*name, properties[SINCE])
        if properties[SINCE] in row["others"] or identity in taken:
            repairs.repeated[name] = None
            continue
        taken.add(identity)
        changed = {
            field_name: value
            for field_name, value in properties.items()
            if not is_same(row["stored"].get(field_name), value)
        }
        if changed:
            repairs.rows.append({"element": row["element"], "properties": changed})
            repairs.sorts[_sort(row["stored"], changed)] += row["start"] not in uncounted
    repairs.sorts = +repairs.sorts
    return repairs


def _typed(stored: Row, now: datetime) -> dict[str, Any]:
    """The fields of a relation with valid types, missing ones filled in."""
    valid_from = stored_values.day(stored.get("valid_from"))
    source = stored_values.optional_text(stored.get("source"))
    return {
        SINCE: since(valid_from),
        "valid_from": valid_from,
        "valid_until": stored_values.day(stored.get("valid_until")),
        "note": stored_values.optional_text(stored.get("note")),
        "source": limits.or_none(sources.source, source),
        "weight": stored_values.share(stored.get("weight")),
        "confidence": stored_values.share(stored.get("confidence")),
        "created_at": stored_values.moment(stored.get("created_at")) or now,
        "asserted_by": stored_values.texts(stored.get("asserted_by")) or [CALLER],
        "graphmem_assertions": stored_values.record(stored.get("graphmem_assertions")),
    }


def _sort(stored: Row, changed: Row) -> str:
    is_new = stored.get("created_at") is None or not stored.get("asserted_by")
    return RELATIONS if is_new or SINCE in changed else VALUES
