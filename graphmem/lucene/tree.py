"""The tree of a query, and its canonical form, which parses to the same tree again."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

# Characters that mean something to the tokeniser; a backslash makes any of them literal. Those in
# the second line stand for some of the others.
SYNTAX = '"()*?~:\\“„”‘«»「『＂（）：、，；。！？'
OPERATORS = ("AND", "OR", "NOT")

# The fields a query may name; any other name is a custom attribute, compared whole.
NAMED_FIELDS = frozenset({"name", "title", "alias", "tag", "kind", "category", "text"})

# Patterns of a query that begin with a wildcard: each is compared with every word of an index.
LEADING = 4
PATTERN_CHARACTERS = 64

# Where the indexes cut what is written as one word. A colon between letters and a comma or
# semicolon between digits belong to the word, and beside a wildcard they may.
CUTS = re.compile(
    r"(?:[-/@#+&=|!$%^\\\[\]{}<>`\u2010-\u2015\u2026\u2212\u00ab\u00bb\u201c-\u201f]"
    r"|:(?=[\W\d_])|(?<=[\W\d_]):|[,;](?=\D)|(?<=\D)[,;])+"
)
# A field's name that needs no quotation marks.
NAME = re.compile(r"[^\W\d](?:[\w-]*\w)?")

_LITERAL = re.compile(rf"([{re.escape(SYNTAX)}])")


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a word's characters, or a `*` or `?` that stands for others."""

    text: str
    wild: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """A word with wildcards."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """A word and up to `distance` (1 or 2) letters that may differ."""

    text: str
    distance: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words beside each other, or with at most `slop` others between them."""

    words: tuple[str, ...]
    slop: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """A node that is looked for in one field only."""

    name: str
    node: "Node"


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every node must match."""

    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One node must match; more rank higher."""

    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The node must not match."""

    node: "Node"


Node: TypeAlias = Word | Pattern | Fuzzy | Phrase | Field | AllOf | AnyOf | Not


@dataclass(frozen=True, slots=True)
class Query:
    """A query that was read.

    Args:
        tree: What is asked, or None where nothing is left.
        strict: Whether the query has operators, so that its words decide what matches.
        notes: What was ignored or cut, a sentence each.
    """

    tree: Node | None
    strict: bool
    notes: tuple[str, ...] = ()


def canonical(node: Node) -> str:
    """Write a tree so that every operator and parenthesis stands there."""
    match node:
        case Field(name, child):
            return f"{name if NAME.fullmatch(name) else quoted(name)}:({canonical(child)})"
        case AllOf(nodes):
            return "(" + " AND ".join(map(canonical, nodes)) + ")"
        case AnyOf(nodes):
            return "(" + " OR ".join(map(canonical, nodes)) + ")"
        case Not(child):
            return f"NOT {canonical(child)}"
        case _:
            return _print_leaf(node)


def _print_leaf(leaf: "Word | Pattern | Fuzzy | Phrase") -> str:
    match leaf:
        case Word(word):
            return f"\\{word}" if word in OPERATORS else literal(word)
        case Pattern(pieces):
            return "".join(piece.text if piece.wild else literal(piece.text) for piece in pieces)
        case Fuzzy(word, distance):
            return f"{literal(word)}~{distance}"
        case Phrase(words, slop):
            return quoted(" ".join(words)) + (f"~{slop}" if slop else "")


def quoted(words: str) -> str:
    """Write words between quotation marks, as queries and Lucene take a phrase."""
    escaped_words = re.sub(r'(["\\])', r"\\\1", words)
    return f'"{escaped_words}"'


def literal(word: str) -> str:
    """Write a word so that the tokeniser takes every character of it literally."""
    return _LITERAL.sub(r"\\\1", word)


def all_of(parts: Iterable[Node]) -> Node | None:
    """A node that needs every part; what must all match inside it is lifted, each part once."""
    return _combined(AllOf, parts)


def any_of(parts: Iterable[Node]) -> Node | None:
    """A node that needs one part; alternatives inside alternatives are lifted, each part once."""
    return _combined(AnyOf, parts)


def _combined(combination: type[AllOf] | type[AnyOf], parts: Iterable[Node]) -> Node | None:
    """The parts in a combination; one part stands alone, and none is None."""
    lifted: dict[Node, None] = {}
    for part in parts:
        lifted.update(dict.fromkeys(part.nodes if isinstance(part, combination) else (part,)))
    return combination(tuple(lifted)) if len(lifted) > 1 else next(iter(lifted), None)


def replace_leaves(
    node: Node, replacement: Callable[[Node, str | None], Node | None], field: str | None = None
) -> Node | None:
    """A tree with each of its leaves replaced, or left out where that is None.

    Args:
        node: The tree.
        replacement: Gives for a leaf and the name of the field it stands in what takes its place.
        field: The name of the field that the whole tree stands in.
    """
    match node:
        case AllOf(nodes) | AnyOf(nodes):
            parts = [replace_leaves(child, replacement, field) for child in nodes]
            combine = all_of if isinstance(node, AllOf) else any_of
            return combine(part for part in parts if part is not None)
        case Not(child):
            new_child = replace_leaves(child, replacement, field)
            return None if new_child is None else Not(new_child)
        case Field(name, child):
            new_child = replace_leaves(child, replacement, name)
            return None if new_child is None else Field(name, new_child)
        case _:
            return replacement(node, field)


def is_plain(tree: Node | None) -> bool:
    """Whether a tree is words and alternatives of words."""
    nodes = tree.nodes if isinstance(tree, AnyOf) else (tree,)
    return all(isinstance(node, Word) for node in nodes)


def is_everything(node: Node) -> bool:
    """Whether a node is a pattern of nothing but `*`."""
    return isinstance(node, Pattern) and all(
        piece.wild and piece.text == "*" for piece in node.pieces
    )


def attributes(node: Node, *, negated: bool = False) -> list[str]:
    """The names of custom attributes that a tree asks for, those under NOT too if `negated`."""
    match node:
        case AllOf(nodes) | AnyOf(nodes):
            return [name for child in nodes for name in attributes(child, negated=negated)]
        case Field(name, child):
            names = [] if name.casefold() in NAMED_FIELDS else [name]
            return [*names, *attributes(child, negated=negated)]
        case Not(child) if negated:
            return attributes(child, negated=True)
        case _:
            return []


def positive_leaves(node: Node) -> list[Node]:
    """The words, patterns, fuzzy words and phrases of a tree, in order, without those under NOT."""
    match node:
        case Not():
            return []
        case Field(_, child):
            return positive_leaves(child)
        case AllOf(nodes) | AnyOf(nodes):
            return [leaf for child in nodes for leaf in positive_leaves(child)]
        case _:
            return [node]


def leaves(node: Node) -> list[Node]:
    """The words, patterns, fuzzy words and phrases of a tree, in order, those under NOT too."""
    match node:
        case Field(_, child) | Not(child):
            return leaves(child)
        case AllOf(nodes) | AnyOf(nodes):
            return [leaf for child in nodes for leaf in leaves(child)]
        case _:
            return [node]
