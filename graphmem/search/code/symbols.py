"""Symbols that a query names together with their file or module.

`get in app/store.py`, `Store.get of store.py`, `app.store.Store.get`, `use app::store::Store;`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem import lucene, text
from graphmem.graph import Reader
from graphmem.search.code import names as code_names
from graphmem.search.code.files import key_prefixes, keys_by_form, prefixes_by_ends
from graphmem.search.code.paths import SEPARATORS

# Files of a query that are looked at, in many projects fewer; modules, files of one name, and
# symbols that are found of one of them.
FILES = 5
FILES_IN_PROJECTS = 60
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where symbols of some names are looked for.

    Args:
        prefixes: How the keys of what is there begin.
        names: The names, in the form in which they are found.
        modules: The names of the module, likewise.
    """

    prefixes: Sequence[str]
    names: Sequence[str]
    modules: Sequence[str] = ()


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
    words = [word.strip(code_names.PUNCTUATION) for word in query.split()[: code_names.WORDS]]
    files = list(dict.fromkeys(word for word in words if _FILE.fullmatch(word)))
    files = files[: min(FILES, max(1, FILES_IN_PROJECTS // len(projects)))]
    names = [form for word in words if word not in files for form in _candidate_forms(word)]
    beside_files = files if names else []
    prefixes = [prefix for file in beside_files for prefix in key_prefixes(file, projects)]
    symbols = _symbols(graph, [_Place(prefixes, names), *_modules(graph, query, projects)])
    if beside_files and not symbols.names:
        ends = prefixes_by_ends(graph, beside_files, projects, most=FILES_OF_A_NAME)
        prefixes = [prefix for of_file in ends.values() for prefix in of_file]
        symbols = _symbols(graph, [_Place(prefixes, names)])
    return symbols


def modules_named(query: str) -> tuple[str, ...]:
    """The names of the modules and types that say where something of a query is.

    They are those of `app.store.Store` in `app.store.Store.get`, in the form in which names are
    found.
    """
    paths = code_names.qualified_names(query)
    return tuple(dict.fromkeys(name for parts in paths for name in _names_of_module(parts[:-1])))


def _modules(graph: Reader, query: str, projects: Sequence[str]) -> list[_Place]:
    """Where `Store.get` may be by `app.store.Store.get`: in `app.store` or in its `Store`."""
    paths = code_names.qualified_names(query)[:MODULES]
    modules = [module for parts in paths for module, _ in _module_and_member_splits(parts)]
    names = [
        name for module in modules for name in (*_spellings(module), *_short_spellings(module))
    ]
    keys = keys_by_form(graph, names, projects)
    return [place for parts in paths for place in _places(parts, keys)]


def _places(parts: Sequence[str], keys: Mapping[str, Sequence[str]]) -> list[_Place]:
    """Where the end of a path may be; its modules are called by their short names if need be."""
    for spell in (_spellings, _short_spellings):
        places = [
            _Place(
                prefixes,
                [form for spelling in _spellings(name) for form in _name_forms(spelling)],
                _names_of_module(module),
            )
            for module, name in _module_and_member_splits(parts)
            if (prefixes := _prefixes(spell(module), keys))
        ]
        if places:
            return places
    return []


def _module_and_member_splits(parts: Sequence[str]) -> list[tuple[Sequence[str], Sequence[str]]]:
    """The modules that a path may begin with, and what is left of it."""
    first = max(_PARTS, len(parts) - code_names.MEMBER_PARTS)
    return [(parts[:end], parts[end:]) for end in range(first, len(parts))]


def _prefixes(names: Sequence[str], keys: Mapping[str, Sequence[str]]) -> list[str]:
    """How the keys of what is in a module begin: in its files, or in the type that it is."""
    named = dict.fromkeys(key for name in names for key in keys.get(text.name_form(name), ()))
    return [
        key + mark
        for key in list(named)[:FILES_OF_A_NAME]
        for mark in (SEPARATORS if text.SYMBOL_MARK in text.name_of(key) else (text.SYMBOL_MARK,))
    ]


def _names_of_module(module: Sequence[str]) -> list[str]:
    """The names of a module and of those it is in, in the form in which they are found."""
    outer = [module[:end] for end in range(_PARTS, len(module) + 1)]
    return [
        text.name_form(name)
        for part in outer
        for name in (*_spellings(part), *_short_spellings(part))
    ]


def _symbols(graph: Reader, places: Sequence[_Place]) -> NamedSymbols:
    places = [place for place in places if place.prefixes and place.names]
    if not places:
        return NamedSymbols()
    rows = graph.read(
        "read/symbols_in_files",
        places=[
            {"number": number, "prefixes": list(place.prefixes), "names": list(place.names)}
            for number, place in enumerate(places)
        ],
        limit=SYMBOLS,
    )
    modules = [form for row in rows for form in places[row["number"]].modules]
    return NamedSymbols(tuple(dict.fromkeys(row["name"] for row in rows)), tuple(set(modules)))


def _candidate_forms(word: str) -> tuple[str, ...]:
    """The names that a symbol beside its file may have by a word; none by a word of questions."""
    if not _NAME.fullmatch(word) or lucene.is_stop_word(word) or lucene.is_question_word(word):
        return ()
    return _name_forms(word)


def _name_forms(name: str) -> tuple[str, str]:
    """A symbol of one word is found by its parentheses."""
    return text.name_form(name), text.name_form(f"{name}()")


def _spellings(parts: Sequence[str]) -> list[str]:
    """A path of names as languages write it, and as a path of files."""
    return [*code_names.written_as_code(parts), "/".join(parts)]


def _short_spellings(module: Sequence[str]) -> list[str]:
    """The last parts of a module, likewise."""
    return _spellings(module[-_PARTS:])
