"""Relations that wait until their ends are written."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from graphmem import read, text
from graphmem.graph import Graph
from graphmem.memory.imports.spool import Spool
from graphmem.model import Relation
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


def ready_rows(
    graph: Graph,
    project: str,
    rows: Sequence[tuple[int, Row]],
    is_possible: Callable[[str], bool] | None,
) -> list[tuple[int, Row]]:
    """Those of some rows whose relations lead from and to what is written, called by its name.

    Args:
        graph: The store.
        project: The project imported into.
        rows: Rows of relations.
        is_possible: Whether the entity of a key may be an end; None where every one may.
    """
    names = {
        name
        for _, row in rows
        if isinstance(row.value, Relation)
        for name in (row.value.start, row.value.end)
        if is_possible is None or is_possible(text.key(project, name))
    }
    existing = read.existing(graph, project, names)
    return [
        (index, row)
        for index, row in rows
        if isinstance(row.value, Relation) and {row.value.start, row.value.end} <= existing
    ]
