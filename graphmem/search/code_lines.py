"""Lines of source code that a query names, as a stack trace does, and the symbols there."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphmem import text
from graphmem.graph import Graph

# So many lines are looked up, of a path its last parts.
LINES = 10
PARTS = 12

_LINE = re.compile(
    r"""
      File\ "(?P<quoted>[^"\n]{1,400})",\ line\ (?P<quoted_line>\d{1,7})\b  # as Python has it
    | (?<![^\s"'`()\[\]{}<>:,;#])
      (?P<path>[^\s"'`()\[\]{}<>:,;#]{1,400}\.\w{1,10})(?::|\#L)(?P<line>\d{1,7})\b
    """,
    re.VERBOSE,
)


class CodeLine(NamedTuple):
    """A line of a file, by a path that may begin outside of what was imported."""

    path: str
    line: int


def code_lines(query: str) -> list[CodeLine]:
    """The lines of files that a query names, each once, in its order; at most ten."""
    matches = _LINE.finditer(query)
    lines = (
        CodeLine(match["quoted"] or match["path"], int(match["quoted_line"] or match["line"]))
        for match in matches
    )
    return list(dict.fromkeys(lines))[:LINES]


def symbols_at(graph: Graph, query: str, projects: Sequence[str]) -> str | None:
    """A note on the symbols at the lines that a query names; None where none is known.

    Args:
        graph: The store.
        query: As it was given.
        projects: Those that are searched.
    """
    lines = code_lines(query)
    if not lines or not projects:
        return None
    rows = graph.read(
        "read/symbols_at_lines",
        places=[
            {"number": number, "line": line.line, "prefixes": list(_prefixes(line.path, projects))}
            for number, line in enumerate(lines)
        ],
        first="start_line",
        last="end_line",
    )
    named = [(*lines[row["number"]], row["name"]) for row in rows]
    return "; ".join(f"line {line} of {path} is in `{name}`" for path, line, name in named) or None


def _prefixes(path: str, projects: Sequence[str]) -> Iterator[str]:
    """How the keys of the symbols of a file begin, the longest path first."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in {"", ".", ".."}]
    last_parts = parts[-PARTS:]
    for start in range(len(last_parts)):
        for project in projects:
            yield text.key(project, "/".join(last_parts[start:]) + "::")
