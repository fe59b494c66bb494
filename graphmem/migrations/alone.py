"""Stores made before operators found an entity whose only passage is not valid at the time."""

from graphmem import text
from graphmem.graph import Transaction

# Entities that one transaction changes.
LIMIT = 100


def find_alone(transaction: Transaction, keys: list[str]) -> bool:
    """Have operators find the entities of a page that have a dated passage and no other."""
    rows = transaction.run("read/dated_alone", keys=keys, word=text.SEVERAL)
    alone_keys = [row["key"] for row in rows]
    if alone_keys:
        # Imported here for weight: nearly every store has had this migration.
        from graphmem.write import derive  # noqa: PLC0415

        derive(transaction, alone_keys[:LIMIT])
    return len(alone_keys) <= LIMIT
