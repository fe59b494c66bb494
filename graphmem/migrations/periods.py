"""Stores made before relations had periods: there was one of each type between two entities."""

from graphmem.graph import Transaction

# Relations that one transaction changes; an entity may have very many.
LIMIT = 5000
# The underscores behind the name of an attribute whose name is that of a field by now.
UNDERSCORES = ["_" * many for many in range(1, 50)]


def note_relation_beginnings(transaction: Transaction, keys: list[str]) -> bool:
    """Record that the relations which start at a page of entities have no beginning.

    Custom attributes called `valid_from` and `valid_until` become `valid_from_` and `valid_until_`,
    or where these are there as well have more underscores, since these are fields now, which hold
    nothing but days and moments.
    """
    rows = transaction.run(
        "write/note_relation_beginnings", keys=keys, limit=LIMIT, marks=UNDERSCORES
    )
    return bool(rows[0]["changed"] < LIMIT)
