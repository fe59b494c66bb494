"""A tree becomes Lucene text. This is the only place that knows Lucene's syntax.

Every character of a word is written literally, every field is named, every multi-word piece is
quoted: the text passes the index's own analyzer and cannot be a syntax error.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unicodedata import category

from graphmem import text
from graphmem.lucene.boosts import Weigh, boost, equally
from graphmem.lucene.fields import ENTITY_FIELDS, PASSAGE_FIELDS, Fields
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
    is_everything,
    quoted,
)

# Clauses of a query for handles, with its filters; an index takes 1,024.
HANDLE_CLAUSES = 1000
PARTS = 5

_SPECIAL = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/<>=])')
_RESERVED = frozenset({"AND", "OR", "NOT", "TO"})
# Letters, marks, digits and `_`: every analyzer but those that cut by themselves keeps them whole.
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl"})

# Other ways to look for a plain word, such as by the beginning its forms share, then with a `*`.
ExpandForms = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Style:
    expand_forms: ExpandForms
    fields: Fields
    strict: bool
    weigh: Weigh


def write(
    tree: Node,
    *,
    required: Sequence[Sequence[str]],
    repeated: Sequence[Sequence[str]] = (),
    forbidden: Sequence[str] = (),
    expand_forms: ExpandForms = lambda _: (),
    fields: Fields = PASSAGE_FIELDS,
    optional_clauses: str = "",
    strict: bool = False,
    weigh: Weigh = equally,
) -> str:
    """Write a tree as Lucene text that also requires one token of each group.

    Args:
        tree: What the parser gave.
        required: Groups of filter tokens; a passage must carry one of every group. They add
            nothing to the score.
        repeated: Likewise, of those that passages of wide entities do not repeat: they pass.
        forbidden: Filter tokens a passage must not carry.
        expand_forms: Gives the forms of a word, for an index that does not stem by itself.
        fields: Those of the index that is asked.
        optional_clauses: Further clauses, any of which is enough.
        strict: Whether all parts of an identifier must be there, not any.
        weigh: What a word counts in a field, beside what the field counts.
    """
    style = _Style(expand_forms, fields, strict, weigh)
    word_clauses = f"{_node(tree, None, style)} {optional_clauses}".strip()
    filter_clauses = filters(required, forbidden, repeated=repeated, fields=fields)
    return f"{filter_clauses} +({word_clauses})".strip()


def filters(
    required: Sequence[Sequence[str]],
    forbidden: Sequence[str] = (),
    *,
    repeated: Sequence[Sequence[str]] = (),
    fields: Fields = PASSAGE_FIELDS,
) -> str:
    """Write filter tokens as required clauses of boost 0, and forbidden ones as refused clauses.

    Of the groups of `repeated`, a passage of a wide entity need not carry any.
    """
    field = fields.filters
    clauses = [f"+{field}:({' '.join(group)})^0" for group in required]
    if repeated:
        all_groups = " ".join(f"+{field}:({' '.join(group)})" for group in repeated)
        clauses.append(f"+({field}:{text.WIDE} ({all_groups}))^0")
    return " ".join([*clauses, *(f"-{field}:{word}" for word in forbidden)])


def handles(
    query_grams: Sequence[str],
    *,
    required: Sequence[Sequence[str]],
    forbidden: Sequence[str] = (),
) -> str | None:
    """Write the query that finds entities by a whole name among the grams, or None for none.

    Beside hundreds of filter tokens only the last of the grams fit.
    """
    room = HANDLE_CLAUSES - sum(map(len, required)) - len(forbidden)
    if not query_grams or room < 1:
        return None
    tokens = " ".join(text.token("name", gram) for gram in query_grams[-room:])
    filter_clauses = filters(required, forbidden, fields=ENTITY_FIELDS)
    return f"{filter_clauses} +graphmem_handles:({tokens})"


def escape(word: str) -> str:
    """Write a word so that Lucene takes every character of it literally."""
    return _SPECIAL.sub(r"\\\1", word.lower() if word in _RESERVED else word)


def _node(node: Node, field: str | None, style: _Style) -> str:
    match node:
        case AllOf(nodes):
            all_documents = ["*:*"] if all(isinstance(child, Not) for child in nodes) else []
            return " ".join([*all_documents, *(_require(child, field, style) for child in nodes)])
        case AnyOf(nodes):
            return " ".join(f"({_node(child, field, style)})" for child in nodes)
        case Not():
            return f"*:* {_require(node, field, style)}"
        case Field(name, child):
            return _field_clauses(name, child, style)
        case _:
            return _leaf(node, field, style)


def _require(node: Node, field: str | None, style: _Style) -> str:
    if isinstance(node, Not):
        return f"-({_node(node.node, field, style)})"
    return f"+({_node(node, field, style)})"


def _field_clauses(name: str, child: Node, style: _Style) -> str:
    field = style.fields.by_name.get(name.casefold())
    if field is not None:
        return _node(child, field, style)
    return _attribute(name, child, style)


def _attribute(name: str, node: Node, style: _Style) -> str:
    """A custom attribute by its exact value, whatever the texts say."""
    match node:
        case AllOf(nodes):
            return " ".join(f"+({_attribute(name, child, style)})" for child in nodes)
        case AnyOf(nodes):
            return " ".join(f"({_attribute(name, child, style)})" for child in nodes)
        case Not(child):
            return f"*:* -({_attribute(name, child, style)})"
        case Word() | Fuzzy() | Pattern():
            return f"{style.fields.filters}:{text.attribute_token(name, _leaf_text(node))}"
        case Phrase(words, _):
            return f"{style.fields.filters}:{text.attribute_token(name, ' '.join(words))}"
        case _:
            return _node(node, None, style)


def _leaf_text(leaf: Word | Fuzzy | Pattern) -> str:
    if isinstance(leaf, Pattern):
        return "".join(piece.text for piece in leaf.pieces)
    return leaf.text


def _leaf(node: Node, field: str | None, style: _Style) -> str:
    if is_everything(node):
        return "*:*" if field is None else f"{field}:*"
    if field is not None:
        return _clause(node, field, style)
    fields = [
        searched_field
        for searched_field in style.fields.searched
        if searched_field[0] != style.fields.parts or not isinstance(node, Fuzzy)
    ]
    return " ".join(
        f"({_clause(node, name, style)})^{boost(factor * _weight(node, name, style))}"
        for name, factor in fields
    )


def _weight(node: Node, field: str, style: _Style) -> float:
    return style.weigh(node.text, field) if isinstance(node, Word) else 1.0


def _clause(node: Node, field: str, style: _Style) -> str:
    match node:
        case Pattern(pieces):
            literal = (piece.text if piece.wild else escape(piece.text.lower()) for piece in pieces)
            return f"{field}:{''.join(literal)}"
        case Fuzzy(word, distance):
            return f"{field}:{escape(word.lower())}~{distance}"
        case Phrase(words, slop):
            return f"{field}:{quoted(' '.join(words))}" + (f"~{slop}" if slop else "")
        case Word(word) if field == style.fields.parts:
            parts = (text.split_identifier(word) or [word])[:PARTS]
            required_sign = "+" if style.strict and len(parts) > 1 else ""
            return " ".join(f"{required_sign}{field}:{_identifier_part(part)}" for part in parts)
        case Word(word):
            return _word(word, field, style)
        case _:
            raise AssertionError(f"{node} is no leaf")


def _word(word: str, field: str, style: _Style) -> str:
    if not _is_one(word):
        return f"{field}:{quoted(word)}"
    other_forms = (f"{field}:{_form(form)}" for form in style.expand_forms(word))
    return " ".join([f"{field}:{escape(word)}", *other_forms])


def _form(form: str) -> str:
    if form.startswith("/"):
        return form
    return f"{escape(form.removesuffix('*'))}{'*' if form.endswith('*') else ''}"


def _identifier_part(part: str) -> str:
    """Quoted where it would be more than one clause, as a row of emoji is."""
    return escape(part) if _is_one(part) else quoted(part)


def _is_one(word: str) -> bool:
    """Whether an analyzer that leaves scripts alone makes one word of it: not of `1½2`."""
    if word.isascii():
        letters = word.replace("_", "")
        return not letters or letters.isalnum()
    return all(
        letter == "_" or (letter <= "\uffff" and category(letter) in _LETTERS) for letter in word
    )
