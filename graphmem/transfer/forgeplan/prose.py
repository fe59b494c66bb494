"""The text of an artifact: its body without what a template left in it.

Outside of code these go: HTML comments; lines that are only a placeholder `{…}`, in a heading or a
list and after a label as well; rows of a table in which nothing was filled in.
"""

import re
from collections.abc import Iterator, Sequence

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
# What a template asks for is words; what has quotes, signs or braces inside is somebody's code.
_LABELLED = re.compile(
    r"\s*(?:[-*+>#]+\s+|\d+[.)]\s+)*(?:\[[ xX]\]\s+)?\**(?:[^{}|`:]{1,60}:\**\s+\**)?"
    r"\{(?=\w)[^{}:=\"'`|]*\}\**\s*"
)
_CELL_BREAK = re.compile(r"(?<!\\)\|")
_BLANKS = re.compile(r"\n(?:[ \t]*\n){2,}")
_NOTHING = frozenset(" \t.…-–—_")
_LEFT_OPEN = frozenset({"...", "…"})


def text_of(body: str) -> str:
    """The text that is searched; empty where nothing was filled in."""
    kept = [line for line, is_code in lines(body) if is_code or not _is_left(line)]
    return _BLANKS.sub("\n\n", "\n".join(kept)).strip()


def lines(body: str) -> Iterator[tuple[str, bool]]:
    """Every line of a body without its comments, and whether it is code.

    A comment that is never closed ends with its line: half a file is better than none.
    """
    written = body.split("\n")
    last = max((place for place, line in enumerate(written) if "-->" in line), default=-1)
    fence = ""
    is_inside = False
    for place, line in enumerate(written):
        if fence:
            yield line, True
            bare = line.strip()
            fence = "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence
            continue
        opening = None if is_inside else _FENCE.match(line)
        if opening:
            fence = opening[1]
            yield line, True
            continue
        shown, is_inside = _uncommented(line, is_inside=is_inside, is_closed_later=place < last)
        yield shown, False


def _uncommented(line: str, *, is_inside: bool, is_closed_later: bool) -> tuple[str, bool]:
    """A line without comments, and whether one goes on; `<!--` inside backticks is none."""
    shown: list[str] = []
    start = 0
    ticks = 0
    while True:
        if is_inside:
            end = line.find("-->", start)
            if end < 0:
                return "".join(shown), True
            start = end + len("-->")
        opening = line.find("<!--", start)
        if opening < 0:
            return "".join([*shown, line[start:]]), False
        ticks += line.count("`", start, opening)
        shown.append(line[start:opening])
        start = opening + len("<!--")
        is_inside = ticks % 2 == 0
        if not is_inside:
            shown.append("<!--")
        elif not is_closed_later and line.find("-->", start) < 0:
            return "".join(shown), False


def is_placeholder(words: str) -> bool:
    """Whether words are one `{…}`: what a template asks for."""
    return words.startswith("{") and words.endswith("}")


def _is_left(line: str) -> bool:
    """Whether a line is as its template has it."""
    if is_placeholder(line.strip()):
        return True
    row = cells(line)
    return _is_unfilled(row) if row else _LABELLED.fullmatch(line) is not None


def heading(line: str, *, deepest: int = 6) -> str | None:
    """The words of a heading, None for another line.

    Args:
        line: A line outside of code.
        deepest: The lowest level that counts; 1 for the title of a text.
    """
    bare = line.strip()
    words = bare.lstrip("#")
    level = len(bare) - len(words)
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
    said = [cell for cell in row if set(cell) - _NOTHING and not is_placeholder(cell)]
    return not said or (said == [row[0]] and is_left_open(row))
