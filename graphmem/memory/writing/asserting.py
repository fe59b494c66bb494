"""A write with the model of the store, whoever asserts what is written."""

from dataclasses import replace

from graphmem.errors import EmbeddingError
from graphmem.graph import Graph
from graphmem.memory.store.model import StoreModel
from graphmem.memory.writing.duplicate_notes import duplicate_notes
from graphmem.memory.writing.hidden_notes import hidden_notes
from graphmem.memory.writing.remembering import Input, remember
from graphmem.memory.writing.spelling_notes import spelling_notes
from graphmem.model import Report
from graphmem.progress import SILENT, Progress
from graphmem.write import WriteOptions
from graphmem.write.assertions.shape import Desired, Stored, unembedded
from graphmem.write.embeddings.searched_set import Embeddings

# Passages that are embedded while the entity they belong to is locked.
FEW = 64


def embeddings_of(
    model: StoreModel, stored: Stored, desired: Desired, progress: Progress
) -> Embeddings:
    """The embeddings of the texts that a change touches; none where they wait for the model.

    Args:
        model: The store's.
        stored: The entity as it is.
        desired: The entity as it shall be.
        progress: Receives the progress of the loading.
    """
    texts = unembedded(stored, desired)
    attempt = model.attempt(progress) if 0 < len(texts) <= FEW else None
    if attempt is None:
        return Embeddings()
    try:
        vectors = attempt.documents(list(texts.values()))
    except EmbeddingError:
        return Embeddings()
    return Embeddings(dict(zip(texts, vectors, strict=True)), attempt.identity())


def write(
    graph: Graph,
    model: StoreModel,
    assertions: Input,
    options: WriteOptions,
    *,
    stubs: bool = False,
    progress: Progress = SILENT,
) -> Report:
    """Write entities, then the relations between them, and embed their passages.

    Args:
        graph: The store.
        model: Its model; passages that have to wait for it are embedded later, and a note says so.
        assertions: What is written.
        options: The project and how what is stored may change.
        stubs: Whether a relation to a missing entity makes it; otherwise it is refused.
        progress: Receives the progress of the embedding and writing.

    Raises:
        DatabaseError: The database does not answer or refuses; whole batches before it stay.
    """
    # Relations alone need no model.
    embeds = bool(assertions.entities or stubs) and not options.dry_run
    attempt = model.attempt(progress) if embeds else None
    report = remember(graph, attempt, assertions, options, stubs=stubs, progress=progress)
    values = (*assertions.entities, *assertions.relations)
    hidden = hidden_notes(graph, options.project, values, report)
    hidden += spelling_notes(graph, options.project, values, report)
    if not embeds:
        return replace(report, notes=tuple(hidden))
    duplicates = duplicate_notes(graph, options.project, assertions.entities, report)
    return replace(report, notes=(*model.notes(attempt), *hidden, *duplicates))
