"""The names of code that a query may write in the manner of a language.

| in the query | is called |
|---|---|
| `Server.start`, `net::Server#start`, `when does Server start` | `Server.start`, `Server::start` |
| `conn.read(buf)`, `struct Reader`, `Vec<Reader>`, `Reader::new(3)` | `read()`, `Reader()` |
| `from net.http import Server`, `use net::http::{Server, Client}` | `net.http.Server`, … |
| `import { Server } from "../net/http"` | `net.http.Server` |
"""

import builtins
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise

from graphmem import lucene, text
from graphmem.search.code.paths import SEPARATORS

# Words of a query that are looked at; last parts of a path that name a member.
WORDS = 60
MEMBER_PARTS = 4
# Marks around a word that is meant as a name.
QUOTES = "`'\"‘’“”„«»"
PUNCTUATION = f"{QUOTES}.,:;?!()[]"

# A member or module as languages and their documents write it: `Server.start`, `Server::start`,
# `Server#start`, `server->start`, `net/server`, PHP's `Net\Server`; in traces of Java also
# `Server$Worker.start`.
_QUALIFIED = re.compile(r"(?<!\w)\w{1,200}+(?:(?:::|->|[./#$\\])\w{1,200}+){1,20}+")
# A type of code beside a word: it has letters of both cases.
_TYPE = re.compile(r"(?=\w*[a-z])(?=\w*[A-Z])\w+")
_DECLARING = "class|struct|enum|trait|interface|impl|fn|def|func|function|method"
# One word as code, files and modules are called.
_CODE_NAME = re.compile(r"[\w.:/#\\()]{1,400}")
# What shows that a single word is a symbol: a call, what declares it, a type among others.
_SYMBOL = re.compile(
    rf"""
      (?:(?P<dot>\.)|(?<![\w.]))(?P<called>[^\W\d]\w{{0,199}}+)(?=\()
    | (?<!\w)(?:{_DECLARING})\s+(?P<declared>[^\W\d]\w{{0,199}}+)
    | (?<!\w)(?P<outer>[A-Z]\w{{0,199}}+)(?=[<\[{{]|::)
    | (?<=[<\[&*|])\s*(?P<inner>[A-Z]\w{{0,199}}+)(?=[>\],|<\[]|\s*/>|\s+\w+=)
    """,
    re.VERBOSE,
)
_IMPORT = re.compile(
    r"""
      (?<!\w)from\s+\.*(?P<python>\w[\w.]{0,200})\s+import\s+\(?\s*(?P<names>\w[\w\s,]{0,500})
    | (?<!\w)use\s+(?P<rust>\w[\w:]{0,200})::\{(?P<rust_names>[\w\s:,]{0,500})
    | (?<!\w)import\s+(?:type\s+)?(?:\{(?P<listed>[\w\s,]{1,500})\}|(?P<default>\w+))\s+from
      \s+["'`](?P<script>[@./\w-]{1,200})["'`]
    | (?<!\w)\{(?P<required>[\w\s,:]{1,500})\}\s*=\s*(?:await\s+)?(?:require|import)\(
      \s*["'`](?P<module>[@./\w-]{1,200})["'`]
    """,
    re.VERBOSE,
)


def is_code_name(query: str) -> bool:
    """Whether a query is one word of several parts, such as `get_user`, `HTTPServer` or a path."""
    word = query.strip().strip(QUOTES)
    return _CODE_NAME.fullmatch(word) is not None and len(text.split_identifier(word)) > 1


def qualified_names(query: str) -> list[tuple[str, ...]]:
    """The parts of each name with a path that a query has, or makes by what it imports."""
    written = (re.findall(r"\w+", match[0]) for match in _QUALIFIED.finditer(query))
    return [tuple(parts) for parts in islice(chain(_imported(query), written), WORDS)]


def members(query: str) -> Iterator[str]:
    """The members of types and modules that a query may name, as an import of code writes them.

    Whoever writes `Server.start`, `net::Server#start` or `when does Server start` may mean the
    `Server::start` of Rust. A longer path is named by its last parts, and a module by all.
    """
    for parts in qualified_names(query):
        for count in {*range(2, min(len(parts), MEMBER_PARTS) + 1), len(parts)}:
            yield from written_as_code(parts[-count:])
    for first, second in pairwise(query.split()[:WORDS]):
        # A comma between them separates them.
        pair = (
            first.lstrip(PUNCTUATION).rstrip(QUOTES),
            second.lstrip(QUOTES).rstrip(PUNCTUATION),
        )
        if _TYPE.fullmatch(pair[0]) and pair[1].isidentifier():
            yield from written_as_code(pair)


def symbols(query: str) -> Iterator[str]:
    """The symbols of one word that a query has as code does: `read()` of `conn.read(buf)`.

    What Python has built in, such as `len(buf)` and `None`, is rarely one of the project.
    """
    for match in islice(_SYMBOL.finditer(query), WORDS):
        name = match[match.lastgroup or 0]
        is_built_in = hasattr(builtins, name) and not match["dot"] and not match["declared"]
        if not is_built_in and not lucene.is_stop_word(name):
            yield f"{name}()"


def types(query: str) -> Iterator[str]:
    """The types in the members and modules that a query names: `Server` of `net.Server.start`."""
    for match in islice(_QUALIFIED.finditer(query), WORDS):
        if "/" not in match[0] and "\\" not in match[0]:
            yield from filter(_TYPE.fullmatch, re.findall(r"\w+", match[0]))


def written_as_code(parts: Sequence[str]) -> Iterator[str]:
    """Parts of a name with what languages write between a type and its member."""
    return (separator.join(parts) for separator in SEPARATORS)


def _imported(query: str) -> Iterator[list[str]]:
    for match in _IMPORT.finditer(query):
        module = match["python"] or match["rust"] or match["script"] or match["module"]
        names = match["names"] or match["rust_names"] or match["listed"] or match["required"]
        parts = re.findall(r"\w+", module)
        for name in (names or match["default"] or "").split(","):
            # `Server as S`, `Server: S` and, in the first line of several, `Server`.
            first_word = re.match(r"\s*(?:type\s+(?=\w))?((?:\w|::)+)", name)
            if first_word and first_word[1] != "self":
                yield [*parts, *first_word[1].split("::")]
