"""Classes of PHP that have no name: what they call themselves means no symbol."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from graphmem.transfer.code.parsing import Match

# What a class of PHP calls itself by.
_OWN = re.compile(r"(?:\$this|self|static|parent)\b")


def without_nameless(captures: Sequence[Match]) -> Iterator[Match]:
    """All but what names the object itself, or a field of it, in a class without a name."""
    spans: list[tuple[int, int]] = []
    classes = {
        (node.start_byte, node.end_byte)
        for match in captures
        if (node := match.nodes.get("nameless")) is not None
    }
    for start, end in sorted(classes):
        if not spans or spans[-1][1] <= start:
            spans.append((start, end))
    starts = [start for start, _ in spans]
    for match in captures:
        node = match.nodes.get("receiver") or match.nodes.get("variable")
        index = -1 if node is None else bisect_right(starts, node.start_byte) - 1
        is_inside = node is not None and index >= 0 and node.end_byte <= spans[index][1]
        if node is None or not is_inside or not _is_own(match, node):
            yield match


def _is_own(match: Match, node: Node) -> bool:
    """Whether a receiver or variable is an object of the class it stands in, or a field of it."""
    is_property = node.parent is not None and node.parent.type == "property_element"
    return is_property or bool(_OWN.match(match.text_of(node)))
