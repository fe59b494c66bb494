"""Stretches of a file, asked whether they hold a place."""

from bisect import bisect_right
from collections.abc import Iterable

from tree_sitter import Node


class Spans:
    """The stretches that nodes of a file take up; of one inside another only the outer counts."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted((node.start_byte, -node.end_byte) for node in nodes):
            if not self._ends or start >= self._ends[-1]:
                self._starts.append(start)
                self._ends.append(-end)

    def hold(self, place: int) -> bool:
        """Whether a place is in one of them."""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]
