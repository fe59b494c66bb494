"""Words that may differ in some letters, and the same query without that."""

import re
from functools import lru_cache

from graphmem import lucene

# What a field counts that holds a query only because letters may differ.
SHARE = 0.9

# A word, or one of several with marks between; in `C++` and `a/b` every letter counts.
_FORGIVEN = re.compile(r"^\w+$|[^\W_]{3}")


def with_typos(node: lucene.Node, distance: int) -> lucene.Node:
    """The tree in which up to so many letters of each word may differ; 0 for the tree itself."""
    match node:
        case lucene.AllOf(nodes):
            return lucene.AllOf(tuple(with_typos(child, distance) for child in nodes))
        case lucene.AnyOf(nodes):
            return lucene.AnyOf(tuple(with_typos(child, distance) for child in nodes))
        case lucene.Not(child):
            return lucene.Not(with_typos(child, distance))
        case lucene.Field(name, child):
            return lucene.Field(name, with_typos(child, distance))
        case lucene.Word(word) if distance and _FORGIVEN.search(word):
            return lucene.AnyOf((node, lucene.Fuzzy(word, distance)))
        case _:
            return node


@lru_cache(maxsize=100)
def exact(node: lucene.Node) -> lucene.Node:
    """The tree in which no letter may differ."""
    match node:
        case lucene.AllOf(nodes):
            return lucene.AllOf(tuple(exact(child) for child in nodes))
        case lucene.AnyOf(nodes):
            return lucene.AnyOf(tuple(exact(child) for child in nodes))
        case lucene.Not(child):
            return lucene.Not(exact(child))
        case lucene.Field(name, child):
            return lucene.Field(name, exact(child))
        case lucene.Fuzzy(word, _):
            return lucene.Word(word)
        case _:
            return node


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
