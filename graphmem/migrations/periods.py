"""Stores made before relations had periods: then one of a type between two entities was all."""

from graphmem.graph import Transaction

# Relations that one transaction changes; an entity may have very many.
LIMIT = 5000
# What stands behind the name of an attribute that is the name of a field by now.
MARKS = ["_" * many for many in range(1, 50)]


def note_relation_beginnings(transaction: Transaction, keys: list[str]) -> bool:
    """Note of the relations of a page of starts that they have no beginning.

    Custom attributes called `valid_from` and `valid_until` become `valid_from_` and `valid_until_`,
    or where these are there as well have more underscores, since these are fields now, which hold
    nothing but days and moments.
    """
    rows = transaction.run("write/note_relation_beginnings", keys=keys, limit=LIMIT, marks=MARKS)
    return bool(rows[0]["changed"] < LIMIT)
