"""Old history is deleted, batch by batch; what is known now stays as it is."""

from datetime import datetime

from graphmem.graph import Graph
from graphmem.progress import SILENT, Progress

BATCH = 5000


def delete_history(graph: Graph, before: datetime, *, progress: Progress = SILENT) -> int:
    """Delete the history records from before a moment; gives how many there were.

    The moment is written first, so that nobody takes what is left for the whole after a kill; the
    next call goes on.
    """
    graph.write(lambda transaction: transaction.run("write/note_history_start", before=before))
    deleted = 0
    while True:
        rows = graph.write(
            lambda transaction: transaction.run("write/delete_history", before=before, limit=BATCH)
        )
        if not rows[0]["deleted"]:
            return deleted
        deleted += rows[0]["deleted"]
        progress.advance("Deleting history", deleted, deleted + 1)
