"""Words with a colon in them, such as `redis:6379`, in ranked queries.

The indexes keep `nginx:latest` as one word, as Unicode says. Whoever pastes it may mean nginx.
"""

import re
from collections.abc import Iterator

from graphmem.lucene.tokens import ADDRESS
from graphmem.lucene.tree import CUTS, Node, Word, any_of, leaves

_COLON = re.compile(r"(?<=\w):(?=\w)")
_BEGINS_WITH_LETTER = re.compile(r"[^\W\d_]")


def with_parts_at_colons(tree: Node) -> Node:
    """A ranked query in which such a word stands for its parts too; each word stands once.

    Times such as `12:30` have no parts of their own.

    Args:
        tree: A word, or alternatives that are words.
    """
    words = [word for leaf in leaves(tree) for word in _words(leaf)]
    return any_of(words) or tree


def _words(leaf: Node) -> Iterator[Node]:
    if (
        not isinstance(leaf, Word)
        or ADDRESS.search(leaf.text)
        or not _BEGINS_WITH_LETTER.match(leaf.text)
        or not _COLON.search(leaf.text)
    ):
        yield leaf
        return
    # Otherwise the indexes cut it, too.
    if not CUTS.search(leaf.text):
        yield leaf
    yield from (Word(part) for part in _COLON.split(leaf.text))
