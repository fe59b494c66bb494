"""Words with a colon in them, such as `redis:6379`, which somebody means as words.

The indexes keep `nginx:latest` as one word, as Unicode says. Whoever pastes it may mean nginx.
"""

import re
from collections.abc import Collection

from graphmem.lucene.tree import AllOf, AnyOf, Node, Word, replace_leaves

_COLON = re.compile(r"(?<=\w):(?=\w)")


def with_parts_at_colons(tree: Node, names: Collection[str], *, strict: bool) -> Node:
    """A query whose words that begin with a name and a colon may also stand there in parts.

    Args:
        tree: What the parser made.
        names: What is a field in other queries.
        strict: Whether words decide what matches, so that all parts must stand there.
    """

    def with_parts(leaf: Node, field: str | None) -> Node:
        parts = _COLON.split(leaf.text) if isinstance(leaf, Word) and field is None else []
        if len(parts) < 2 or parts[0] not in names:  # noqa: PLR2004 - a name and what follows
            return leaf
        words = tuple(map(Word, parts))
        return AnyOf((leaf, AllOf(words))) if strict else AnyOf((leaf, *words))

    return replace_leaves(tree, with_parts) or tree
