"""Keeps the rows of a file together that lead to one entity, since names were merged into it.

What an import asserts of an entity replaces what it asserted before. If the rows were written one
by one, each run would replace the whole entity by the first row and add the others to it again.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import cast

from graphmem import text
from graphmem.graph import Graph
from graphmem.model import Entity, Observation
from graphmem.transfer import Row
from graphmem.write import WriteOptions, size_of

# The most that is held back; beyond it, rows are written one by one.
BYTES = 16 * 1024 * 1024


class MergedRows:
    """Holds back the rows of entities to which other names redirect.

    Args:
        graph: The store.
        write_options: The project, and how the import writes.
    """

    def __init__(self, graph: Graph, write_options: WriteOptions) -> None:
        self._graph = graph
        self._write_options = write_options
        self._parts: dict[str, list[tuple[int, Row]]] = {}
        # The indexes of the rows that call their entity by another name than that of its key.
        self._redirected: set[int] = set()
        self._size = 0

    def keep(
        self, rows: Sequence[tuple[int, Row]], redirected: Container[int]
    ) -> list[tuple[int, Row]]:
        """Take the rows of entities to which other names redirect; gives the others.

        Args:
            rows: Those of a batch, under the names that the keys are made of.
            redirected: The indexes of those that the file calls by another name.
        """
        keys = {
            index: text.key(self._write_options.project, row.value.name)
            for index, row in rows
            if isinstance(row.value, Entity) and row.value.provenance is None
        }
        targets = sorted(set(keys.values()))
        redirect_rows = self._graph.read("read/redirected", targets=targets) if targets else []
        merged_keys = {row["target"] for row in redirect_rows}
        single_rows: list[tuple[int, Row]] = []
        for index, row in rows:
            if (
                keys.get(index) in merged_keys
                and isinstance(row.value, Entity)
                and self._size < BYTES
            ):
                self._parts.setdefault(keys[index], []).append((index, row))
                self._redirected |= {index} if index in redirected else set()
                self._size += size_of(row.value)
            else:
                single_rows.append((index, row))
        return single_rows

    def released(self) -> Iterator[list[tuple[int, Row, Entity]]]:
        """The rows held back of each entity, with what each asserts; the last one counts most."""
        for parts in self._parts.values():
            # What the entity itself says stands last, so that it counts as in the merge.
            parts.sort(key=lambda part: part[0] not in self._redirected)
            yield [(index, row, self._absorbed(index, row, parts)) for index, row in parts]
        self._parts.clear()

    def _absorbed(self, index: int, row: Row, parts: Sequence[tuple[int, Row]]) -> Entity:
        """The entity of a row; that of another name says its text as a merge has left it."""
        entity = cast("Entity", row.value)
        kept_rows = [part.value for other, part in parts if other not in self._redirected]
        if index not in self._redirected or not kept_rows:
            return entity
        entity = replace(entity, status=None)
        if not entity.text or not any(isinstance(kept, Entity) and kept.text for kept in kept_rows):
            return entity
        text_observation = Observation(entity.text, entity.created_at)
        return replace(
            entity,
            text=None,
            lead_in=None,
            observations=(*entity.observations, text_observation),
        )
