"""Rows that the store has no room for."""

from collections.abc import Sequence
from dataclasses import replace

from graphmem.graph import Graph
from graphmem.memory.imports.collecting import Collected
from graphmem.model import Entity, Item, Relation
from graphmem.model.report import refused_item
from graphmem.transfer import Row
from graphmem.write import refusals


def with_room(
    graph: Graph, rows: Sequence[tuple[int, Row]], collected: Collected
) -> tuple[list[tuple[int, Row]], set[str]]:
    """The rows that the store has room for, and the files of the others, which are reported."""
    values = [row.value for _, row in rows if isinstance(row.value, Entity | Relation | Item)]
    refused = refusals(graph, values)
    files: set[str] = set()
    for place, reason in refused.items():
        index, row = rows[place]
        collected.add(index, replace(refused_item(values[place], reason), place=row.place))
        files.add(row.file)
    return [pair for place, pair in enumerate(rows) if place not in refused], files
