"""Old history is deleted, batch by batch; what is known now stays as it is."""

from collections.abc import Sequence
from datetime import datetime

from graphmem import calls
from graphmem.graph import Graph, Transaction
from graphmem.progress import Progress
from graphmem.write.history import recording

BATCH = 5000


def delete_history(graph: Graph, before: datetime, *, progress: Progress) -> int:
    """Delete the history records from before a moment; gives how many there were.

    The moment is written first, so that nobody takes what is left for the whole after a kill; the
    next call goes on.
    """
    graph.run("write/note_history_start", before=before)
    deleted = 0
    while True:
        rows = graph.run("write/delete_history", before=before, limit=BATCH)
        if not rows[0]["deleted"]:
            return deleted
        deleted += rows[0]["deleted"]
        progress.advance("Deleting history", deleted, deleted + 1)


def delete_history_of(graph: Graph, project: str, keys: Sequence[str]) -> int:
    """Delete the revisions of some entities, which stay; returns how many were deleted.

    The record of changes notes it. After a kill the same call deletes the rest.
    """

    def work(transaction: Transaction) -> int:
        rows = transaction.run("write/delete_entity_history", keys=list(keys), limit=BATCH)
        if rows[0]["deleted"]:
            now = recording.moment(transaction, [project])
            recording.note(transaction, calls.current(), project, [], now=now)
        return int(rows[0]["deleted"])

    deleted = 0
    while batch := graph.write(work):
        deleted += batch
    return deleted
