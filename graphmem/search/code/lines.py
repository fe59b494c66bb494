"""Lines of source code that a query names, as a stack trace does, and the symbols there."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from graphmem.graph import Reader
from graphmem.model.provenance import FIRST_LINE, LAST_LINE
from graphmem.search.code.files import key_prefixes, prefixes_by_ends

# Lines that are looked up: a trace begins with lines of libraries.
LINES = 40
# Lines that are looked up, divided among the projects that are searched.
LINES_IN_PROJECTS = 120
# Lines that a note names.
LINES_IN_NOTE = 10

# What the symbols at the outer lines of a trace count.
OUTER = 0.85
STEP = 0.02
LEAST = 0.5

_LINE = re.compile(
    r"""
      File\ "(?P<quoted>[^"\n]{1,400})",\ line\ (?P<quoted_line>\d{1,7})\b  # as Python has it
    | (?<![\w$.])(?P<method>[\w$]{1,200}+(?:\.[\w$<>-]{1,200}+){1,40}+)  # as Java has it
      \((?P<file>[\w$-]{1,200}+\.(?:java|kt|scala|groovy)):(?P<file_line>\d{1,7})\)
    | (?<![^\s"'`()\[\]{}<>:,;#])
      (?:(?:https?:)?//[\w.-]{1,200}+(?::\d{1,5})?/)?  # of a browser
      (?P<path>[^\s"'`()\[\]{}<>:,;#?]{1,400}\.\w{1,10})(?:\?[\w=&.%/-]{0,200}+)?
      (?::(?:line\ )?|\#L|\((?=\d{1,7},\d{1,7}\))
        |(?<=\.php)(?:\(|\ on\ line\ ))  # C# writes `:line 4`, PHP `(4)` and ` on line 4`
      (?P<line>\d{1,7})\b(?!\.\d)
    """,
    re.VERBOSE,
)


class CodeLine(NamedTuple):
    """A line of a file, by a path that may begin outside of what was imported."""

    path: str
    line: int


def code_lines(query: str) -> list[CodeLine]:
    """The lines of files that a query names, each once, in its order; at most forty."""
    return list(dict.fromkeys(map(_code_line, _LINE.finditer(query))))[:LINES]


def _code_line(match: re.Match[str]) -> CodeLine:
    if match["method"]:
        package = match["method"].split(".")[:-2]
        return CodeLine("/".join([*package, match["file"]]), int(match["file_line"]))
    return CodeLine(match["quoted"] or match["path"], int(match["quoted_line"] or match["line"]))


def symbols_at_lines(graph: Reader, query: str, projects: Sequence[str]) -> dict[CodeLine, str]:
    """The names of the innermost symbols at the lines that a query names, in its order.

    Args:
        graph: The store.
        query: As it was given.
        projects: Those that are searched.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    lines = code_lines(query)
    if not lines or not projects:
        return {}
    lines = lines[: max(LINES_IN_NOTE, LINES_IN_PROJECTS // len(projects))]
    named = _symbols(graph, {line: key_prefixes(line.path, projects) for line in lines})
    if others := [line for line in lines if line not in named]:
        prefixes = prefixes_by_ends(graph, [line.path for line in others], projects)
        named |= _symbols(
            graph, {line: prefixes[line.path] for line in others if line.path in prefixes}
        )
    return {line: named[line] for line in lines if line in named}


def emphasis(lines: Mapping[CodeLine, str], query: str) -> dict[str, float]:
    """The weight of each symbol at a line, in (0, 1]: 1 for the innermost call of a trace.

    Python prints that last, most languages first.

    Args:
        lines: The symbols, in the order of the query.
        query: As it was given.
    """
    names = list(lines.values())
    if any(match["quoted"] for match in _LINE.finditer(query)):
        names.reverse()
    return {
        name: 1.0 if number == 0 else max(LEAST, OUTER - STEP * number)
        for number, name in enumerate(dict.fromkeys(names))
    }


def note_on_lines(symbols: Mapping[CodeLine, str]) -> str:
    """A sentence on the symbols at lines, at most ten of them."""
    places = [f"line {line.line} of {line.path} is in `{name}`" for line, name in symbols.items()]
    return "; ".join(places[:LINES_IN_NOTE])


def _symbols(graph: Reader, prefixes: Mapping[CodeLine, Sequence[str]]) -> dict[CodeLine, str]:
    """The innermost symbols at lines, by how the keys of symbols there may begin."""
    if not prefixes:
        return {}
    lines = list(prefixes)
    places = [
        {"number": number, "line": line.line, "prefixes": list(prefixes[line])}
        for number, line in enumerate(lines)
    ]
    rows = graph.read("read/symbols_at_lines", places=places, first=FIRST_LINE, last=LAST_LINE)
    return {lines[row["number"]]: row["name"] for row in rows}
