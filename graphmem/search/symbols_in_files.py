"""Symbols that a query names beside their file: `get in app/store.py`, `Store.get of store.py`."""

import re
from collections.abc import Iterator, Sequence

from graphmem import text
from graphmem.graph import Reader
from graphmem.search.code_files import key_prefixes, prefixes_by_ends

# Files and words of a query that are looked at, and symbols of all of them.
FILES = 5
FILES_OF_A_NAME = 20
WORDS = 60
SYMBOLS = 20

_FILE = re.compile(r"[\w./\\@+-]{0,400}\w\.[A-Za-z]\w{0,9}")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:::|\.|#|->)\w+)*")
_MARKS = "`'\"\u2018\u2019\u201c\u201d,;:?!()[]."


def symbols_in_files(graph: Reader, query: str, projects: Sequence[str]) -> list[str]:
    """The names of the symbols that a query names together with their file.

    Args:
        graph: The store.
        query: As it was given.
        projects: Those that are searched.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    words = [word.strip(_MARKS) for word in query.split()[:WORDS]]
    files = list(dict.fromkeys(word for word in words if _FILE.fullmatch(word)))[:FILES]
    names = list(dict.fromkeys(_names(word for word in words if word not in files)))
    if not files or not names or not projects:
        return []
    prefixes = {file: key_prefixes(file, projects) for file in files}
    symbols = _symbols(graph, [prefix for file in files for prefix in prefixes[file]], names)
    if not symbols:
        ends = prefixes_by_ends(graph, files, projects, most=FILES_OF_A_NAME)
        symbols = _symbols(graph, [prefix for file in ends.values() for prefix in file], names)
    return symbols


def _symbols(graph: Reader, prefixes: Sequence[str], names: Sequence[str]) -> list[str]:
    if not prefixes:
        return []
    rows = graph.read(
        "read/symbols_in_files", prefixes=list(prefixes), names=list(names), limit=SYMBOLS
    )
    return [row["name"] for row in rows]


def _names(words: Iterator[str]) -> Iterator[str]:
    for word in words:
        if _NAME.fullmatch(word):
            # A symbol of one word is found by its parentheses.
            yield from (text.name_form(word), text.name_form(f"{word}()"))
