"""A query is kept to as many clauses as an index takes, whatever its words become there."""

import re
from dataclasses import dataclass

from graphmem.lucene.boosts import RAISING_CLAUSES
from graphmem.lucene.segmentation import (
    is_unspaced,
    leading_in,
    unspaced_characters,
    whole_words,
    word_parts,
)
from graphmem.lucene.tree import LEADING, AnyOf, Field, Node, Not, Word, leaves, replace_leaves
from graphmem.lucene.writer import PARTS, write

# Lucene refuses a query of more.
CLAUSES = 1024
# For the words of filters: 150 values of `where`, 20 of them paths, which are two words each, 20
# each of kinds, tags and statuses, three projects.
FILTERS = 240
# A fuzzy word becomes up to so many in each of its fields.
CLAUSES_PER_FUZZY_WORD = 50
# Most other places where a word is looked for in an index that does not stem.
PLACES = ("_*",) * 3

# A plain word in two fields, its parts in a third, and what stands beside it under NOT.
MOST_OF_ASCII = 2 * (1 + len(PLACES)) + PARTS + 1

_CLAUSE = re.compile(
    r"""(?:\*|[a-z_]+):(?:"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/|(?P<term>(?:[^\s()\\]|\\.)+))""",
    re.DOTALL,
)
_FUZZY = re.compile(r"(?<!\\)~\d$")
_WILDCARD = re.compile(r"(?<!\\)[*?]")


def clauses(query_text: str) -> int:
    """The most clauses that Lucene makes of a text that `write` gave.

    A pattern or a term in quotation marks is one, a fuzzy one up to 50, and letters of scripts
    without spaces between words may be one each.
    """
    cost = 0
    for clause in _CLAUSE.finditer(query_text):
        term = clause["term"] or ""
        if _FUZZY.search(term):
            cost += CLAUSES_PER_FUZZY_WORD
        else:
            cost += 1 if _WILDCARD.search(term) else max(1, unspaced_characters(term))
    return cost


def bound_clauses(tree: Node, *, strict: bool = False) -> tuple[Node | None, list[str]]:
    """Keep the beginning of a query that an index takes; sentences where something was cut.

    Args:
        tree: What the parser made.
        strict: Whether words decide what matches, so that they are looked for whole.
    """
    budget = _Budget(strict, CLAUSES - FILTERS - (0 if strict else RAISING_CLAUSES))
    words = leaves(tree)
    if len(words) * MOST_OF_ASCII <= budget.clauses and all(map(_is_ascii, words)):
        return tree, []
    bounded_tree = replace_leaves(tree, budget.fit)
    notes = [budget.note] if budget.note else []
    if leading_in(tree) > LEADING:
        notes.append(
            f"as the texts stand, only the first {LEADING} words without spaces were also looked "
            "for inside longer ones"
        )
    return bounded_tree, notes


@dataclass(slots=True)
class _Budget:
    """How many clauses are left for the leaves that follow."""

    strict: bool
    clauses: int
    note: str = ""

    def fit(self, leaf: Node, field: str | None) -> Node | None:
        shortened_leaf: Node | None = leaf
        while (
            shortened_leaf is not None
            and (cost := self._cost(shortened_leaf, field)) > self.clauses
        ):
            self.note = f"the query was cut: a text index takes {CLAUSES:,} clauses"
            shortened_leaf = _half(shortened_leaf)
        if shortened_leaf is not None:
            self.clauses -= cost
        return shortened_leaf

    def _cost(self, leaf: Node, field: str | None) -> int:
        if self.strict or not isinstance(leaf, Word):
            # Where it is forbidden, a clause that is true of everything stands beside it.
            node = Not(leaf if field is None else Field(field, leaf))
            return _clauses_of(whole_words(node), strict=True)
        languages = ("", "cjk", "thai") if is_unspaced(leaf.text) else ("",)
        return max(
            _clauses_of(AnyOf(word_parts([leaf], language=language)), strict=False)
            for language in languages
        )


def _is_ascii(leaf: Node) -> bool:
    """Whether a leaf is a word that is written in one way, unlike one with an apostrophe."""
    return isinstance(leaf, Word) and leaf.text.isascii() and "'" not in leaf.text


def _clauses_of(node: Node, *, strict: bool) -> int:
    places = PLACES if strict else PLACES[:1]
    return clauses(write(node, required=[], expand_forms=lambda _: places, strict=strict))


def _half(leaf: Node) -> Node | None:
    """A leaf with the first half of its letters or words, or None where it cannot be shortened."""
    match leaf:
        case Word(word) if len(word) > 1:
            return Word(word[: len(word) // 2])
        case _:
            return None
