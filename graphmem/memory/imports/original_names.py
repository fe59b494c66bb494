"""Gives renamed entities of an export their original names, so that they keep their keys."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from graphmem import read, text
from graphmem.graph import Graph
from graphmem.model import Entity
from graphmem.model.provenance import Provenance
from graphmem.transfer import Row


@dataclass(frozen=True, slots=True)
class _Renamed:
    """An entity that was renamed in the store of the export.

    Args:
        entity: The entity under its original name, which its key is made of.
        present_name: Its name in the export.
    """

    entity: Entity
    present_name: str

    @classmethod
    def of(cls, row: Row) -> Self | None:
        """Read a row; None where its entity was not renamed."""
        match row.value:
            case Entity(name=name, provenance=Provenance(key=str(original_name)) as provenance):
                provenance = replace(provenance, called=name)
                entity = replace(row.value, name=original_name, provenance=provenance)
                return cls(entity, name)
        return None


def under_original_names(
    graph: Graph, project: str, rows: Sequence[tuple[int, Row]]
) -> list[tuple[int, Row]]:
    """Give renamed entities their original names, as far as no other entity has either name.

    A key keeps the first name of its entity. If an entity was stored as "redis" and renamed to
    "Valkey", its row has the name "Valkey" and the key "redis": it becomes an entity "redis" that
    is called "Valkey", as in the store of the export. If "redis" or "Valkey" leads to another
    entity here, the row stays as it is.

    Args:
        graph: The store.
        project: The project that the rows belong to.
        rows: Rows, each with its place in the order of all rows.

    Returns:
        The rows in the same order.
    """
    renamed_by_index = {
        index: renamed for index, row in rows if (renamed := _Renamed.of(row)) is not None
    }
    if not renamed_by_index:
        return list(rows)
    all_keys = {
        text.key(project, name)
        for renamed in renamed_by_index.values()
        for name in (renamed.entity.name, renamed.present_name)
    }
    keys = sorted(all_keys)
    leading_keys = {row["key"] for row in graph.read("read/leads", keys=keys)}
    names_here = read.names_of(graph, keys)

    def is_free(renamed: _Renamed) -> bool:
        original_key = text.key(project, renamed.entity.name)
        present_key = text.key(project, renamed.present_name)
        name_here = text.normalised(names_here.get(original_key, ""))
        # An earlier import of the same export has made it.
        is_here = name_here == text.normalised(renamed.present_name)
        return is_here or leading_keys.isdisjoint({original_key, present_key})

    return [
        (index, replace(row, value=renamed.entity))
        if (renamed := renamed_by_index.get(index)) is not None and is_free(renamed)
        else (index, row)
        for index, row in rows
    ]
