"""A tree becomes Lucene text. This is the only place that knows Lucene's syntax.

Every character of a word is written literally, every field is named, every multi-word piece is
quoted: the text passes the index's own analyzer and cannot be a syntax error.
"""

import re
from collections.abc import Callable, Sequence

from graphmem import text
from graphmem.lucene.tree import (
    AllOf,
    AnyOf,
    Field,
    Fuzzy,
    Node,
    Not,
    Pattern,
    Phrase,
    Word,
)

# Where a word without a field is looked for, and how much a find there counts.
FIELDS: tuple[tuple[str, float], ...] = (("names", 1.0), ("text", 1.0), ("words", 0.5))
# What a caller may write before a colon, and the field of the index that answers it.
NAMED = {
    "name": "name",
    "title": "title",
    "alias": "alias",
    "tag": "tag",
    "kind": "kind",
    "category": "category",
    "text": "text",
}
# An index takes 1,024 clauses; a fuzzy word becomes up to 50 in each of its fields.
PARTS = 5

_SPECIAL = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/<>=])')
_RESERVED = frozenset({"AND", "OR", "NOT", "TO"})
_PLAIN = re.compile(r"\w+")

# Another way to look for a plain word, such as by the beginning its forms share; None for none.
Widen = Callable[[str], str | None]


def write(
    tree: Node,
    *,
    required: Sequence[Sequence[str]],
    forbidden: Sequence[str] = (),
    widen: Widen = lambda _: None,
) -> str:
    """Write a tree as Lucene text that also requires one token of each group.

    Args:
        tree: What the parser gave.
        required: Groups of filter tokens; a passage must carry one of every group. They add
            nothing to the score.
        forbidden: Filter tokens a passage must not carry.
        widen: Gives the stem of a word, for an index that does not stem by itself.
    """
    return f"{filters(required, forbidden)} +({_node(tree, None, widen)})".strip()


def filters(required: Sequence[Sequence[str]], forbidden: Sequence[str] = ()) -> str:
    """Write filter tokens as required clauses of boost 0, and forbidden ones as refused clauses."""
    wanted = [f"+filters:({' '.join(group)})^0" for group in required]
    return " ".join([*wanted, *(f"-filters:{word}" for word in forbidden)])


def handles(
    query_grams: Sequence[str],
    *,
    required: Sequence[Sequence[str]],
    forbidden: Sequence[str] = (),
) -> str | None:
    """Write the query that finds entities by a whole name among the grams, or None for none."""
    if not query_grams:
        return None
    tokens = " ".join(text.token("name", gram) for gram in query_grams)
    return f"{filters(required, forbidden)} +handles:({tokens})"


def escaped(word: str) -> str:
    """Write a word so that Lucene takes every character of it literally."""
    return _SPECIAL.sub(r"\\\1", word.lower() if word in _RESERVED else word)


def _node(node: Node, field: str | None, widen: Widen) -> str:
    match node:
        case AllOf(nodes):
            everything = ["*:*"] if all(isinstance(one, Not) for one in nodes) else []
            return " ".join([*everything, *(_required(one, field, widen) for one in nodes)])
        case AnyOf(nodes):
            return " ".join(f"({_node(one, field, widen)})" for one in nodes)
        case Not():
            return f"*:* {_required(node, field, widen)}"
        case Field(name, inner):
            return _named(name, inner, widen)
        case _:
            return _leaf(node, field, widen)


def _required(node: Node, field: str | None, widen: Widen) -> str:
    if isinstance(node, Not):
        return f"-({_node(node.node, field, widen)})"
    return f"+({_node(node, field, widen)})"


def _named(name: str, inner: Node, widen: Widen) -> str:
    known = NAMED.get(name.casefold())
    if known is not None:
        return _node(inner, known, widen)
    # An own attribute, by its exact value; else the words as they were written.
    return _attribute(name, inner, widen)


def _attribute(name: str, node: Node, widen: Widen) -> str:
    match node:
        case AllOf(nodes):
            return " ".join(f"+({_attribute(name, one, widen)})" for one in nodes)
        case AnyOf(nodes):
            return " ".join(f"({_attribute(name, one, widen)})" for one in nodes)
        case Not(inner):
            return f"*:* -({_attribute(name, inner, widen)})"
        case Word(written) | Fuzzy(written, _):
            return _value(name, written, Word(f"{name}:{written}"), widen)
        case Phrase(words, _):
            return _value(name, " ".join(words), Phrase((name, *words)), widen)
        case _:
            return _node(node, None, widen)


def _value(name: str, value: str, literal: Node, widen: Widen) -> str:
    token = text.attribute_token(name, value)
    return f"filters:{token} ({_leaf(literal, None, widen)})"


def _leaf(node: Node, field: str | None, widen: Widen) -> str:
    if isinstance(node, Pattern) and all(one.wild and one.text == "*" for one in node.pieces):
        return "*:*" if field is None else f"{field}:*"
    if field is not None:
        return _clause(node, field, widen)
    fields = [one for one in FIELDS if one[0] != "words" or not isinstance(node, Fuzzy)]
    return " ".join(f"({_clause(node, name, widen)})^{boost}" for name, boost in fields)


def _clause(node: Node, field: str, widen: Widen) -> str:
    match node:
        case Pattern(pieces):
            literal = (one.text if one.wild else escaped(one.text.lower()) for one in pieces)
            return f"{field}:{''.join(literal)}"
        case Fuzzy(written, distance):
            return f"{field}:{escaped(written.lower())}~{distance}"
        case Phrase(words, slop):
            inside = " ".join(words).replace("\\", "\\\\").replace('"', '\\"')
            return f'{field}:"{inside}"' + (f"~{slop}" if slop else "")
        case Word(written) if field == "words":
            parts = (text.split_identifier(written) or [written])[:PARTS]
            return " ".join(f"{field}:{escaped(part)}" for part in parts)
        case Word(written):
            return _word(written, field, widen)
        case _:
            raise AssertionError(f"{node} is no leaf")


def _word(written: str, field: str, widen: Widen) -> str:
    if not _PLAIN.fullmatch(written):
        inside = written.replace("\\", "\\\\").replace('"', '\\"')
        return f'{field}:"{inside}"'
    stem = widen(written)
    plain = f"{field}:{escaped(written)}"
    return plain if stem is None else f"{plain} {field}:{escaped(stem)}*"
