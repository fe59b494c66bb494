r"""The names that paths in a query may stand for: of files, and of symbols in them.

An import of code calls a file `src/app/store.py` and a symbol of it `src/app/store.py::Store.get`.
People have `/srv/project/src/app/store.py`, `C:\project\src\app\store.py`,
`https://example.org/project/blob/main/src/app/store.py#L4`, and
`src/app/test_store.py::TestStore::test_get[empty]` of a test that failed.
"""

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from graphmem.search.code.files import path_parts
from graphmem.text import SYMBOL_MARK

# Paths of a query that are looked at.
PATHS = 20
# What an import of code writes between a type and its member.
SEPARATORS = (".", SYMBOL_MARK)
_ENCODED = re.compile(r"(?<!\S)(?=\S{0,1000}%[0-9A-Fa-f]{2})\S{1,2000}")
_PATH = re.compile(
    r"""
    (?<![^\s"'`()\[\]{}<>,;=|:])
    (?P<path>[^\s"'`()\[\]{}<>,;=|:#?\\/]{0,200}+(?:[\\/]+[^\s"'`()\[\]{}<>,;=|:#?\\/]{1,200}+)++
      | [\w-]{1,100}+(?:\.[\w-]{1,100}+){1,5}+(?=::\w))
    (?:::(?P<symbol>\w{1,200}+(?:(?:::|\.)\w{1,200}+){0,9}+))?
    """,
    re.VERBOSE,
)


def decoded(query: str) -> str:
    """A query with the addresses in it as people read them: `My note.md` of `My%20note.md`."""
    return _ENCODED.sub(lambda match: unquote(match[0]), query)


def path_names(query: str) -> Iterator[str]:
    """The names of files whose paths a query has, and of symbols of these, the longest first.

    Only the end of a path may be the name: it may begin outside of what was imported.
    """
    for match in islice(_PATH.finditer(query), PATHS):
        parts = path_parts(match["path"].rstrip(".!"))
        ends = ["/".join(parts[start:]) for start in range(len(parts))]
        if match["symbol"]:
            symbol = re.split(r"::|\.", match["symbol"])
            for end in ends:
                yield from (f"{end}{SYMBOL_MARK}{mark.join(symbol)}" for mark in SEPARATORS)
        yield from ends
