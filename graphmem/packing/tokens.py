"""How many tokens a text takes, as an estimate that no model has to be asked for."""

import re
from collections.abc import Iterator
from functools import cache

QUARTERS = 4
# ASCII digits and marks, letters of Latin with marks, Cyrillic: two characters a token.
_HALVES = ((0x00, 0x1F), (0x21, 0x40), (0x5B, 0x60), (0x7B, 0x24F), (0x400, 0x52F))
# What may be a digest, base64 or another random identifier.
_RUN = re.compile("[A-Za-z0-9]+")


def tokens(text: str) -> int:
    """Estimate the tokens of a text, rather too many than too few.

    ASCII letters and spaces count four a token; ASCII digits and marks, line breaks, other Latin
    letters, Cyrillic and ASCII letters among digits two; every other character one, and one beyond
    the Basic Multilingual Plane, such as an emoji, two tokens. So plain English takes some 4
    characters a token, code and tables 3, Russian and digests 2, Chinese 1.
    """
    return -(-quarters(text) // QUARTERS)


def quarters(text: str) -> int:
    """The same in quarters of a token, which add up: the whole takes what its lines take."""
    return sum(map(_weight, text)) + sum(map(_letters_among_digits, _RUN.findall(text)))


def weights(text: str) -> Iterator[tuple[str, int]]:
    """The characters of a text with the quarters of a token each takes where it stands."""
    end = 0
    for run in _RUN.finditer(text):
        if _letters_among_digits(run[0]):
            yield from ((mark, _weight(mark)) for mark in text[end : run.start()])
            yield from ((mark, 2) for mark in run[0])
            end = run.end()
    yield from ((mark, _weight(mark)) for mark in text[end:])


def _letters_among_digits(run: str) -> int:
    """How many letters of a run of letters and digits stand among digits."""
    letters = len(run) if run.isalpha() else sum(map(str.isalpha, run))
    return letters if letters < len(run) else 0


@cache
def _weight(mark: str) -> int:
    """The quarters of a token that one character takes: 1, 2, 4 or 8."""
    code = ord(mark)
    if any(start <= code <= end for start, end in _HALVES):
        return 2
    return 1 if code < 0x80 else 4 if code <= 0xFFFF else 8  # noqa: PLR2004 - planes of Unicode
