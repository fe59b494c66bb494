"""Classes of PHP that have no name: what they call themselves means no symbol."""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from graphmem.transfer.code.outlines.parsing import Match
from graphmem.transfer.code.outlines.spans import Spans

# What a class of PHP calls itself by.
_OWN = re.compile(r"(?:\$this|self|static|parent)\b")


def without_anonymous_classes(captures: Sequence[Match]) -> Iterator[Match]:
    """All but what names the object itself, or a field of it, in a class without a name."""
    nodes = [match.nodes["anonymous"] for match in captures if "anonymous" in match.nodes]
    if not nodes:
        yield from captures
        return
    classes = Spans(nodes)
    for match in captures:
        node = match.nodes.get("receiver") or match.nodes.get("variable")
        if node is None or not classes.hold(node.start_byte) or not _is_own(match, node):
            yield match


def _is_own(match: Match, node: Node) -> bool:
    """Whether a receiver or variable is an object of the class it stands in, or a field of it."""
    is_property = node.parent is not None and node.parent.type == "property_element"
    return is_property or bool(_OWN.match(match.text_of(node)))
