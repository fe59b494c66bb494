"""What a grammar does not understand, and what to leave out of a file so that it does."""

import re
from collections.abc import Iterator

from tree_sitter import Node, Tree

from graphmem.transfer.code.languages import Language
from graphmem.transfer.code.outlines.conditionals import blank, without_partial_conditionals
from graphmem.transfer.code.outlines.macros import is_macro, macro_at_end, without_stray_macros

# Below a property of Kotlin the grammar takes a call `get("/")` for the head of its getter.
_NO_ACCESSOR = re.compile(rb"(?<=[\w)}\]\"'])[ \t]*\r?\n\s*(?<=[ \t])(?=get\((?!\))|set\([^)\w])")
_LONGEST_NAME = 40


def extent(tree: Tree) -> tuple[int, int]:
    """How much of a file is not understood: the bytes of the outermost errors, then all errors."""
    size = sum(error.end_byte - error.start_byte + 1 for error in _errors(tree))
    return size, sum(1 for _ in _errors(tree, nested=True))


def mended_source(language: Language, source: bytes, tree: Tree) -> bytes:
    """The source, in as many bytes, without what likely made the errors; unchanged for most.

    Args:
        language: What it is written in.
        source: As it was parsed.
        tree: What was made of it.
    """
    if language.family == "c":
        whole = without_partial_conditionals(_without_macros_in_errors(source, tree))
        return without_stray_macros(whole)
    if language.family == "csharp":
        return without_partial_conditionals(source)
    if language.name == "kotlin":
        return _NO_ACCESSOR.sub(lambda lines: lines[0][:-1] + b";", source)
    return source


def _without_macros_in_errors(source: bytes, tree: Tree) -> bytes:
    """The source with spaces for each macro that is an error, ends one or stands beside one."""
    parts = bytearray(source)
    for error in _errors(tree, nested=True):
        for start, end in () if error.is_missing else _macros_at(source, error):
            parts[start:end] = blank(source[start:end])
    return bytes(parts)


def _macros_at(source: bytes, error: Node) -> Iterator[tuple[int, int]]:
    """The places of macros at an error: before a word, or at the end of it or of what follows."""
    before, behind = error.prev_sibling, error.next_sibling
    is_word = _short_text(source, error).isalpha() and not is_macro(_short_text(source, error))
    if before is not None and is_word and is_macro(_short_text(source, before)):
        yield before.start_byte, before.end_byte
    for node in (error, behind):
        span = node and macro_at_end(source, node.start_byte, node.end_byte)
        if span:
            yield span


def _short_text(source: bytes, node: Node) -> bytes:
    """The text of a node; nothing if that is long."""
    is_short = node.end_byte - node.start_byte <= _LONGEST_NAME
    return source[node.start_byte : node.end_byte] if is_short else b""


def _errors(tree: Tree, *, nested: bool = False) -> Iterator[Node]:
    """The nodes that are errors or stand for what is missing, the outermost or all of them."""
    nodes = [tree.root_node]
    while nodes:
        node = nodes.pop()
        is_error = node.is_error or node.is_missing
        if is_error:
            yield node
        if node.has_error and (nested or not is_error):
            nodes += node.children
