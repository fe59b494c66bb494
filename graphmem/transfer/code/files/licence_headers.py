"""Licence headers: what the comments at the top of many files say, and what says nothing of them.

All files of a project have the same one, so that a search for its words, or for those of a file
that has little else beside its symbols, would show it again and again.
"""

import re
from collections.abc import Iterator, Sequence

# What stands deeper is no header.
MOST_LINES = 200

_PREAMBLE = re.compile(r"\s*(?:$|#!|<\?|<!doctype\b|['\"]use \w+['\"])", re.IGNORECASE)
_LINE_COMMENT = re.compile(r"\s*(?://|#(?=[\s#*=-]|$)|--|;|%|!|dnl\b)")
_CLOSING = {"/*": "*/", "<!--": "-->", "{-": "-}", "(*": "*)", "=begin": "=end", '"""': '"""'}
_OPENING = re.compile(r"\s*(/\*|<!--|\{-|\(\*|=begin\b|\"\"\")[*!]*")
# The marks of a comment before and behind what its line says.
_MARKS = re.compile(r"\s*(?:(?://|#|--|;|%|!|\*(?!/)|dnl\b)[/#!*%;-]*)?\s*")
_END_MARKS = " \t*#/"
_WORD = re.compile(r"\w\w")

# What only headers say, up to the end of their paragraph. A space stands for any of them.
_LICENCE = re.compile(
    r"^(?:portions |parts )?(?:copyright\b|\(c\) |©)"
    r"|^(?:spdx-[\w-]+:|@licen[sc]e\b|@copyright\b|all rights reserved\b)"
    r"|^(?:for (?:the )?licen[sc]e information\b|see copyright notice\b)"
    r"|^https?://\S{0,100}licen[sc]e\S{0,100}$"
    r"|^(?:released |distributed |available )?(?:under )?(?:the )?(?:mit|bsd|isc|apache) licen[sc]e"
    r"|\bcopyright (?:\(c\)|©|\d{4})"
    r"|\blicen[sc]ed (?:under|to you|to the)\b"
    r"|\bgoverned by (?:an? |the )?\w+(?:-style| style)? licen[sc]e\b"
    r"|\bpermission is hereby granted\b|\bpermission to use, copy, modify\b"
    r"|\bredistributions? (?:and use|of source|in binary)\b"
    r"|\b(?:software|program|library|work|file) is (?:licen[sc]ed|free software)\b"
    r"|\bis (?:provided|distributed) (?:under|in the hope|without any)\b"
    r"|\bis provided (?:by .{0,80})?\W{0,3}as[ -]is\b|\bimplied warrant(?:y|ies)\b"
    r"|\b(?:under|subject to) the terms of the\b.{0,80}\blicen[sc]e\b"
    r"|\bunless required by applicable law\b|\babove copyright notice\b"
    r"|\bcopy of the\b.{0,80}\blicen[sc]e\b|\bneither the names? of\b".replace(" ", r"\s+"),
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def without_licence_header(text: str) -> str:
    """Leave out what the comments at the top of a file say of its licence and copyright.

    What else they say stays, above and below.

    Args:
        text: Of a file, in any language.
    """
    lines = text.split("\n")
    header: list[str] = []
    start = 0
    while start < min(len(lines), MOST_LINES):
        if _PREAMBLE.match(lines[start]):
            end = start + 1
            header.append(lines[start])
        else:
            end = _comment_end(lines, start)
            header += _without_licence(lines[start:end])
        if end == start:
            break
        start = end
    if header == lines[:start]:
        return text
    head = re.sub(r"\n{3,}", "\n\n", "\n".join([*header, ""])).lstrip("\n")
    return head + "\n".join(lines[start:])


def _comment_end(lines: Sequence[str], start: int) -> int:
    """The line behind the comment that begins on a line; the line itself where none does."""
    end = start
    if opening := _OPENING.match(lines[start]):
        closing, rest = _CLOSING[opening[1]], lines[start][opening.end() :]
        while closing not in rest and end - start < MOST_LINES and end + 1 < len(lines):
            end += 1
            rest = lines[end]
        return end + 1 if rest.rstrip().endswith(closing) else start
    while end < len(lines) and _LINE_COMMENT.match(lines[end]):
        end += 1
    return end


def _without_licence(comment: Sequence[str]) -> Iterator[str]:
    """The lines of a comment without its licence; none where it says nothing else."""
    opening = _OPENING.match(comment[0]) if comment else None
    closing = _CLOSING[opening[1]] if opening else ""
    contents = [_content(line, closing) for line in comment]
    dropped = set(_licence_lines(contents))
    if dropped and not any(
        _WORD.search(content) for place, content in enumerate(contents) if place not in dropped
    ):
        return
    for place, line in enumerate(comment):
        if place not in dropped:
            yield line
        elif opening and place == 0:
            yield opening[0]
        elif opening and place == len(comment) - 1:
            yield f" {closing}"


def _content(line: str, closing: str) -> str:
    """What a line of a comment says, without the marks around it."""
    line = line.rstrip().removesuffix(closing)
    opening = _OPENING.match(line) or _MARKS.match(line)
    return line[opening.end() if opening else 0 :].rstrip(_END_MARKS).lstrip()


def _licence_lines(contents: Sequence[str]) -> Iterator[int]:
    """The places of lines about the licence, each with the rest and the end of its paragraph."""
    start = 0
    for end in range(1, len(contents) + 1):
        if end < len(contents) and contents[end]:
            continue
        paragraph = "\n".join(contents[start:end])
        if licence := _LICENCE.search(paragraph):
            yield from range(start + paragraph.count("\n", 0, licence.start()), end + 1)
        start = end
