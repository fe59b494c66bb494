"""The query language: any text becomes a tree, and the tree becomes Lucene text.

`tokens` cuts, `parser` makes the tree, `tree` is the tree and its canonical form, `writer` writes
what the text indexes are asked, `clauses` keeps that to what they take, `language` knows stop
words, scripts and stems, and `unspaced` cuts words of scripts that put no spaces between them.
"""

from graphmem.lucene.language import (
    DEFAULT_LANGUAGES,
    ENGLISH_STOP_WORDS,
    LATIN,
    clean,
    forms,
    is_question_word,
    is_stop_word,
    script,
    speaks_english,
    stem,
    stems,
    without_stop_words,
)
from graphmem.lucene.parser import TERMS, parse
from graphmem.lucene.tree import (
    AllOf,
    AnyOf,
    Field,
    Fuzzy,
    Node,
    Not,
    Operator,
    Pattern,
    Phrase,
    Piece,
    Query,
    Word,
    attributes,
    is_everything,
    leaves,
    printed,
    pruned,
    wanted,
)
from graphmem.lucene.unspaced import is_unspaced, whole_words, word_parts
from graphmem.lucene.writer import ENTITY_FIELDS, alike, beside, escaped, filters, handles, write

__all__ = [
    "DEFAULT_LANGUAGES",
    "ENGLISH_STOP_WORDS",
    "ENTITY_FIELDS",
    "LATIN",
    "TERMS",
    "AllOf",
    "AnyOf",
    "Field",
    "Fuzzy",
    "Node",
    "Not",
    "Operator",
    "Pattern",
    "Phrase",
    "Piece",
    "Query",
    "Word",
    "alike",
    "attributes",
    "beside",
    "clean",
    "escaped",
    "filters",
    "forms",
    "handles",
    "is_everything",
    "is_question_word",
    "is_stop_word",
    "is_unspaced",
    "leaves",
    "parse",
    "printed",
    "pruned",
    "script",
    "speaks_english",
    "stem",
    "stems",
    "wanted",
    "whole_words",
    "without_stop_words",
    "word_parts",
    "write",
]
