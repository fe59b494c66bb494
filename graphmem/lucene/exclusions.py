"""Words that a query leaves out although it asks for them, spelt otherwise."""

import re
from collections.abc import Iterator

from graphmem import text
from graphmem.lucene.tree import AllOf, AnyOf, Field, Node, Not, Word, positive_leaves

# What the indexes keep of a word; of `C++` it is `c`.
_KEPT = re.compile(r"\w+")


def exclusion_notes(node: Node | None) -> Iterator[str]:
    """A sentence for each word under NOT that the indexes take for one that must match beside it.

    The same word in the same spelling is no slip.
    """
    match node:
        case AllOf(nodes):
            wanted = [leaf for child in nodes for leaf in positive_leaves(child)]
            for word in (word for child in nodes for word in _excluded(child)):
                for leaf in wanted:
                    if isinstance(leaf, Word) and leaf != word and _key(leaf) == _key(word):
                        yield _note(word, leaf)
            for child in nodes:
                yield from exclusion_notes(child)
        case AnyOf(nodes):
            for child in nodes:
                yield from exclusion_notes(child)
        case Field(_, child):
            yield from exclusion_notes(child)


def _note(excluded: Word, wanted: Word) -> str:
    return (
        f"`NOT {excluded.text}` also leaves out what has `{wanted.text}`, since words are compared "
        "without case and punctuation"
    )


def _excluded(node: Node) -> list[Word]:
    """The words any of which may not be there."""
    match node:
        case Not(AnyOf(nodes)):
            return [leaf for leaf in nodes if isinstance(leaf, Word)]
        case Not(Word() as word):
            return [word]
    return []


def _key(word: Word) -> tuple[str, ...]:
    kept = tuple(_KEPT.findall(text.normalised(word.text)))
    return kept or (word.text,)
