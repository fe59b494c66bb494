"""What a clause of a ranked query counts, and clauses that only raise what they match."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from graphmem.lucene.fields import PASSAGE_FIELDS
from graphmem.lucene.language import stem, without_stop_words
from graphmem.lucene.tree import quoted
from graphmem.model.language import Language
from graphmem.model.spelling import has_only_letters

# Two words of a query side by side, or with one other between them, count half as much again.
BESIDE_DISTANCE = 1
BESIDE_BOOST = 0.5
BESIDE_PAIRS = 16
# A name that differs by one letter counts less than the name itself.
ALIKE_LETTERS = 6
ALIKE_WORDS = 4
ALIKE_BOOST = 0.3
# A line of a query that a passage repeats word for word counts twice what its words do besides.
QUOTED_BOOST = 2.0
QUOTED_WORDS = range(3, 41)
QUOTED_LINES = 20
QUOTATIONS = 30
# The most clauses of a ranked query beside its words, with 50 for a word with a letter wrong.
RAISING_CLAUSES = 2 * BESIDE_PAIRS + QUOTATIONS + 50 * ALIKE_WORDS

_PLAIN = re.compile(r"\w+")
# Marks around a message, as in `ERROR [main] store.Closed: no such store (attempt 3)`.
_MESSAGE_MARKS = re.compile(r"""[:;,.!?](?:\s|$)|[()\[\]{}<>"`]|(?<!\w)'|'(?!\w)""")

# What a word counts in a field, above 0 and at most 1.
Weigh = Callable[[str, str], float]


def equally(word: str, field: str) -> float:  # noqa: ARG001 - one of many ways to weigh
    """Have all words count the same."""
    return 1.0


def boost(factor: float) -> str:
    """Write a factor as it stands behind a `^`."""
    return f"{factor:.4f}".rstrip("0").rstrip(".")


def proximity_boost(words: Sequence[str], weigh: Weigh) -> str:
    """Write optional clauses that raise a passage in which words of the query stand side by side.

    Args:
        words: Plain words in the order of the query; the first 16 pairs count.
        weigh: What a word counts in a field; a pair counts the mean of its words.
    """
    plain_pairs = [
        (a, b) for a, b in pairwise(words) if _PLAIN.fullmatch(a) and _PLAIN.fullmatch(b)
    ]
    return " ".join(
        f'{field}:"{a} {b}"~{BESIDE_DISTANCE}'
        f"^{boost(BESIDE_BOOST * (weigh(a, field) + weigh(b, field)) / 2)}"
        for a, b in plain_pairs[:BESIDE_PAIRS]
        for field, _ in PASSAGE_FIELDS.searched
        if field != PASSAGE_FIELDS.parts
    )


def quotation_boost(query: str, languages: Sequence[Language]) -> str:
    """Write optional clauses that raise a passage with a line of the query word for word.

    Whoever pastes a line of code or of a log looks for its place. What stands between marks of a
    line counts too, since a log adds to a message. Natural questions are hardly ever in a text.

    Args:
        query: As it was given.
        languages: Those whose stop words say nothing: two other words are needed.
    """
    quotations: dict[str, None] = {}
    for line in query.splitlines()[:QUOTED_LINES]:
        for part in (line, *_MESSAGE_MARKS.split(line)):
            words = part.split()
            if len(words) in QUOTED_WORDS and _says_something(words, languages):
                quotations[" ".join(words)] = None
    field = PASSAGE_FIELDS.by_name["text"]
    return " ".join(
        f"{field}:{quoted(text)}^{boost(QUOTED_BOOST)}" for text in list(quotations)[:QUOTATIONS]
    )


def _says_something(words: Sequence[str], languages: Sequence[Language]) -> bool:
    telling_words = without_stop_words(list(filter(_PLAIN.search, words)), languages)
    return len(telling_words) >= QUOTED_WORDS.start - 1


def fuzzy_names(words: Iterable[str], languages: Sequence[Language], weigh: Weigh) -> str:
    """Write clauses that find names in which a letter of a word differs, is missing or too many.

    The four longest words of six letters or more count: a fuzzy word becomes up to 50 clauses.

    Args:
        words: As they were written.
        languages: In whose stems the index holds its words; none where it does not stem.
        weigh: What a word counts in a field.
    """
    plain_words = {
        word.casefold() for word in words if has_only_letters(word) and len(word) >= ALIKE_LETTERS
    }
    longest = sorted(plain_words, key=lambda word: (-len(word), word))[:ALIKE_WORDS]
    return " ".join(
        f"names:{stem(word, languages) or word}~1^{boost(ALIKE_BOOST * weigh(word, 'names'))}"
        for word in longest
    )
