"""Symbols that a query names together with their file or module.

`get in app/store.py`, `Store.get of store.py`, `app.store.Store.get`, `use app::store::Store;`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphmem import lucene, text
from graphmem.graph import Reader
from graphmem.search import code_names
from graphmem.search.code_files import key_prefixes, prefixes_by_ends
from graphmem.search.path_names import SEPARATORS

# Files and modules of a query that are looked at, files of one name, and symbols of all of them.
FILES = 5
MODULES = 20
FILES_OF_A_NAME = 20
SYMBOLS = 20
# Parts of a module's path that are its short name.
_PARTS = 2

_FILE = re.compile(r"[\w./\\@+-]{0,400}\w\.[A-Za-z]\w{0,9}")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:::|\.|#|->)\w+)*")


@dataclass(frozen=True, slots=True)
class NamedSymbols:
    """The symbols that a query names.

    Args:
        names: Their names, such as `app/store.py::Store.get`.
        modules: The names of the modules that only say where they are, in the form in which names
            are found.
    """

    names: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


def symbols_in_files(graph: Reader, query: str, projects: Sequence[str]) -> NamedSymbols:
    """The symbols that a query names together with their file or module.

    Args:
        graph: The store.
        query: As it was given.
        projects: Those that are searched.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    if not projects:
        return NamedSymbols()
    names = _beside_files(graph, query, projects)
    in_modules = _in_modules(graph, query, projects)
    return NamedSymbols((*names, *in_modules.names), in_modules.modules)


def _beside_files(graph: Reader, query: str, projects: Sequence[str]) -> list[str]:
    words = [word.strip(code_names.MARKS) for word in query.split()[: code_names.WORDS]]
    files = list(dict.fromkeys(word for word in words if _FILE.fullmatch(word)))[:FILES]
    names = list(dict.fromkeys(_names(word for word in words if word not in files)))
    if not files or not names:
        return []
    prefixes = [prefix for file in files for prefix in key_prefixes(file, projects)]
    if symbols := _symbols(graph, prefixes, names):
        return symbols
    ends = prefixes_by_ends(graph, files, projects, most=FILES_OF_A_NAME)
    return _symbols(graph, [prefix for file in ends.values() for prefix in file], names)


def _in_modules(graph: Reader, query: str, projects: Sequence[str]) -> NamedSymbols:
    """Those of `app.store.Store.get`: a name whose first parts are a module with such a symbol."""
    paths = code_names.qualified_names(query)[:MODULES]
    divided = [(parts[:end], parts[end:]) for parts in paths for end in range(_PARTS, len(parts))]
    forms = [
        form
        for module, _ in divided
        for part in (module, module[-_PARTS:])
        for form in _module_forms(part)
    ]
    keys = _keys_of_forms(graph, forms, projects)
    symbols: dict[str, None] = {}
    modules: dict[str, None] = {}
    for module, name in divided:
        whole, short = _module_forms(module), _module_forms(module[-_PARTS:])
        files = list(dict.fromkeys(key for form in whole for key in keys.get(form, ())))
        files = files or list(dict.fromkeys(key for form in short for key in keys.get(form, ())))
        prefixes = [prefix for key in files[:FILES_OF_A_NAME] for prefix in _prefixes(key)]
        names = [form for written in _written(name) for form in _forms(written)]
        if in_files := _symbols(graph, prefixes, names):
            symbols.update(dict.fromkeys(in_files))
            for end in range(_PARTS, len(module) + 1):
                modules.update(dict.fromkeys(_module_forms(module[:end])))
                modules.update(dict.fromkeys(_module_forms(module[end - _PARTS : end])))
    return NamedSymbols(tuple(symbols), tuple(modules))


def _keys_of_forms(
    graph: Reader, forms: Sequence[str], projects: Sequence[str]
) -> dict[str, list[str]]:
    """The keys of what has some names."""
    query_text = lucene.handles(
        list(dict.fromkeys(forms)),
        required=[[text.token("project", project) for project in projects]],
    )
    if query_text is None:
        return {}
    rows = graph.read("read/resolve_names", keys=[], handles=[query_text], forms=list(forms))
    keys: dict[str, list[str]] = {}
    for row in rows:
        for form in row["forms"]:
            keys.setdefault(form, []).append(row["key"])
    return keys


def _prefixes(key: str) -> list[str]:
    """How the keys of what is in a file, or in a type of a package, begin."""
    is_type = text.SYMBOL_MARK in text.name_of(key)
    return [key + mark for mark in (SEPARATORS if is_type else (text.SYMBOL_MARK,))]


def _module_forms(module: Sequence[str]) -> list[str]:
    """How an import of code calls a module, as names are found."""
    return [text.name_form(name) for name in _written(module)]


def _symbols(graph: Reader, prefixes: Sequence[str], names: Sequence[str]) -> list[str]:
    if not prefixes:
        return []
    rows = graph.read(
        "read/symbols_in_files", prefixes=list(prefixes), names=list(names), limit=SYMBOLS
    )
    return [row["name"] for row in rows]


def _names(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        if _NAME.fullmatch(word):
            yield from _forms(word)


def _forms(name: str) -> tuple[str, str]:
    """A symbol of one word is found by its parentheses."""
    return text.name_form(name), text.name_form(f"{name}()")


def _written(parts: Sequence[str]) -> list[str]:
    return [*code_names.written_as_code(parts), "/".join(parts)]
