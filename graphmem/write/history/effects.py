"""What changes did, in parts, so that those of a large import fit into the server's memory."""

from collections.abc import Iterator, Sequence

from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.graph import Graph, Reader, Row
from graphmem.progress import SILENT, Progress

PAGE = 1000
TASK = "Reading what was changed"


def created_rows(
    reader: Reader,
    keys: Sequence[str],
    changes: Sequence[str],
    progress: Progress = SILENT,
) -> Iterator[Row]:
    """Rows of `read/created`: what changes created of some entities.

    Args:
        reader: The store.
        keys: Of the entities, as `read/created_keys` gives them.
        changes: The ids of the changes.
        progress: Receives the progress of the reading, where it takes several statements.
    """
    done = 0
    for batch in batches(keys, most=PAGE):
        yield from reader.read("read/created", keys=batch, changes=list(changes))
        done += len(batch)
        if len(keys) > PAGE:
            progress.advance(TASK, done, len(keys))


def revisions_of(graph: Graph, change: str, progress: Progress = SILENT) -> Iterator[Row]:
    """Rows of `read/numbered_revisions`: what a change changed, of each entity the newest first.

    Args:
        graph: The store.
        change: Its id.
        progress: Receives the progress of the reading, where it takes several statements.
    """
    done = 0
    sizes = graph.read("read/revisions_of_change", id=change)
    for batch in batches(
        sizes, lambda row: int(row["characters"]), most=PAGE, most_bytes=STATEMENT_BYTES
    ):
        numbers = [{"key": row["key"], "revision": row["revision"]} for row in batch]
        rows = graph.read("read/numbered_revisions", rows=numbers)
        yield from (row for row in reversed(rows) if row["change"] == change)
        done += len(batch)
        if len(sizes) > PAGE:
            progress.advance(TASK, done, len(sizes))
