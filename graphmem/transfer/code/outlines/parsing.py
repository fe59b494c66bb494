"""A file's tree, asked what the queries look for.

The files in `queries` say what a language's trees look like; their captures mean the same in all:

- `@function @class @struct @interface @enum @trait @type @macro @constant`: a definition, with its
  `@name`, its `@body` or the `@head` that ends its signature, where its `@signature` starts if
  not at its beginning, the type it `@returns`, the `@owner` of a method that stands outside of its
  type, or the whole `@path` of owner and name, or the `@arguments` of a macro that say the name;
- `@head` on a whole `@function`: it is a method without a body;
- `@overload`: a way in which the function below it can be called; `@runtime`: a
  class that another one of its name stands for where types are checked;
- `@namespace @extension`: what only qualifies names, a module or further methods of a type, which
  are those of a trait that it `@implements`;
- `@comment`: what belongs to the definition below it; `@testing`: a definition that is a test;
- `@extends`: the type that a function is added to; `@given`: what a function gives;
- `@documented`: a comment that says types of what is below it; `@anonymous`: a class without a
  name; `@static`: around methods of a type itself;
- `@callee`, with its `@receiver`, or both as `@qualified`: a call, and the `@call` as a whole where
  the arguments say which function is meant; `@mentioned`: another use;
- `@shadows`: what is called so in a function is no other function; `@extended`: the type that gets
  a `@base` by an extension, in whatever file;
- `@destructured`: the names of what is taken out of an `@object`, or of one of a type, `@typed`;
- `@parenless`: a name that calls a method unless a variable, a `@local`, has it;
- `@argument`, perhaps with its `@receiver`: what a call gets as an argument;
- `@heir` and `@base`: inheritance;
- `@import` with `@module`, `@imported`, `@alias`, `@whole` (a default import), `@wildcard`,
  `@exported` (whoever imports the file's module has it, too), or the
  `@specifiers` that hold several names, or the `@tree` of Rust's `use`, or a `@child` module;
  `@package`: the file's own; `@default`: its export;
- `@lambda` with its `@parameters`, or `@it` where it may name none: a function without a name that
  the `@call` gets as an argument;
- `@variable` or `@field`, and the type it is `@typed` with, or the call it is `@made` by, or the
  variable it is `@copied` from, or what holds `@each` of its values; `@first @second @third`,
  or a list of `@several`: variables that get one of several results of what they are `@made` by;
  `@narrowed`: a type of which the code asks whether a variable has it;
  `@variant`: that of an enum of Rust whose value a `@variable` is; `@unnamed`: fields by places.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from time import monotonic

from tree_sitter import Node, Parser, Point, QueryCursor, Range, Tree

from graphmem.importing.refusing import Refused
from graphmem.transfer.code.languages import Language, grammar_of, query_of
from graphmem.transfer.code.outlines.macros import macro_spans
from graphmem.transfer.code.outlines.syntax_errors import extent, mended_source

PARSE_SECONDS = 10.0
# A query's time grows with the square of what is open; far more than a person's code has.
OPEN_BRACKETS = 10_000
OPEN_MATCHES = 1024
BLOCK = 64 * 1024
# How often what made errors is left out; each time shows what it hid.
MENDINGS = 3
_FARTHEST = 2**32 - 1
_WHOLE_FILE = Range(Point(0, 0), Point(_FARTHEST, _FARTHEST), 0, _FARTHEST)

# The grammar of Swift does not know these lines between the cases of a `switch`; what stands below
# each is whole by itself, so that all of it can be read in turn.
_CONDITIONS = re.compile(
    rb"^[ \t]*#(?:if|elseif|else|endif|warning|error)\b[^\n]*+"
    rb"(?:(?<=\|\|)\n[^\n]*+|(?<=&&)\n[^\n]*+)*+",
    re.MULTILINE,
)
_OPENS, _CLOSES = b"([{<", b")]}>"
_OTHER = bytes(mark for mark in range(256) if mark not in _OPENS + _CLOSES)
_STEP = [1 if mark in _OPENS else -1 for mark in range(256)]


@dataclass(frozen=True, slots=True)
class Match:
    """What one pattern of a query found.

    Args:
        pattern: Its number; of two that find the same thing the first is right.
        nodes: The captured nodes by the capture's name, the first of each.
        source: The file.
    """

    pattern: int
    nodes: dict[str, Node]
    source: bytes

    def text(self, capture: str) -> str:
        """The text of a captured node, spaces collapsed; empty where there is none."""
        return self.text_of(self.nodes.get(capture))

    def text_of(self, node: Node | None) -> str:
        """The text of a node of the file, spaces collapsed; empty for none."""
        if node is None:
            return ""
        # A node's own text asks the parser's reading function, a hundred times as slow.
        return " ".join(
            self.source[node.start_byte : node.end_byte].decode("utf-8", "replace").split()
        )


def matches(language: Language, source: bytes) -> Iterator[Match]:
    """Parse a file and give what its language's queries find; what cannot be parsed is skipped.

    Raises:
        Refused: More than 10,000 brackets are open at once, or it takes more than 10 seconds.
    """
    marks = source.translate(None, _OTHER)
    if max(accumulate(_STEP[mark] for mark in marks), default=0) > OPEN_BRACKETS:
        raise Refused(f"more than {OPEN_BRACKETS:,} brackets are open at once")
    for tree in _trees(language, source):
        cursor = QueryCursor(query_of(language), match_limit=OPEN_MATCHES)
        for pattern, nodes_by_name in cursor.matches(tree.root_node):
            yield Match(pattern, {name: nodes[0] for name, nodes in nodes_by_name.items()}, source)


def _trees(language: Language, source: bytes) -> Iterator[Tree]:
    """The tree of a file, and of Rust those of the items in macros: `cfg_io! { … }`."""
    parsed_source = _without_macros(language, source)
    # Without a last end of line that grammar may look for the end of a type for ever.
    if language.name == "kotlin" and not source.endswith(b"\n"):
        parsed_source += b"\n"
    end = monotonic() + PARSE_SECONDS
    ranges = [_WHOLE_FILE]
    while ranges:
        place = ranges.pop()
        tree = _tree(language, parsed_source, place, end)
        if tree is None:
            raise Refused(f"parsing took more than {PARSE_SECONDS:.0f} seconds")
        if tree.root_node.has_error and place is _WHOLE_FILE:
            tree = _tree_of_mended(language, parsed_source, tree, end)
        if place is not _WHOLE_FILE and tree.root_node.has_error:
            continue  # the macro has a language of its own
        yield tree
        if language.family == "rust":
            ranges += _insides_of_macros(tree.root_node)


def _tree(language: Language, source: bytes, place: Range, end: float) -> Tree | None:
    """The tree of a part of a file, None where that takes too long."""
    try:
        return Parser(grammar_of(language), included_ranges=[place]).parse(
            lambda start, _: source[start : start + BLOCK],
            progress_callback=lambda *_: monotonic() > end,
        )
    except ValueError:
        return None


def _tree_of_mended(language: Language, source: bytes, tree: Tree, end: float) -> Tree:
    """The tree of a file with errors without what made them, as far as it has fewer then."""
    for _ in range(MENDINGS):
        next_source = mended_source(language, source, tree)
        if next_source == source:
            break
        next_tree = _tree(language, next_source, _WHOLE_FILE, end)
        if next_tree is None or extent(next_tree) >= extent(tree):
            break
        source, tree = next_source, next_tree
    return tree


def _insides_of_macros(root: Node) -> Iterator[Range]:
    """The places between the braces of the macros that stand where items do."""
    parents = [root]
    while parents:
        for node in parents.pop().named_children:
            last = node.named_children[-1] if node.named_children else None
            if last is None:
                continue
            if last.type == "declaration_list":
                parents.append(last)
            elif node.type == "macro_invocation" and last.type == "token_tree":
                opening, closing = last.children[0], last.children[-1]
                if opening.type == "{" and opening.end_byte < closing.start_byte:
                    yield Range(
                        opening.end_point, closing.start_point, opening.end_byte, closing.start_byte
                    )


def _without_macros(language: Language, source: bytes) -> bytes:
    """The source with spaces for macros before the names of types, or on lines of their own.

    In Swift the conditions of parts that not every platform has are such lines.
    """
    if language.family not in {"c", "swift"}:
        return source
    parts = bytearray(source)
    is_c = language.family == "c"
    conditions = () if is_c else (match.span() for match in _CONDITIONS.finditer(source))
    for start, end in macro_spans(language, source) if is_c else conditions:
        parts[start:end] = re.sub(rb"\S", b" ", source[start:end])
    return bytes(parts)
