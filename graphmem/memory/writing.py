"""A write with the model of the store, whoever asserts what is written."""

from dataclasses import replace

from graphmem.graph import Graph
from graphmem.memory.model import StoreModel
from graphmem.memory.remembering import Input, remember
from graphmem.model import Report
from graphmem.progress import SILENT, Progress
from graphmem.write import WriteOptions


def write(
    graph: Graph,
    model: StoreModel,
    given: Input,
    how: WriteOptions,
    *,
    stubs: bool = False,
    progress: Progress = SILENT,
) -> Report:
    """Write entities, then the relations between them, and embed their passages.

    Args:
        graph: The store.
        model: Its model; passages that have to wait for it are embedded later, and a note says so.
        given: What is written.
        how: The project and how what is stored may change.
        stubs: Whether a relation to a missing entity makes it; otherwise it is refused.
        progress: Hears of the embedding and writing.

    Raises:
        DatabaseError: The database does not answer or refuses; whole batches before it stay.
    """
    embeds = bool(given.entities or stubs) and not how.dry_run  # relations alone need no model
    attempt = model.attempt(progress) if embeds else None
    report = remember(graph, attempt, given, how, stubs=stubs, progress=progress)
    return replace(report, notes=model.notes(attempt)) if embeds else report
