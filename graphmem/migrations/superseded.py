"""Stores made before what was superseded led to what replaced it: searches left it out whole."""

from graphmem import text
from graphmem.graph import Transaction

# Entities that one transaction changes.
LIMIT = 100


def lead_on(transaction: Transaction, keys: list[str]) -> bool:
    """Have searches come across the superseded entities of a page."""
    words = text.token("live", "True")
    superseded_keys = [
        row["key"] for row in transaction.run("read/superseded_entities", keys=keys, words=words)
    ]
    if superseded_keys:
        # Imported here for weight: nearly every store has had this migration.
        from graphmem.write import derive  # noqa: PLC0415

        derive(transaction, superseded_keys[:LIMIT])
    return len(superseded_keys) <= LIMIT
