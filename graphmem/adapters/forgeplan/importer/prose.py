"""The text of an artifact: its body without what a template left in it.

Outside of code these go: HTML comments; lines that are only placeholders `{…}`, in a heading or a
list and after a label as well, over several lines too; rows of a table in which nothing was filled
in. Of a line or row that was filled in partly the placeholders of several words go, and the cells
that are only one. What is no words, such as `{CORE}` or `{a: 1}` after a label, is somebody's own.
"""

import re
from collections.abc import Iterator, Sequence

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
# What a template asks for is words; what has quotes, signs or braces inside is somebody's code.
_MARKER = r"\s*(?:[-*+>#]+\s+|\d+[.)]\s+)*(?:\[[ xX]\]\s+)?\**"
_LABEL = r"(?:[^{}|`:]{1,60}:\**\s+\**)?"
_APOSTROPHE = r"(?<=\w)['’](?=[\w ])"
_LABELLED = re.compile(rf"{_MARKER}{_LABEL}\{{(?=\w)(?:[^{{}}:=\"'`|]|{_APOSTROPHE})*\}}\**\s*")
# Nothing but placeholders; one of them may hold a colon, since it is the whole line.
_PLACEHOLDER = r"\{(?=\w)[^{}=\"`|]*\}"
_ONLY_PLACEHOLDERS = re.compile(rf"{_MARKER}{_PLACEHOLDER}(?:[\s*:;,./()+—–-]|{_PLACEHOLDER})*")
_PLACEHOLDER_CELL = re.compile(_PLACEHOLDER)
_OWN_WORD = re.compile(r"\{[A-Z0-9_,\s]+\}")
# Several words in a line of others; one alone may be a name that code knows.
_PLACEHOLDER_WORDS = re.compile(
    rf"(?<![\w$#%{{])\{{(?=[^\W\d_])(?:[\w./()—–-]|{_APOSTROPHE})+"
    rf"(?: (?:[\w./()—–-]|{_APOSTROPHE})+)+\}}(?!\}})"
)
_CODE = re.compile(r"(`+[^`]*`+)")
_OPENED = re.compile(rf"{_MARKER}{_LABEL}\{{(?=\w)[^{{}}=\"`|;]*")
_CLOSED = re.compile(r"[^{}=\"`|;]*\}\**\s*")
# A placeholder has so many lines at most.
MOST_LINES = 6
_CELL_BREAK = re.compile(r"(?<!\\)\|")
_BLANKS = re.compile(r"\n(?:[ \t]*\n){2,}")
_NOTHING = frozenset(" \t.…-–—_")
_LEFT_OPEN = frozenset({"...", "…"})


def text_of(body: str) -> str:
    """The text that is searched; empty where nothing was filled in."""
    cleaned_lines = (
        _clean_line(line, is_code=is_code)
        for line, is_code in _without_open_placeholders(list(lines(body)))
    )
    prose = "\n".join(line for line in cleaned_lines if line is not None)
    return _BLANKS.sub("\n\n", prose).strip()


def _without_open_placeholders(
    source_lines: Sequence[tuple[str, bool]],
) -> Iterator[tuple[str, bool]]:
    """The lines without the placeholders that go over several of them."""
    place = 0
    while place < len(source_lines):
        line, is_code = source_lines[place]
        end = place if is_code or not _OPENED.fullmatch(line) else _end(source_lines, place)
        if end == place:
            yield line, is_code
        place = end + 1


def _end(source_lines: Sequence[tuple[str, bool]], start: int) -> int:
    """The line that closes the placeholder opened by a line; that line itself where none does."""
    for place in range(start + 1, min(len(source_lines), start + MOST_LINES)):
        line, is_code = source_lines[place]
        if is_code or not line.strip() or "{" in line:
            break
        if _CLOSED.fullmatch(line):
            return place
        if "}" in line:
            break
    return start


def _clean_line(line: str, *, is_code: bool) -> str | None:
    """What was filled in of a line; None where nothing was."""
    if is_code or not ("{" in line or line.lstrip().startswith("|")):
        return line
    if _is_left(line):
        return None
    row = cells(line)
    if row is None:
        parts = _CODE.split(line)
        parts[::2] = [_PLACEHOLDER_WORDS.sub("", part) for part in parts[::2]]
        return "".join(parts)
    if not any(_is_asked(cell) for cell in row):
        return line
    return f"| {' | '.join('' if _is_asked(cell) else cell for cell in row)} |"


def _is_asked(cell: str) -> bool:
    """Whether a cell is what a template asks for, not somebody's own word in braces."""
    return bool(_PLACEHOLDER_CELL.fullmatch(cell)) and not _OWN_WORD.fullmatch(cell)


def lines(body: str) -> Iterator[tuple[str, bool]]:
    """Every line of a body without its comments, and whether it is code.

    A comment that is never closed ends with its line: half a file is better than none.
    """
    source_lines = body.split("\n")
    last_closing = max(
        (place for place, line in enumerate(source_lines) if "-->" in line), default=-1
    )
    fence = ""
    is_inside = False
    for place, line in enumerate(source_lines):
        if fence:
            yield line, True
            trimmed = line.strip()
            fence = "" if trimmed.startswith(fence) and not trimmed.strip(fence[0]) else fence
            continue
        opening = None if is_inside else _FENCE.match(line)
        if opening:
            fence = opening[1]
            yield line, True
            continue
        content, is_inside = _without_comments(
            line, is_inside=is_inside, is_closed_later=place < last_closing
        )
        yield content, False


def _without_comments(line: str, *, is_inside: bool, is_closed_later: bool) -> tuple[str, bool]:
    """A line without comments, and whether one goes on; `<!--` inside backticks is none."""
    parts: list[str] = []
    start = 0
    ticks = 0
    while True:
        if is_inside:
            end = line.find("-->", start)
            if end < 0:
                return "".join(parts), True
            start = end + len("-->")
        opening = line.find("<!--", start)
        if opening < 0:
            return "".join([*parts, line[start:]]), False
        ticks += line.count("`", start, opening)
        parts.append(line[start:opening])
        start = opening + len("<!--")
        is_inside = ticks % 2 == 0
        if not is_inside:
            parts.append("<!--")
        elif not is_closed_later and line.find("-->", start) < 0:
            return "".join(parts), False


def is_placeholder(words: str) -> bool:
    """Whether words are one `{…}`: what a template asks for."""
    return words.startswith("{") and words.endswith("}")


def _is_left(line: str) -> bool:
    """Whether a line is as its template has it."""
    if is_placeholder(line.strip()):
        return True
    row = cells(line)
    if row:
        return _is_unfilled(row)
    return any(form.fullmatch(line) for form in (_LABELLED, _ONLY_PLACEHOLDERS))


def heading(line: str, *, deepest: int = 6) -> str | None:
    """The words of a heading, None for another line.

    Args:
        line: A line outside of code.
        deepest: The lowest level that counts; 1 for the title of a text.
    """
    trimmed = line.strip()
    words = trimmed.lstrip("#")
    level = len(trimmed) - len(words)
    is_one = 0 < level <= deepest and words[:1].isspace() and not line.startswith("    ")
    return words.rstrip("#").strip() if is_one else None


def cells(line: str) -> list[str] | None:
    """The cells of a table's row; None for a line that is none."""
    row = line.strip()
    if not row.startswith("|") or len(row) == 1:
        return None
    return [cell.strip() for cell in _CELL_BREAK.split(row.removeprefix("|").removesuffix("|"))]


def is_rule(row: Sequence[str]) -> bool:
    """Whether a row is the line below a table's head."""
    return all(cell and not set(cell) - set("-:") for cell in row)


def is_left_open(row: Sequence[str]) -> bool:
    """Whether a cell of a row says `...` or `{…}`, as templates do."""
    return any(cell in _LEFT_OPEN or is_placeholder(cell) for cell in row)


def _is_unfilled(row: Sequence[str]) -> bool:
    """Whether nothing was filled in, or nothing beside the label the template has there."""
    if is_rule(row):
        return False
    cells = [cell for cell in row if set(cell) - _NOTHING and not is_placeholder(cell)]
    return not cells or (cells == [row[0]] and is_left_open(row))
