"""The part of a text that an answer for agents has room for."""

import re

from graphmem.model import Passage
from graphmem.model.spelling import word_end
from graphmem.snippets import MARK, READ_CHARACTERS

# Of what is shown around a part, a quarter stands before it.
BEFORE = 4
# How far a snippet is looked for: it comes from the beginning of a text, in which marks may stand.
_LAST_PLACE = 3 * READ_CHARACTERS
_SPACE = re.compile(r"\s")


def best_part(passage: Passage, characters: int) -> str:
    """The whole text, else the part that matched best and what stands around it.

    Where there is no room for the snippet, the beginning of the text, or what stands around the
    first marked word. Lines stay lines. What is missing is shown by `…`.

    Args:
        passage: With marks, if the search highlights.
        characters: How long the part may be, without `…`.
    """
    full_text = passage.marked or passage.text
    if len(full_text) <= characters:
        return full_text
    if 0 < len(passage.snippet) <= characters:
        return _around_snippet(passage, full_text, characters)
    if passage.marked:
        return _around_mark(passage.snippet, characters)
    return beginning(full_text, characters)


def beginning(text: str, characters: int) -> str:
    """So much of a text, to the end of a word or of a part of a sentence, and `…` if it goes on."""
    return text if len(text) <= characters else f"{text[: word_end(text, 0, characters)]}…"


def _around_snippet(passage: Passage, full_text: str, characters: int) -> str:
    words = map(re.escape, passage.snippet.strip("…").split())
    match = re.compile(r"\s+".join(words)).search(full_text, 0, _LAST_PLACE)
    if match is None:  # a word at its end is marked in another way
        return passage.snippet
    before = (characters - len(passage.snippet)) // BEFORE
    start = max(0, min(match.start() - before, len(full_text) - characters))
    start = _part_start(full_text, start, match.start())
    end = min(len(full_text), start + characters)
    end = end if end == len(full_text) else word_end(full_text, start, end)
    excerpt = full_text[start:end]
    if passage.marked:
        excerpt = _without_open_mark(excerpt)
    return f"{'…' if start else ''}{excerpt.strip()}{'…' if end < len(full_text) else ''}"


def _part_start(text: str, start: int, before: int) -> int:
    """Where a line begins after `start`, else a word, not after `before` and not within marks."""
    if start:
        line_end = text.find("\n", start, before)
        space = _SPACE.search(text, start, before)
        if line_end >= 0:
            start = line_end + 1
        elif space is not None:
            start = space.end()
        if text.count(MARK, 0, start) % 2:
            start = text.rfind(MARK, 0, start)
    return start


def _around_mark(text: str, characters: int) -> str:
    """The text around the first mark; a mark that the cut opened is removed."""
    mark_start = text.find(MARK)
    start = max(0, mark_start - characters // BEFORE)
    start = text.find(" ", start, mark_start) + 1 or start if start else 0
    excerpt = _without_open_mark(beginning(text[start:], characters))
    return f"…{excerpt}" if start and not excerpt.startswith("…") else excerpt


def _without_open_mark(excerpt: str) -> str:
    if excerpt.count(MARK) % 2:
        return f"{excerpt[: excerpt.rindex(MARK)].rstrip()}…"
    return excerpt
