"""What an editor or a merge left unfinished, by which an import would store what nobody means."""

import re

from graphmem.importing.refusing import Refused
from graphmem.transfer.markdown.entity import ENTITY_FIELDS
from graphmem.transfer.markdown.front_matter import front_matter_of
from graphmem.transfer.markdown.references import fenced_lines

_FIELDS = "|".join(re.escape(name) for name in ("name", "type", "relations", *ENTITY_FIELDS))
# A rule may begin a text, but not with a field of a note right below it.
_BEGINNING = re.compile(rf"\s*---[ \t]*\n(?:{_FIELDS}):(?:[ \t]|\n)")
# One side of what git could not merge.
_SIDE = re.compile(r"^<{7} ", re.MULTILINE)
# How the lines begin that git writes around and between two sides, in this order.
_MARKS = (re.compile("<{7} "), re.compile("={7}$"), re.compile(">{7} "))


def check_finished(content: str) -> None:
    """Refuse a note whose front matter has no end, or that has both sides of a conflict of git.

    Read as text, it would lose its kind, its relations and all other fields, or say two things.

    Raises:
        Refused: It is unfinished.
    """
    parts = front_matter_of(content)
    side = _SIDE.search(parts.text) if parts else _SIDE.match(content)
    if side is not None:
        raise _refusal(side.string.count("\n", 0, side.start()) + (parts.line if parts else 1))
    if parts is None and _BEGINNING.match(content):
        raise Refused("front matter: the line `---` that ends it is missing")
    body = content if parts is None else parts.body
    line = conflict_line(body)
    if line is not None:
        raise _refusal(content.count("\n", 0, len(content) - len(body)) + line + 1)


def conflict_line(text: str) -> int | None:
    """The line of a text, from 0, where a conflict of git begins; None where there is none.

    All three of its marks stand at the beginning of lines outside of fences of code.
    """
    if _SIDE.search(text) is None:
        return None
    fenced, begun_at, marks = fenced_lines(text), 0, 0
    for line, words in enumerate(text.split("\n")):
        if line in fenced or not _MARKS[marks].match(words):
            continue
        if marks == 0:
            begun_at = line
        marks += 1
        if marks == len(_MARKS):
            return begun_at
    return None


def _refusal(line: int) -> Refused:
    return Refused(f"it has an unresolved conflict of git (line {line:,})")
