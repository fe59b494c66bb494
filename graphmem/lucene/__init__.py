"""The query language: any text becomes a tree, and the tree becomes Lucene text.

`tokens` cuts, `parser` makes the tree, `tree` is the tree and its canonical form, `writer` writes
what the text indexes are asked, and `language` knows stop words, scripts and stems.
"""

from graphmem.lucene.language import (
    ENGLISH_STOP_WORDS,
    clean,
    is_cyrillic,
    is_stop_word,
    stem,
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
    leaves,
    printed,
)
from graphmem.lucene.writer import escaped, filters, handles, write

__all__ = [
    "ENGLISH_STOP_WORDS",
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
    "clean",
    "escaped",
    "filters",
    "handles",
    "is_cyrillic",
    "is_stop_word",
    "leaves",
    "parse",
    "printed",
    "stem",
    "write",
]
