"""Which parts of a question without spaces may be names, such as `张伟` of `张伟负责什么`."""

import re

from graphmem import text

# Units of a query that are looked at, and the most of a name.
QUERY_UNITS = 48
NAME_UNITS = 10
SHORTEST = 2

_SIGNS = "\u3005\u3007\u3041-\u3096\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KATAKANA = "\u30a1-\u30ff\u31f0-\u31ff"
_HAS_SIGN = re.compile(f"[{_SIGNS}]")
_HIRAGANA = re.compile("[\u3041-\u3096]")
# Chinese characters and Hiragana stand for themselves; Katakana and all else makes words.
_UNIT = re.compile(rf"[{_SIGNS}]|[{_KATAKANA}]+|[^\W_{_SIGNS}{_KATAKANA}]+")


def inner_names(query: str) -> dict[str, float]:
    """The parts of Chinese and Japanese words that may be names, with what share of a word each is.

    A part has at least two characters and does not begin with Hiragana. The words of a query count
    one each, as everywhere, and a part counts as much of them as it has of their characters.

    Args:
        query: As it was given.

    Returns:
        The parts as names are folded; those of the first 48 characters and words of other letters.
    """
    tokens = [token for token in text.name_tokens(query) if _HAS_SIGN.search(token)]
    characters = sum(map(len, tokens))
    words = sum(_HAS_SIGN.search(word) is not None for word in query.split())
    parts: dict[str, float] = {}
    units_left = QUERY_UNITS
    for token in tokens:
        units = _UNIT.findall(token)[:units_left]
        units_left -= len(units)
        for start in range(len(units)):
            for end in range(start + 1, min(start + NAME_UNITS, len(units)) + 1):
                part = "".join(units[start:end])
                if SHORTEST <= len(part) < len(token) and not _HIRAGANA.match(part):
                    parts[part] = words * len(part) / characters
    return parts
