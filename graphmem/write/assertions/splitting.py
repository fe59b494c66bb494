"""Splits a text into the passages that are embedded and searched: pure, no I/O."""

import re
from collections.abc import Iterator
from itertools import chain

from semantic_text_splitter import MarkdownSplitter

# A passage fits the default model (256 word pieces) in English; in other scripts the model reads
# its beginning, and the text indexes read all of it.
PASSAGE_CHARACTERS = (600, 1000)
BLOCK_CHARACTERS = 50_000
_HEADINGS = re.compile(r"\s*(?:#{1,6}[ \t][^\n]*\n\s*)+")


def split_text(text: str) -> list[str]:
    """Split a text at headings and paragraphs; the pieces joined give the text back exactly.

    Each has at most 1,000 characters. A blank text has no passages; otherwise one is blank only
    where neither the passage before nor the one after has room for it. Headings alone are one
    where what follows leaves no room for them.
    """
    if not text.strip():
        return []
    if len(text) <= PASSAGE_CHARACTERS[1]:
        return [text]
    splitter = MarkdownSplitter(PASSAGE_CHARACTERS, trim=False)
    pieces: list[str] = []
    for piece in chain.from_iterable(map(splitter.chunks, _blocks(text))):
        belongs = pieces and (
            not (piece.strip() and pieces[-1].strip()) or _HEADINGS.fullmatch(pieces[-1])
        )
        if belongs and len(pieces[-1]) + len(piece) <= PASSAGE_CHARACTERS[1]:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def _blocks(text: str) -> Iterator[str]:
    """Cut a huge text at a paragraph, line, word or sentence.

    The splitter's time grows with the square.
    """
    start = 0
    while len(text) - start > BLOCK_CHARACTERS:
        window = text[start : start + BLOCK_CHARACTERS]
        for mark in ("\n\n", "\n", " ", "。"):
            if (mark_place := window.rfind(mark)) > BLOCK_CHARACTERS // 2:
                end = mark_place + len(mark)
                break
        else:
            end = BLOCK_CHARACTERS
        yield text[start : start + end]
        start += end
    yield text[start:]
