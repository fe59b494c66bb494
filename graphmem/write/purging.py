"""Deletes entities for good with what is noted of them, in batches that a kill leaves whole."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from graphmem import calls, text
from graphmem.graph import Graph, Transaction
from graphmem.progress import SILENT, Progress
from graphmem.write import recording
from graphmem.write.removing import delete_entities

BATCH = 100

# Which of some entities are deleted after all; asked behind their locks.
Check = Callable[[Transaction, Sequence[str]], Sequence[str]]


def purge(
    graph: Graph,
    keys: Sequence[str],
    *,
    check: Check | None = None,
    progress: Progress = SILENT,
) -> set[str]:
    """Delete entities with passages, relations, history and the names that led to them.

    Args:
        graph: The store.
        keys: Of the entities.
        check: Which of them are deleted after all; None for all.
        progress: Hears of the deletion.

    Returns:
        The keys of those that are gone.
    """
    ordered = sorted(set(keys))
    gone: set[str] = set()
    for start in range(0, len(ordered), BATCH):
        some = ordered[start : start + BATCH]
        gone |= delete_entities(graph, some, check=check, note=_note).gone
        progress.advance("Deleting entities", start + len(some), len(ordered))
    return gone


def _note(transaction: Transaction, keys: Sequence[str]) -> None:
    """Note that entities were deleted; what they were is not."""
    now = datetime.now(UTC)
    for project in sorted({text.project_of(key) for key in keys}):
        recording.note(transaction, calls.current(), project, [], now=now)
