"""Lines of source code that a query names, as a stack trace does, and the symbols there."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from graphmem.errors import quantity
from graphmem.graph import Reader
from graphmem.model.provenance import FIRST_LINE, LAST_LINE
from graphmem.search.code.files import key_prefixes, prefixes_by_ends
from graphmem.text import SYMBOL_MARK

# Lines that are looked up: a trace begins with lines of libraries.
LINES = 40
# Lines that are looked up, divided among the projects that are searched.
LINES_IN_PROJECTS = 120
# Lines that a note names.
LINES_IN_NOTE = 10
# Files that a path may mean, and those of them that a note names.
FILES_OF_A_PATH = 1000
FILES_IN_NOTE = 3

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
      (?::(?:line\ |L)?|\#L|\((?=\d{1,7},\d{1,7}\))  # C# writes `:line 4`
        |(?:(?<=\.[ch])|(?<=\.(?:py|cc|cs|fs|vb))|(?<=\.(?:php|cpp|cxx|hpp)))
          \((?=\d{1,7}\))  # as pdb, PHP and compilers have it
        |["'`]?,?\ (?:(?:at|on|in)\ )?lines?\ )  # as people and PHP have it
      (?P<line>\d{1,7})\b(?!\.\d)
    | (?<!\w)[Ll]ines?\ (?P<line_before>\d{1,7})(?:-\d{1,7})?\ (?:of|in)\ ["'`]?
      (?P<path_behind>[^\s"'`()\[\]{}<>:,;#?]{1,400}\.\w{1,10})(?!\w)
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
    path = match["quoted"] or match["path"] or match["path_behind"]
    return CodeLine(path, int(match["quoted_line"] or match["line"] or match["line_before"]))


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


def note_on_other_lines(
    graph: Reader, query: str, projects: Sequence[str], symbols: Mapping[CodeLine, str]
) -> str | None:
    """A sentence on lines of known files at which no symbol is known.

    Args:
        graph: The store.
        query: As it was given.
        projects: Those that are searched.
        symbols: Those at the other lines.

    Returns:
        Whether the line is between symbols or behind the end, or which files its path may mean, of
        at most ten lines; None where no file of these paths is known.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    lines = [line for line in code_lines(query) if line not in symbols][:LINES_IN_NOTE]
    if not lines or not projects:
        return None
    paths = [line.path for line in lines]
    ends = prefixes_by_ends(graph, paths, projects, most=FILES_OF_A_PATH)
    keys = {
        path: _file_keys([*ends.get(path, ()), *key_prefixes(path, projects)]) for path in paths
    }
    all_keys = sorted({key for of_path in keys.values() for key in of_path})
    rows = graph.read("read/lengths_of_files", keys=all_keys, last=LAST_LINE)
    lengths = {row["key"]: (str(row["name"]), int(row["lines"])) for row in rows}
    sentences: dict[str, None] = {}
    for line in lines:
        files = [lengths[key] for key in keys[line.path] if key in lengths]
        # The longest end of a path is a file of its own if no file has all of it.
        possible_files = dict(files[: max(1, len(ends.get(line.path, ())))])
        if possible_files:
            sentences[_on_line(line, possible_files)] = None
    return "; ".join(sentences) or None


def _file_keys(prefixes: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(prefix.removesuffix(SYMBOL_MARK) for prefix in prefixes))


def _on_line(line: CodeLine, files: Mapping[str, int]) -> str:
    """Why no symbol is known at a line of one of some files, of which the lines are given."""
    names = list(files)
    if len(names) > 1:
        others = len(names) - FILES_IN_NOTE
        more = [quantity(others, "other file", "other files")] if others > 0 else []
        meant = " or ".join([*(f"`{name}`" for name in names[:FILES_IN_NOTE]), *more])
        return f"{line.path} may mean {meant}; name a folder of it, too"
    name, length = names[0], files[names[0]]
    if line.line > length:
        return f"`{name}` has {quantity(length, 'line', 'lines')}, so there is no line {line.line}"
    return f"line {line.line} of `{name}` is outside of its functions, classes and other symbols"


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
