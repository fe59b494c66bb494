"""The part of a passage that matched best, and the words of the query marked in it."""

import re

from graphmem import lucene

WINDOW = 240
MARK = "**"

_WORD = re.compile(r"[^\W_]+")


def stems_of(query: lucene.Query) -> frozenset[str]:
    """The stems of a query's words, those of phrases and inside identifiers too."""
    if query.tree is None:
        return frozenset()
    written: list[str] = []
    for leaf in lucene.leaves(query.tree):
        match leaf:
            case lucene.Word(word) | lucene.Fuzzy(word, _):
                written.append(word)
            case lucene.Phrase(words, _):
                written.extend(words)
            case lucene.Pattern(pieces):
                written.extend(piece.text for piece in pieces if not piece.wild)
    found = (part for word in written for part in _WORD.findall(word))
    return frozenset(_stem(part) for part in found if not lucene.is_stop_word(part))


def snippet(text: str, stems: frozenset[str], *, highlight: bool = False) -> str:
    """The 240 characters of a text that hold most different stems, cut at words.

    Args:
        text: A passage.
        stems: What `stems_of` gave.
        highlight: Whether the words that matched stand between `**`.
    """
    flat = " ".join(text.split())
    found = [one for one in _WORD.finditer(flat) if _stem(one[0]) in stems]
    start, end = _window(flat, found)
    marks = [one for one in found if start <= one.start() and one.end() <= end] if highlight else []
    shown = flat[start:end]
    for one in reversed(marks):
        left, right = one.start() - start, one.end() - start
        shown = f"{shown[:left]}{MARK}{shown[left:right]}{MARK}{shown[right:]}"
    return f"{'…' if start else ''}{shown.strip()}{'…' if end < len(flat) else ''}"


def _window(flat: str, found: list[re.Match[str]]) -> tuple[int, int]:
    if len(flat) <= WINDOW:
        return 0, len(flat)
    best, start = 0, 0
    for index, first in enumerate(found):
        inside = {
            _stem(one[0]) for one in found[index:] if one.end() <= first.start() + WINDOW * 3 // 4
        }
        if len(inside) > best:
            best, start = len(inside), first.start()
    wanted = start
    start = max(0, min(start - WINDOW // 8, len(flat) - WINDOW))
    blank = flat.find(" ", start, wanted) if start and flat[start - 1] != " " else -1
    start = blank + 1 if blank >= 0 else start
    end = min(len(flat), start + WINDOW)
    cut = flat.rfind(" ", start, end)
    return start, end if end == len(flat) or cut <= start else cut


def _stem(word: str) -> str:
    return lucene.stem(word) or word.casefold()
