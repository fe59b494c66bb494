"""The list of links in which an exported note has its relations once more."""

import re
from collections.abc import Iterable

from graphmem.transfer.markdown.front_matter import front_matter_of
from graphmem.transfer.markdown.references import fenced_lines

# Between these an export lists a note's relations, which its front matter has, as links that
# editors of notes follow and draw.
_BEGIN = "<!-- Relations of the front matter, as links; not imported. -->"
_END = "<!-- End of the relations. -->"
_LIST = re.compile(rf"^{re.escape(_BEGIN)}\n(?:- .*\n)*{re.escape(_END)}", re.MULTILINE)


def link_list(lines: Iterable[str]) -> str:
    """The list of some lines, each of them an item of Markdown."""
    return "\n".join((_BEGIN, *lines, _END))


def without_link_list(content: str) -> str:
    """A note without the list of links that an export made: the last one outside of code.

    A list at the very end counts even in code, whose end may be missing.
    """
    if _BEGIN not in content:
        return content
    parts = front_matter_of(content)
    text = content if parts is None else parts.body
    place = _last_list(text)
    if place is None:
        return content
    before = content[: len(content) - len(text) + place.start()].rstrip()
    after = text[place.end() :].lstrip("\n")
    return f"{before}\n\n{after}"


def _last_list(text: str) -> re.Match[str] | None:
    lists = list(_LIST.finditer(text))
    if not lists or not text[lists[-1].end() :].strip():
        return lists[-1] if lists else None
    fenced, line, end, last = fenced_lines(text), 0, 0, None
    for match in lists:
        line += text.count("\n", end, match.start())
        end = match.start()
        last = last if line in fenced else match
    return last
