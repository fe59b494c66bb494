"""Splits a text into the passages that are embedded and searched: pure, no I/O."""

import re
from collections.abc import Iterator
from itertools import chain

from semantic_text_splitter import MarkdownSplitter, TextSplitter

# A passage fits the default model (256 word pieces) in English; in other scripts the model reads
# its beginning, and the text indexes read all of it.
PASSAGE_CHARACTERS = (600, 1000)
# Of code, the splitter leaves room for what says little alone, such as closing brackets.
CODE_CHARACTERS = (600, 850)
FRAGMENT_CHARACTERS = 150
BLOCK_CHARACTERS = 50_000
# Lines that only begin what follows, or a label of it, and what only ends what was before.
_OPENINGS = re.compile(
    r"\s*(?:(?:#{1,6}[ \t][^\n]*|(?:`{3,}|~{3,})[^\n`]*|\([\w-]+\)=)(?:\n\s*|\Z))+"
)
_CLOSING = re.compile(r"\s*(?:`{3,}|~{3,})\s*")


def split_text(text: str, *, is_code: bool = False) -> list[str]:
    """Split a text at headings and paragraphs; the pieces joined give the text back exactly.

    Each has at most 1,000 characters. A blank text has no passages; otherwise one is blank only
    where neither the passage before nor the one after has room for it. Headings alone, and the
    first line of a block of code, are one where what follows leaves no room for them.

    Args:
        text: Markdown, or code.
        is_code: Whether to split at blank lines and lines, since what begins a heading or an item
            of Markdown is a comment there, and a part of fewer than 150 characters is one only
            where neither the passage before nor the one after has room for it.
    """
    if not text.strip():
        return []
    if len(text) <= PASSAGE_CHARACTERS[1]:
        return [text]
    splitter = (
        TextSplitter(CODE_CHARACTERS, trim=False)
        if is_code
        else MarkdownSplitter(PASSAGE_CHARACTERS, trim=False)
    )
    belong_together = _is_fragment_beside if is_code else _is_blank_or_opening_beside
    pieces: list[str] = []
    for piece in chain.from_iterable(map(splitter.chunks, _blocks(text))):
        has_room = pieces and len(pieces[-1]) + len(piece) <= PASSAGE_CHARACTERS[1]
        if has_room and belong_together(pieces[-1], piece):
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


def _is_blank_or_opening_beside(before: str, piece: str) -> bool:
    is_blank = not (piece.strip() and before.strip())
    return is_blank or bool(_OPENINGS.fullmatch(before) or _CLOSING.fullmatch(piece))


def _is_fragment_beside(before: str, piece: str) -> bool:
    return min(len(before.strip()), len(piece.strip())) < FRAGMENT_CHARACTERS
