"""Stores made before graphmem's own properties had a prefix: `filters` is `graphmem_filters` now.

The names without the prefix may then be custom attributes. Those that began with `graphmem_` as
custom attributes get a `_` before it.
"""

from graphmem.batches import TRANSACTION_BYTES, batches
from graphmem.graph import Transaction

# Properties of entities that have the prefix now.
FORMER_NAMES = frozenset(
    {
        "filters", "handles", "names", "called", "identifier_parts", "text", "assertions",
        "imported", "unlinked",
    }
)  # fmt: skip
# Relations that one transaction changes; an entity may have very many.
LIMIT = 5000


def prefix_properties(transaction: Transaction, keys: list[str]) -> bool:
    """Rename graphmem's own properties of a page of entities and their relations."""
    rows = transaction.run("write/prefix_relations", keys=keys, limit=LIMIT)
    if rows[0]["changed"] == LIMIT:
        return False
    rows_left = transaction.run("read/unprefixed", keys=keys)
    if not rows_left:
        return True
    sizes = {row["key"]: row["characters"] for row in rows_left}
    batch = next(batches(sizes, sizes.__getitem__, most=len(sizes), most_bytes=TRANSACTION_BYTES))
    renamed_rows = transaction.run("write/prefix_entities", keys=batch)
    _derive(transaction, [row["key"] for row in renamed_rows if row["attributes"]])
    return len(batch) == len(rows_left)


def _derive(transaction: Transaction, keys: list[str]) -> None:
    """Compute again the filter tokens of entities, which are derived from their attributes."""
    if not keys:
        return
    # Imported here for weight: hardly a store has such attributes.
    from graphmem.write import derive  # noqa: PLC0415

    derive(transaction, keys)
