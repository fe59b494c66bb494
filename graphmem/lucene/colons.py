"""Words with a colon in them, such as `redis:6379`, in ranked queries.

The indexes keep `nginx:latest` as one word, as Unicode says. Whoever pastes it may mean nginx.
"""

import re
from collections.abc import Collection, Iterator

from graphmem.lucene.tree import Node, Word, any_of, leaves

_COLON = re.compile(r"(?<=\w):(?=\w)")


def with_parts_at_colons(tree: Node, names: Collection[str]) -> Node:
    """A ranked query whose words that begin with a name and a colon have their parts beside them.

    Args:
        tree: A word, or alternatives that are words.
        names: What is a field in other queries.
    """
    return any_of(word for leaf in leaves(tree) for word in _words(leaf, names)) or tree


def _words(leaf: Node, names: Collection[str]) -> Iterator[Node]:
    yield leaf
    if isinstance(leaf, Word):
        parts = _COLON.split(leaf.text)
        if parts[0] in names:
            yield from map(Word, parts)
