"""The query language: any text becomes a tree, and the tree becomes Lucene text.

`marks` reads those of other keyboards, `tokens` cuts, `parser` makes the tree, `tree` is the tree
and its canonical form, and `exclusions` says which wanted words it leaves out. `writer` writes what
the text indexes are asked, in their `fields`; `boosts` weighs its clauses, and `clauses` keeps
their number to what an index takes. `language` knows stop words, scripts and stems, `segmentation`
cuts words of scripts that put no spaces between them, and `korean` cuts particles off words.
"""

from graphmem.lucene.boosts import fuzzy_names, proximity_boost, quotation_boost
from graphmem.lucene.fields import ENTITY_FIELDS
from graphmem.lucene.korean import without_particle
from graphmem.lucene.language import (
    DEFAULT_LANGUAGES,
    ENGLISH,
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
from graphmem.lucene.marks import keyboard_marks
from graphmem.lucene.parser import TERMS, parse
from graphmem.lucene.segmentation import is_unspaced, marked_runs, whole_words, word_parts
from graphmem.lucene.tree import (
    NAMED_FIELDS,
    AllOf,
    AnyOf,
    Field,
    Fuzzy,
    Node,
    Not,
    Pattern,
    Phrase,
    Piece,
    Query,
    Word,
    attributes,
    canonical,
    is_everything,
    leaves,
    positive_leaves,
    replace_leaves,
)
from graphmem.lucene.writer import (
    escape,
    filters,
    handles,
    write,
)

__all__ = [
    "DEFAULT_LANGUAGES",
    "ENGLISH",
    "ENGLISH_STOP_WORDS",
    "ENTITY_FIELDS",
    "LATIN",
    "NAMED_FIELDS",
    "TERMS",
    "AllOf",
    "AnyOf",
    "Field",
    "Fuzzy",
    "Node",
    "Not",
    "Pattern",
    "Phrase",
    "Piece",
    "Query",
    "Word",
    "attributes",
    "canonical",
    "clean",
    "escape",
    "filters",
    "forms",
    "fuzzy_names",
    "handles",
    "is_everything",
    "is_question_word",
    "is_stop_word",
    "is_unspaced",
    "keyboard_marks",
    "leaves",
    "marked_runs",
    "parse",
    "positive_leaves",
    "proximity_boost",
    "quotation_boost",
    "replace_leaves",
    "script",
    "speaks_english",
    "stem",
    "stems",
    "whole_words",
    "without_particle",
    "without_stop_words",
    "word_parts",
    "write",
]
