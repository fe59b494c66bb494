"""What is known of languages: stop words, scripts, stems."""

import re

import snowballstemmer

# What Lucene's English analyzer leaves out, of queries and of texts.
ENGLISH_STOP_WORDS = frozenset(
    [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is",
        "it", "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there",
        "these", "they", "this", "to", "was", "will", "with",
    ]
)  # fmt: skip
SHORTEST_STEM = 3

_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_STEMMERS = {
    "english": snowballstemmer.stemmer("english"),
    "russian": snowballstemmer.stemmer("russian"),
}


def clean(query: str) -> str:
    """Drop what no index holds and the driver cannot send: NUL and lone surrogates."""
    return query.encode("utf-8", "ignore").decode().replace("\0", " ")


def is_cyrillic(word: str) -> bool:
    """Whether a word has a Cyrillic letter."""
    return _CYRILLIC.search(word) is not None


def is_stop_word(word: str) -> bool:
    """Whether English leaves the word out."""
    return word.casefold() in ENGLISH_STOP_WORDS


def stem(word: str) -> str | None:
    """The beginning that the forms of a word share, at least three letters; None for none."""
    language = "russian" if is_cyrillic(word) else "english"
    folded = word.casefold()
    found: str = _STEMMERS[language].stemWord(folded)
    if len(found) < SHORTEST_STEM or not folded.startswith(found):
        return None
    return found
