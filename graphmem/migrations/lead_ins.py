"""Stores made before entities had lead-ins: `lead_in` was an attribute like others."""

from graphmem.graph import Transaction

# Entities that one transaction changes.
LIMIT = 100


def free_lead_ins(transaction: Transaction, keys: list[str]) -> bool:
    """Rename a custom attribute `lead_in` to `lead_in_`, with more underscores if that is taken.

    Nobody meant it to be embedded, and it may be a number.
    """
    rows = transaction.run("read/entities_saying", keys=keys, names=["lead_in"])
    if not rows:
        return True
    # Imported here for weight: hardly a store has such attributes.
    from graphmem.write.legacy_entities import brought_up, with_free_lead_in  # noqa: PLC0415

    keys = [row["key"] for row in rows]
    return brought_up(transaction, keys, with_free_lead_in, limit=LIMIT)
