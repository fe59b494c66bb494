"""A write with the model of the store, whoever asserts what is written."""

from dataclasses import replace

from graphmem import read
from graphmem.embedding import DocumentEmbedder
from graphmem.errors import EmbeddingError
from graphmem.graph import Graph
from graphmem.memory.store.model import StoreModel
from graphmem.memory.writing.duplicate_notes import duplicate_notes
from graphmem.memory.writing.hidden_notes import hidden_notes, written_names
from graphmem.memory.writing.remembering import Input, remember
from graphmem.memory.writing.replaced_words import replaced_word_notes
from graphmem.memory.writing.slip_notes import slip_notes
from graphmem.memory.writing.spelling_notes import spelling_notes
from graphmem.model import Report
from graphmem.progress import SILENT, Progress
from graphmem.write import WriteOptions
from graphmem.write.assertions.shape import Desired, Stored, unembedded
from graphmem.write.embeddings.searched_set import Embeddings

# Passages that are embedded while the entity they belong to is locked.
PASSAGES_EMBEDDED_WHILE_LOCKED = 64


def embeddings_of(model: StoreModel, stored: Stored, desired: Desired) -> Embeddings:
    """The embeddings of the texts that a change touches; none where they wait for the model.

    Args:
        model: The store's.
        stored: The entity as it is.
        desired: The entity as it shall be.
    """
    is_few = 0 < len(unembedded(stored, desired)) <= PASSAGES_EMBEDDED_WHILE_LOCKED
    return embeddings_by(model.for_write() if is_few else None, stored, desired)


def embeddings_by(
    embedder: DocumentEmbedder | None, stored: Stored, desired: Desired
) -> Embeddings:
    """The embeddings of the texts that a change touches, if they are few and there is a model."""
    texts = unembedded(stored, desired)
    if embedder is None or not 0 < len(texts) <= PASSAGES_EMBEDDED_WHILE_LOCKED:
        return Embeddings()
    try:
        vectors = embedder.documents(list(texts.values()))
    except EmbeddingError:
        return Embeddings()
    return Embeddings(dict(zip(texts, vectors, strict=True)), embedder.identity())


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
    write_model = model.for_write(progress) if embeds else None
    report = remember(graph, write_model, assertions, options, stubs=stubs, progress=progress)
    values = (*assertions.entities, *assertions.relations)
    names = written_names(values, report)
    resolved = read.resolve(graph, options.project, names) if names else {}
    hidden = hidden_notes(values, report, resolved)
    hidden += spelling_notes(graph, options.project, values, report)
    hidden += replaced_word_notes(graph, options.project, assertions.entities, report, resolved)
    if not embeds:
        return replace(report, notes=(*report.notes, *hidden))
    slips = [
        *duplicate_notes(graph, options.project, assertions.entities, report),
        *slip_notes(graph, options.project, values, report),
    ]
    notes = (*report.notes, *model.notes(write_model), *hidden, *slips)
    return replace(report, notes=notes)
