"""The entity that the words of all its authors make, those that count: pure, no I/O."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.model.entity import RECORD
from graphmem.model.entity_fields import FIELD_NAMES
from graphmem.model.provenance import UNKNOWN
from graphmem.model.reserved import USE
from graphmem.write.assertions.facts import DEFAULTS, record_of
from graphmem.write.assertions.provenance import Fact, Ledger
from graphmem.write.assertions.shape import Desired, Stored, finished


def desired_entity(
    stored: Stored, ledger: Ledger, *, name: str, project: str, created_at: datetime,
    passages: Sequence[dict[str, Any]], extra_properties: Mapping[str, Any] | None = None,
) -> Desired:  # fmt: skip
    """The entity that a ledger's words make.

    Args:
        stored: As it is; it keeps its key, the order of its lists, and what the ledger is not of.
        ledger: Whose word on what counts.
        name: What it is called from now on.
        project: Its project.
        created_at: When it was created.
        passages: Its text and observations, in order.
        extra_properties: Added where the entity has no property of that name.
    """
    old, facts = stored.properties, ledger.facts()
    fields = {field: facts.get((field, "")) for field in FIELD_NAMES if field != "text"}
    properties: dict[str, Any] = {
        **{fact[1]: value for fact, value in facts.items() if fact[0] == "attribute"},
        # Behind the attributes, so that none of them takes the place of a field.
        "key": stored.key,
        "project": project,
        "name": name,
        **fields,
        **{field: fields[field] or default for field, default in DEFAULTS.items()},
        "aliases": _ordered("alias", old.get("aliases"), facts),
        "tags": _ordered("tag", old.get("tags"), facts),
        "created_at": created_at,
        **{name: old[name] for name in (*USE, *RECORD) if name in old},
        "asserted_by": list(ledger.authors),
        "graphmem_assertions": record_of(ledger, facts),
        "graphmem_imported": old.get("graphmem_imported") if UNKNOWN in ledger.authors else None,
        "graphmem_unlinked": old.get("graphmem_unlinked"),
    }
    properties |= {
        name: value
        for name, value in (extra_properties or {}).items()
        if properties.get(name) is None
    }
    return finished(stored.key, properties, passages)


def _ordered(sort: str, old: Sequence[str] | None, facts: Mapping[Fact, object]) -> list[str]:
    """The items of a list, those that were there first, in their old order."""
    items = {fact[1]: str(value) for fact, value in facts.items() if fact[0] == sort}
    old_forms = [text.normalised(item) for item in old or ()]
    first = {folded: items[folded] for folded in old_forms if folded in items}
    return [*first.values(), *(item for folded, item in items.items() if folded not in first)]
