"""Parts of a source: with pieces of it replaced, and what comments belong to."""

import re
from collections.abc import Sequence

from tree_sitter import Node

_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def excerpt(
    source: bytes, start: int, end: int, replacements: Sequence[tuple[int, int, str]]
) -> str:
    """A part of the source with pieces of it replaced, and no more than one blank line in a row."""
    pieces: list[str] = []
    for begin, finish, replacement in sorted(replacements):
        if begin >= start:
            pieces += [source[start:begin].decode("utf-8", "replace"), replacement]
            start = finish
    pieces.append(source[start:end].decode("utf-8", "replace"))
    return _BLANK_LINES.sub("\n\n", "".join(pieces)).strip("\n")


def line_start(source: bytes, place: int) -> int:
    """Where the line of a place begins, in bytes."""
    return source.rfind(b"\n", 0, place) + 1


def last_row(node: Node) -> int:
    """The last row of a node, from 0; some grammars count the line's end to it."""
    return node.end_point.row - (node.end_point.column == 0 < node.end_point.row)


def ends_line(source: bytes, comment: Node) -> bool:
    """Whether nothing follows a comment on its line."""
    end = source.find(b"\n", comment.end_byte)
    rest_of_line = source[comment.end_byte : len(source) if end < 0 else end]
    return comment.end_point.column == 0 or not rest_of_line.strip()


def ends_with(source: bytes, end: int, comment: Node) -> bool:
    """Whether a comment stands right behind what ends there, such as `# seconds`."""
    return comment.start_byte >= end and not source[end : comment.start_byte].strip(b" \t;,)")
