"""Stores made before authors were recorded: imports left only a mark on what they brought in.

A relation belongs to the import that brought it in, or else to the caller. The content of an entity
from an import may also be somebody's note, so its author is unknown. When the import runs again, it
takes over what it repeats, by the mark that stays on the entity; the rest stays.
"""

from collections.abc import Sequence
from typing import Any

from graphmem.graph import Row, Transaction
from graphmem.migrations.prefix import FORMER_NAMES
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.model.status import FORGOTTEN

# Relations or observations that one transaction changes; an entity may have very many.
LIMIT = 5000


def note_relation_authors(transaction: Transaction, keys: list[str]) -> bool:
    """Record who asserts the relations that start at a page of entities."""
    rows = transaction.run("write/note_relation_authors", keys=keys, limit=LIMIT)
    return bool(rows[0]["changed"] < LIMIT)


def note_authors(transaction: Transaction, keys: list[str]) -> bool:
    """Record who asserts a page of entities, and who made their observations."""
    _note_hidden(transaction, keys)
    transaction.run("write/note_entity_authors", keys=keys)
    rows = transaction.run("write/note_observation_authors", keys=keys, limit=LIMIT)
    return bool(rows[0]["changed"] < LIMIT)


def _note_hidden(transaction: Transaction, keys: list[str]) -> None:
    """Note of what an import brought in and a caller has forgotten that both have a word on it."""
    hidden_keys = [row["key"] for row in transaction.run("read/hidden_imports", keys=keys)]
    for key in hidden_keys:
        for row in transaction.run("write/lock_entities", keys=[key]):
            properties = _forgotten_properties(row["stored"], row["passages"])
            entity = {"key": key, "properties": properties, "add": [], "remove": []}
            transaction.run("write/put_entities", rows=[entity])


def _forgotten_properties(stored_properties: Row, passages: Sequence[Row]) -> dict[str, Any]:
    # Imported here for weight: nearly every store has had this migration.
    from graphmem.write.assertions.facts import counting, record_of, without_defaults  # noqa: PLC0415
    from graphmem.write.assertions.provenance import EPOCH, STATUS, Ledger, Word  # noqa: PLC0415

    properties = {
        name: value for name, value in stored_properties.items() if name not in FORMER_NAMES
    }
    facts = without_defaults(counting(properties, passages))
    del facts[STATUS]
    at = stored_properties.get("updated_at") or EPOCH
    ledger = Ledger.of_author(UNKNOWN, facts, at)
    ledger = Ledger(ledger.authors, {**ledger.words, STATUS: {CALLER: Word(at, FORGOTTEN)}})
    return {"asserted_by": list(ledger.authors), "assertions": record_of(ledger, ledger.facts())}
