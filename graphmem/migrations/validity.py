"""Stores made before entities had periods: `valid_from` and `valid_until` were attributes."""

from graphmem.graph import Transaction
from graphmem.model.period import PERIOD


def attributes_to_periods(transaction: Transaction, keys: list[str]) -> bool:
    """Have attributes of a page of entities say when these hold.

    What is no date, or ends before it begins, becomes `valid_from_` and `valid_until_`, or what is
    free of names with more underscores, since the fields hold nothing else.
    """
    rows = transaction.run("read/entities_saying", keys=keys, names=[*PERIOD])
    if not rows:
        return True
    # Imported here for weight: hardly a store has such attributes.
    from graphmem.write.legacy_entities import rewrite, with_period  # noqa: PLC0415

    return rewrite(transaction, [row["key"] for row in rows], with_period)
