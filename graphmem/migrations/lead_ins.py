"""Stores made before entities had lead-ins: `lead_in` was an attribute like others."""

from graphmem.graph import Transaction


def free_lead_ins(transaction: Transaction, keys: list[str]) -> bool:
    """Rename a custom attribute `lead_in` to `lead_in_`, with more underscores if that is taken.

    Nobody meant it to be embedded, and it may be a number.
    """
    rows = transaction.run("read/entities_saying", keys=keys, names=["lead_in"])
    if not rows:
        return True
    # Imported here for weight: hardly a store has such attributes.
    from graphmem.write.legacy_entities import rewrite, with_free_lead_in  # noqa: PLC0415

    return rewrite(transaction, [row["key"] for row in rows], with_free_lead_in)
