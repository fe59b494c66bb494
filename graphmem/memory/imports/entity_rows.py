"""Writes the entities of one project's share of an import, and reports on their rows."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Self

from graphmem import text
from graphmem.embedding import DocumentEmbedder
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory.imports.collecting import Collected
from graphmem.memory.imports.merged_rows import MergedRows
from graphmem.memory.writing.joining import joined_entities
from graphmem.model import Entity, Item
from graphmem.progress import Progress
from graphmem.transfer import Row
from graphmem.write import EntityWriter, Held, PendingEntity, WriteOptions, chunked

# The most bytes that are held back because later rows may belong to the same entity.
HELD_BACK_BYTES = 16 * 1024 * 1024


class EntityRows:
    """Takes rows of entities, of which several may be of one entity; a context manager.

    Args:
        graph: The store.
        embedder: Makes the embeddings, or None.
        write_options: The project, the import as an author, and whether anything is kept.
        collected: Takes what became of each row.
        note: Told of each entity and its place.
        progress: Receives the progress of the writing.
    """

    def __init__(
        self,
        graph: Graph,
        embedder: DocumentEmbedder | None,
        write_options: WriteOptions,
        *,
        collected: Collected,
        note: Callable[[Entity, str], None],
        progress: Progress,
    ) -> None:
        self._write_options = write_options
        self._collected = collected
        self._note = note
        self._writer = EntityWriter(graph, embedder, write_options, progress=progress)
        self._merged = MergedRows(graph, write_options)
        self._places: dict[int, str] = {}
        self._keys: set[int] = set()
        # By the index of a row that others are joined with, the indexes of those.
        self._joined: dict[int, list[int]] = {}

    def __enter__(self) -> Self:
        """Give the rows themselves."""
        self._writer.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        """Drop what is not written yet."""
        self._writer.__exit__(*error)

    @property
    def chunk(self) -> int:
        """How many chunks were taken."""
        return self._writer.chunk

    @property
    def chunks_written(self) -> int:
        """How many chunks, from the first on, are written, but for what is held back."""
        return self._writer.chunks_written

    @property
    def held(self) -> Held:
        """What was taken and is not written yet."""
        return self._writer.held

    def names(self, key: str) -> bool:
        """Whether a row is of the entity of a key."""
        return digest(key) in self._keys

    def add(self, rows: Sequence[tuple[int, Row]], redirected: Collection[int]) -> None:
        """Take rows in their order, and write what can be written by now.

        Args:
            rows: Rows of a batch, of which those of entities count; under the names that keys are
                made of.
            redirected: The indexes of those that the file calls by another name.
        """
        single_rows = self._merged.keep(rows, redirected)
        self._put(
            self._pending(index, row.place, row.value)
            for index, row in single_rows
            if isinstance(row.value, Entity)
        )
        if self._writer.held_back.weight > HELD_BACK_BYTES:
            self._put_held_back()

    def flush(self) -> None:
        """Write what waits, since others come first now."""
        self._put_held_back()
        self._report(self._writer.flush())

    def finish(self) -> None:
        """Write the rest."""
        for parts in self._merged.released():
            pending = [self._pending(i, row.place, entity) for i, row, entity in parts]
            self._put(self._as_one(pending))
        self._put_held_back()
        self._report(self._writer.finish())

    def _pending(self, index: int, place: str, entity: Entity) -> PendingEntity:
        key_digest = digest(text.key(self._write_options.project, entity.name))
        self._places[index] = place
        pending = PendingEntity(index, entity, again=key_digest in self._keys)
        self._keys.add(key_digest)
        self._note(entity, place)
        return pending

    def _put(self, pending_entities: Iterable[PendingEntity], *, holds: bool = True) -> None:
        for chunk in chunked(pending_entities, self._write_options.project):
            self._report(self._writer.add(chunk, holds=holds))

    def _put_held_back(self) -> None:
        """Write what was held back, of each entity all at once."""
        released = self._writer.held_back.release()
        joined = (pending for parts in released for pending in self._as_one(parts))
        self._put(joined, holds=False)

    def _as_one(self, parts: Sequence[PendingEntity]) -> Iterator[PendingEntity]:
        """The rows of an entity as one row, unless that is too large."""
        first, *others = parts
        try:
            entity = joined_entities(
                [part.entity for part in parts],
                may_lower_confidence=self._write_options.may_lower_confidence,
            )
        except InvalidInput:
            yield from parts
            return
        self._joined[first.index] = [
            *self._joined.pop(first.index, ()),
            *(
                index
                for part in others
                for index in (part.index, *self._joined.pop(part.index, ()))
            ),
        ]
        yield replace(first, entity=entity)

    def _report(self, items: Iterable[tuple[int, Item]]) -> None:
        for index, item in items:
            for part in (index, *self._joined.pop(index, ())):
                self._collected.add(part, replace(item, place=self._places.pop(part)))


def digest(value: object) -> int:
    """64 bits that stand for a key or for ends: two of a million are alike once in 30 million."""
    return int.from_bytes(hashlib.blake2b(repr(value).encode(), digest_size=8).digest(), "big")
