"""Deletes entities for good with what is noted of them, in batches that a kill leaves whole."""

from collections.abc import Sequence
from functools import partial

from graphmem import calls, text
from graphmem.batches import batches
from graphmem.graph import Graph, Transaction
from graphmem.progress import SILENT, Progress
from graphmem.write.deleting.removing import Check, delete_entities
from graphmem.write.history import recording

BATCH = 100


def purge(
    graph: Graph,
    keys: Sequence[str],
    *,
    check: Check | None = None,
    mark: str | None = None,
    progress: Progress = SILENT,
) -> set[str]:
    """Delete entities with passages, relations, history and the names that led to them.

    Entities may be chosen by relations to others that are deleted first. So all are marked before
    anything is deleted, and the check accepts what is marked.

    Args:
        graph: The store.
        keys: Of the entities.
        check: Which of them are deleted after all; None for all.
        mark: What those are marked with that were chosen by their relations; None for others. What
            stays in the end is not marked any more; a purge that is killed leaves its marks.
        progress: Receives the progress of the deletion.

    Returns:
        The keys of those that are gone.
    """
    ordered = sorted(set(keys))
    if mark is not None:
        marked_count = 0
        for batch in batches(ordered, most=BATCH):
            graph.write(partial(_mark, keys=batch, check=check, mark=mark))
            marked_count += len(batch)
            progress.advance("Marking entities", marked_count, len(ordered))
    deleted_keys: set[str] = set()
    done = 0
    for batch in batches(ordered, most=BATCH):
        deleted_keys |= delete_entities(graph, batch, check=check, note=_note).keys
        done += len(batch)
        progress.advance("Deleting entities", done, len(ordered))
    if mark is not None:
        remaining_keys = (key for key in ordered if key not in deleted_keys)
        for batch in batches(remaining_keys, most=BATCH):
            graph.write(partial(_mark, keys=batch, check=None, mark=None))
    return deleted_keys


def _mark(
    transaction: Transaction, *, keys: Sequence[str], check: Check | None, mark: str | None
) -> None:
    transaction.run("write/lock_keys", keys=list(keys))
    chosen_keys = keys if check is None else check(transaction, keys)
    transaction.run("write/mark_purge", keys=list(chosen_keys), mark=mark)


def _note(transaction: Transaction, keys: Sequence[str]) -> None:
    """Record that entities were deleted, without what they contained."""
    projects = sorted({text.project_of(key) for key in keys})
    now = recording.moment(transaction, projects)
    for project in projects:
        recording.note(transaction, calls.current(), project, [], now=now)
