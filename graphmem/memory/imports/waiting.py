"""Relations that wait until their ends are written."""

from collections import deque
from collections.abc import Iterator

from graphmem.memory.imports.spool import Spool
from graphmem.transfer import Row

# Those that wait in memory for the entities before them; further ones wait on disk.
MOST_IN_MEMORY = 10_000


class WaitingRelations:
    """Those of a chunk of rows wait until its entities are written, others until all are.

    Attributes:
        late: Those that wait until all entities are written, on disk.
    """

    def __init__(self) -> None:
        self._chunks: deque[tuple[int, list[tuple[int, Row]]]] = deque()
        self.late: Spool[tuple[int, Row]] = Spool()

    @property
    def count(self) -> int:
        """How many wait in memory."""
        return sum(len(rows) for _, rows in self._chunks)

    def add(self, chunk: int, rows: list[tuple[int, Row]]) -> None:
        """Take relations that stand behind the entities of so many chunks."""
        if rows:
            self._chunks.append((chunk, rows))

    def take_ready(self, chunks: int) -> Iterator[list[tuple[int, Row]]]:
        """Give back those that stand behind entities of so many chunks at most."""
        while self._chunks and self._chunks[0][0] <= chunks:
            yield self._chunks.popleft()[1]

    def limit(self) -> None:
        """Have the first of too many wait on disk, as in a source whose relations come last."""
        while self.count > MOST_IN_MEMORY:
            for pair in self._chunks.popleft()[1]:
                self.late.add(pair)
