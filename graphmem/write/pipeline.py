"""Writes entities as they come: one batch is written while the next is embedded and one is read."""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from graphmem import text
from graphmem.batches import TRANSACTION_BYTES
from graphmem.embedding import DocumentEmbedder, Vector
from graphmem.errors import EmbeddingError
from graphmem.graph import Graph
from graphmem.model import Entity, Item
from graphmem.progress import Progress
from graphmem.write.assertions.shape import unchanged, unembedded
from graphmem.write.assertions.upsert import upserted
from graphmem.write.assertions.weight import content_weight
from graphmem.write.embeddings.searched_set import Embeddings
from graphmem.write.entities import item_of, snapshots, write
from graphmem.write.held_back import HeldBack
from graphmem.write.options import WriteOptions
from graphmem.write.pending_entity import PendingEntity
from graphmem.write.write_progress import WriteProgress

# Entities that are read and compared together, and bytes of their texts.
CHUNK = 500
CHUNK_BYTES = 8 * 1024 * 1024
# Passages that are given to the model together, which puts those of one length side by side.
SLICE = 256
# Slices, and bytes of what they hold, that are embedded or wait for it while others are written.
AHEAD = 16
AHEAD_BYTES = 2 * TRANSACTION_BYTES
# A commit costs the store about a fifth of a second, however little is in it.
SECONDS = 2.0


@dataclass(slots=True)
class _Slice:
    """Entities of distinct keys that are written in one transaction, and their embeddings."""

    chunk: int
    entities: dict[str, PendingEntity] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    vectors: "Future[list[Vector]] | None" = None
    weight: int = 0

    @property
    def is_embedded(self) -> bool:
        """Whether its embeddings are finished."""
        return self.vectors is None or self.vectors.done()

    def is_full(self, texts: int, weight: int) -> bool:
        """Whether an entity of so many texts and bytes is to begin another slice."""
        return len(self.texts) + texts > SLICE or self.weight + weight > TRANSACTION_BYTES


@dataclass(frozen=True, slots=True)
class Held:
    """What was taken and is not written yet: entities, or passages if these are more, and bytes."""

    count: int = 0
    weight: int = 0

    def __add__(self, other: "Held") -> "Held":
        """Both together."""
        return Held(self.count + other.count, self.weight + other.weight)


class EntityWriter:
    """Creates and updates entities as they come, in batches that each happen whole or not at all.

    While one batch is written the next is embedded and the one after it read, so memory does not
    grow with their number, and what was reported is stored. A context manager.

    Args:
        graph: Where to.
        embedder: Makes the embeddings; without one the passages wait for it.
        options: Project, author, overwriting, dry run.
        progress: Receives the progress of the embedding and of the writing.

    Attributes:
        held_back: Entities of which an import may say more; whoever adds entities adds these, too.
    """

    def __init__(
        self,
        graph: Graph,
        embedder: DocumentEmbedder | None,
        options: WriteOptions,
        *,
        progress: Progress,
    ) -> None:
        self.held_back = HeldBack(options)
        self._graph = graph
        self._embedder = embedder
        self._options = options
        self._write_progress = WriteProgress(progress)
        self._ahead: deque[_Slice] = deque()
        self._pool = _thread()
        self._chunk = 0
        self._written_at = time.monotonic()
        self._is_closed = False

    def __enter__(self) -> Self:
        """Give the writer itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Drop what is not written yet, and wait until the model is done with what it has begun."""
        self._is_closed = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def chunk(self) -> int:
        """How many chunks were added."""
        return self._chunk

    @property
    def chunks_written(self) -> int:
        """How many chunks, from the first on, are written whole."""
        return self._ahead[0].chunk - 1 if self._ahead else self._chunk

    @property
    def held(self) -> Held:
        """What was taken and is not written yet."""
        return Held(
            self.held_back.count
            + sum(max(len(part.entities), len(part.texts)) for part in self._ahead),
            self.held_back.weight + sum(part.weight for part in self._ahead),
        )

    def add(
        self, entities: Iterable[PendingEntity], *, holds: bool = True
    ) -> Iterator[tuple[int, Item]]:
        """Take a chunk of entities, and write what was taken before.

        Args:
            entities: Checked entities, about 500; an entity is named once in a chunk.
            holds: Whether some of them may be held back.

        Yields:
            The index of each entity that is done, and what became of it.
        """
        chunk = {
            text.key(self._options.project, pending.entity.name): pending for pending in entities
        }
        self._chunk += 1
        self._write_progress.read += len(chunk) if holds else 0
        for settled_items, part in self._parts(chunk, holds=holds):
            yield from settled_items
            self._write_progress.add_written(len(settled_items))
            if part.texts and self._embedder is not None:
                texts = list(part.texts.values())
                self._write_progress.to_embed += len(texts)
                part.vectors = self._pool.submit(
                    self._embedder.documents, texts, advance=self._embedded
                )
            if part.entities:
                self._ahead.append(part)
            while self._is_due():
                yield from self._write(self._next_slices())

    def finish(self) -> Iterator[tuple[int, Item]]:
        """Write what was taken and is not written yet; yields what `add` does."""
        yield from self.flush()
        self._write_progress.finish()

    def flush(self) -> Iterator[tuple[int, Item]]:
        """Do what `finish` does, but more may be added later; until then, no thread is kept."""
        while self._ahead:
            yield from self._write(self._next_slices())
        self._pool.shutdown(wait=True)
        self._pool = _thread()

    def _embedded(self, more: int) -> None:
        """Note that more passages are embedded.

        Raises:
            EmbeddingError: Nobody waits for the others, so that the model need not embed them.
        """
        if self._is_closed:
            raise EmbeddingError("the write has ended")
        self._write_progress.add_embedded(more)

    def _is_due(self) -> bool:
        """Whether to write now: enough slices wait, or the first has waited long enough.

        The slices of a slow model are written one by one, those of a quick one together. What is
        embedded and not written yet is kept elsewhere, see `RecentEmbeddings`.
        """
        ahead = self._ahead
        if len(ahead) > AHEAD or sum(part.weight for part in ahead) > AHEAD_BYTES:
            return True
        waited = time.monotonic() - self._written_at > SECONDS
        return bool(ahead) and waited and ahead[0].is_embedded

    def _next_slices(self) -> list[_Slice]:
        """The next slice, and those behind it that are embedded and fit into one transaction."""
        slices = [self._ahead.popleft()]
        keys, weight = set(slices[0].entities), slices[0].weight
        while self._ahead and self._ahead[0].is_embedded:
            part = self._ahead[0]
            weight += part.weight
            fits = weight <= TRANSACTION_BYTES and len(keys) + len(part.entities) <= CHUNK
            if not fits or not keys.isdisjoint(part.entities):
                break
            keys |= part.entities.keys()
            slices.append(self._ahead.popleft())
        return slices

    def _parts(
        self, chunk: Mapping[str, PendingEntity], *, holds: bool
    ) -> Iterator[tuple[list[tuple[int, Item]], _Slice]]:
        """The items that need no writing, and slices of the others with the texts to embed."""
        part, settled_items = _Slice(self._chunk), []
        now = datetime.now(UTC)
        for key, stored, stored_weight in snapshots(self._graph, sorted(chunk)):
            pending = chunk[key]
            desired = upserted(
                stored, pending.entity, options=self._options, now=now, again=pending.again
            )
            # An entity given twice may still wait to be written: only the transaction can compare
            # it.
            item = item_of(pending, stored, desired, self._options)
            is_done = unchanged(stored, desired) and item.outcome != "refused"
            if holds and self.held_back.takes(stored, pending, changes=not is_done):
                continue
            if self._options.dry_run or (is_done and not pending.again):
                settled_items.append((pending.index, item))
                continue
            texts = {} if self._embedder is None else unembedded(stored, desired)
            weight = stored_weight + content_weight(pending.entity)
            if part.entities and part.is_full(len(texts), weight):
                yield settled_items, part
                part, settled_items = _Slice(self._chunk), []
            part.entities[key] = pending
            part.texts |= texts
            part.weight += weight
        yield settled_items, part

    def _write(self, parts: Sequence[_Slice]) -> list[tuple[int, Item]]:
        """Write slices in one transaction, once they are embedded."""
        vectors: dict[str, Vector] = {}
        pending_entities: dict[str, PendingEntity] = {}
        for part in parts:
            pending_entities |= part.entities
            if part.vectors is not None:
                # A text that the model fails on is written all the same, without an embedding.
                with suppress(EmbeddingError):
                    vectors |= zip(part.texts, part.vectors.result(), strict=True)
        model = self._embedder.identity() if vectors and self._embedder is not None else None
        items = write(self._graph, pending_entities, self._options, Embeddings(vectors, model))
        self._write_progress.add_written(len(items))
        self._written_at = time.monotonic()
        return items


def _thread() -> ThreadPoolExecutor:
    """A thread that embeds, which begins with the first text."""
    return ThreadPoolExecutor(1, thread_name_prefix="graphmem-embed")


def chunked(entities: Iterable[PendingEntity], project: str) -> Iterator[list[PendingEntity]]:
    """Entities in chunks for `EntityWriter.add`: at most 500 and about 8 MiB, no key twice."""
    chunk: dict[str, PendingEntity] = {}
    size = 0
    for pending in entities:
        key = text.key(project, pending.entity.name)
        if chunk and (key in chunk or len(chunk) == CHUNK or size > CHUNK_BYTES):
            yield list(chunk.values())
            chunk, size = {}, 0
        chunk[key] = pending
        size += size_of(pending.entity)
    if chunk:
        yield list(chunk.values())


def size_of(entity: Entity) -> int:
    """About how many bytes the texts of an entity take."""
    return (
        1000
        + len(entity.text or "")
        + sum(len(observation.text) for observation in entity.observations)
    )
