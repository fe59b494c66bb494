"""Words that may differ in some letters, and the same query without that."""

import re
from collections.abc import Callable
from functools import lru_cache

from graphmem import lucene

# What a field counts that holds a query only because letters may differ.
SHARE = 0.9

# A word, or one of several with marks between; in `C++` and `a/b` every letter counts.
_FORGIVEN = re.compile(r"^\w+$|[^\W_]{3}")


def with_typos(node: lucene.Node, distance: int) -> lucene.Node:
    """The tree in which up to so many letters of each word may differ; 0 for the tree itself."""

    def with_twin(leaf: lucene.Node) -> lucene.Node:
        if distance and isinstance(leaf, lucene.Word) and _FORGIVEN.search(leaf.text):
            return lucene.AnyOf((leaf, lucene.Fuzzy(leaf.text, distance)))
        return leaf

    return _with_leaves(node, with_twin)


@lru_cache(maxsize=100)
def exact(node: lucene.Node) -> lucene.Node:
    """The tree in which no letter may differ."""
    return _with_leaves(
        node, lambda leaf: lucene.Word(leaf.text) if isinstance(leaf, lucene.Fuzzy) else leaf
    )


def _with_leaves(
    node: lucene.Node, replacement: Callable[[lucene.Node], lucene.Node]
) -> lucene.Node:
    """A tree of the same shape with each of its leaves replaced."""
    match node:
        case lucene.AllOf(nodes) | lucene.AnyOf(nodes):
            return type(node)(tuple(_with_leaves(child, replacement) for child in nodes))
        case lucene.Not(child):
            return lucene.Not(_with_leaves(child, replacement))
        case lucene.Field(name, child):
            return lucene.Field(name, _with_leaves(child, replacement))
        case _:
            return replacement(node)


def is_one_term(node: lucene.Node) -> bool:
    """Whether a node is a single term, be it one whose letters may differ."""
    if not isinstance(node, lucene.AnyOf):
        return not isinstance(node, lucene.AllOf | lucene.Not | lucene.Field)
    return len({term_of(child) for child in node.nodes}) == 1 and all(
        isinstance(child, lucene.Word | lucene.Fuzzy) for child in node.nodes
    )


def term_of(leaf: lucene.Node) -> object:
    """What a word and its forgiving twin have in common; any other leaf itself."""
    return leaf.text if isinstance(leaf, lucene.Word | lucene.Fuzzy) else leaf
