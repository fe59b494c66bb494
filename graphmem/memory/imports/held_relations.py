"""Keeps back what would change a relation of which an import may go on to say more."""

from collections.abc import Iterator

from graphmem.model.identity import RelationIdentity
from graphmem.transfer import Row

# Rows that are held back at most; beyond them, all of them are written.
MOST_HELD_ROWS = 10_000
# Rows that are written together.
BATCH = 1000


class HeldRelations:
    """Holds back rows of relations that the same import has asserted before.

    What an import asserts of a relation replaces what it asserted before. If a file states a
    relation several times, the first statement alone would remove what the others assert, at every
    import.

    Attributes:
        count: How many rows it holds.
    """

    def __init__(self) -> None:
        self._rows: dict[RelationIdentity, list[tuple[int, Row]]] = {}
        self.count = 0

    @property
    def is_full(self) -> bool:
        """Whether it holds more than it should."""
        return self.count > MOST_HELD_ROWS

    def takes(self, identity: RelationIdentity, indexed_row: tuple[int, Row]) -> bool:
        """Take a row with its index if it holds others of the relation; gives whether it did."""
        if identity not in self._rows:
            return False
        self.add(identity, indexed_row)
        return True

    def add(self, identity: RelationIdentity, indexed_row: tuple[int, Row]) -> None:
        """Take a row with its index."""
        self._rows.setdefault(identity, []).append(indexed_row)
        self.count += 1

    def release(self) -> Iterator[list[tuple[int, Row]]]:
        """Give and forget the rows, in batches that have all rows of a relation, in order."""
        rows_by_relation = self._rows
        self._rows, self.count = {}, 0
        batch: list[tuple[int, Row]] = []
        for rows in rows_by_relation.values():
            batch += rows
            if len(batch) >= BATCH:
                yield batch
                batch = []
        if batch:
            yield batch
