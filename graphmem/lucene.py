"""Queries in plain words become Lucene text that no string can break.

`parse` makes a tree, `write` makes the text. Today every query is a list of words and quoted
phrases, ranked with OR; boolean operators, wildcards, fuzzy words and fields get nodes of their own
in `Node`, and `write` is the only place that knows Lucene's syntax.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem import text

TERMS = 64
TERM_CHARACTERS = 200
FIELDS: tuple[tuple[str, float], ...] = (("names", 1.0), ("text", 1.0), ("words", 0.5))

# What Lucene's English analyzer leaves out, of queries and of texts.
ENGLISH_STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "if",
        "in",
        "into",
        "is",
        "it",
        "no",
        "not",
        "of",
        "on",
        "or",
        "such",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "will",
        "with",
    ]
)

_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_SPECIAL = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/<>=])')
_OPERATORS = frozenset({"AND", "OR", "NOT", "TO"})
_HAS_WORD = re.compile(r"[^\W_]|[^\w\s\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it was written."""

    written: str


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Words of which any may match; more matches rank higher."""

    nodes: tuple[Word, ...]
    cut: int = 0


Node = Word | AnyOf


def parse(query: str) -> AnyOf:
    """Read a query: its distinct words in order, at most 64 of them; `cut` counts the rest.

    Every string has a reading. Words without a letter, digit or symbol of a script are dropped.
    """
    written = dict.fromkeys(
        word[:TERM_CHARACTERS] for word in clean(query).split() if _HAS_WORD.search(word)
    )
    words = tuple(Word(word) for word in written)
    return AnyOf(words[:TERMS], cut=max(0, len(words) - TERMS))


def write(tree: AnyOf, *, required: Sequence[Sequence[str]]) -> str | None:
    """Write a tree as Lucene text that also requires one token of each group, or None for no words.

    Args:
        tree: What `parse` gave.
        required: Groups of filter tokens; a passage must carry one of every group. They add
            nothing to the score.
    """
    if not tree.nodes:
        return None
    clauses = [f"{field}:({_words(tree, field)})^{boost}" for field, boost in FIELDS]
    return f"{filters(required)} +({' '.join(clauses)})"


def filters(required: Sequence[Sequence[str]]) -> str:
    """Write the groups of filter tokens as required clauses of boost 0."""
    return " ".join(f"+filters:({' '.join(group)})^0" for group in required)


def handles(query_grams: Sequence[str], *, required: Sequence[Sequence[str]]) -> str | None:
    """Write the query that finds entities by a whole name among the grams, or None for none."""
    if not query_grams:
        return None
    tokens = " ".join(text.token("name", gram) for gram in query_grams)
    return f"{filters(required)} +handles:({tokens})"


def is_cyrillic(word: str) -> bool:
    """Whether a word has a Cyrillic letter."""
    return _CYRILLIC.search(word) is not None


def clean(query: str) -> str:
    """Drop what no index holds and the driver cannot send: NUL and lone surrogates."""
    return query.encode("utf-8", "ignore").decode().replace("\0", " ")


def escaped(word: str) -> str:
    """Write a word so that Lucene takes every character of it literally."""
    literal = word.lower() if word in _OPERATORS else word
    return _SPECIAL.sub(r"\\\1", literal)


def _words(tree: AnyOf, field: str) -> str:
    if field != "words":
        return " ".join(escaped(node.written) for node in tree.nodes)
    parts: dict[str, None] = {}
    for node in tree.nodes:
        parts.update(dict.fromkeys(text.split_identifier(node.written) or [node.written]))
    return " ".join(escaped(part) for part in list(parts)[: 2 * TERMS])
