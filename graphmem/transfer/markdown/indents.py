"""Blocks of Python-Markdown, whose indented lines hold Markdown, not code.

MkDocs calls them admonitions (`!!! note`), details (`??? tip`) and tabs (`=== "Linux"`).
"""

import re

_INDENT = 4
_OPENING = re.compile(r"(?:!!!|\?\?\?\+?|===[+!]?) +\S")
_FENCE = re.compile(r"(`{3,}|~{3,})")


def without_indents(content: str) -> str:
    """A Markdown text in which what such blocks hold stands at the margin, for a parser's sake."""
    lines: list[str] = []
    columns: list[int] = []  # where the content of each open block begins
    fence = ""
    for line in content.split("\n"):
        inner = line.lstrip(" ")
        indent = len(line) - len(inner)
        if inner and not fence:
            while columns and indent < columns[-1]:
                columns.pop()
        lines.append(line[min(indent, _INDENT * len(columns)) :])
        if fence:
            is_end = inner.startswith(fence) and not inner.strip().strip(fence[0])
            fence = "" if is_end else fence
        elif opening := _FENCE.match(inner):
            fence = opening[1]
        elif _OPENING.match(inner):
            columns.append(indent + _INDENT)
    return "\n".join(lines)
