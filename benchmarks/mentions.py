"""Links for corpora that have none: a text mentions every entity whose name it contains whole."""

import re
from collections.abc import Iterable, Mapping, Sequence

WORD = re.compile(r"\w+|[^\w\s]")
LONGEST = 12
SHARED = 3


def tokens(text: str) -> list[str]:
    """Words and single marks, case kept: names are written with capitals."""
    return WORD.findall(text)


def names_of(title: str) -> list[str]:
    """A title and, where it ends in a parenthesis that tells it from others, the part before."""
    plain = re.sub(r"\s*\([^()]*\)\s*$", "", title)
    return [title] if plain in {"", title} else [title, plain]


def mentions(texts: Mapping[str, str], names: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs (key of the text, key of the thing named in it), the longest names first, each once.

    Args:
        texts: Text by key.
        names: (name, key) pairs; a name of more than three things links to none of them.
    """
    keys: dict[str, list[str]] = {}
    for name, key in names:
        keys.setdefault(" ".join(tokens(name)), []).append(key)
    found: dict[tuple[str, str], None] = {}
    for key, text in texts.items():
        words = tokens(text)
        start = 0
        while start < len(words):
            step, reached = _longest(words, start, keys)
            for other in reached:
                if other != key:
                    found[key, other] = None
            start += step
    return list(found)


def _longest(
    words: Sequence[str], start: int, keys: Mapping[str, list[str]]
) -> tuple[int, list[str]]:
    for size in range(min(LONGEST, len(words) - start), 0, -1):
        reached = keys.get(" ".join(words[start : start + size]))
        if reached is not None and len(reached) <= SHARED:
            return size, reached
    return 1, []
