"""The languages code is read in: to add one, name its grammar and queries here.

Files in the languages of `unparsed` are read as they are.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from typing import Literal

import tree_sitter_c
import tree_sitter_c_sharp
import tree_sitter_cpp
import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_kotlin
import tree_sitter_php
import tree_sitter_python
import tree_sitter_ruby
import tree_sitter_rust
import tree_sitter_swift
import tree_sitter_typescript
from tree_sitter import Language as Grammar
from tree_sitter import Query

from graphmem.transfer.code import unparsed

# How a file's imports are looked up, and which names it sees without one.
Family = Literal[
    "python", "ecmascript", "go", "java", "csharp", "swift", "php", "ruby", "rust", "c", "unparsed"
]

_TEST_FOLDERS = r"(?:^|/)tests?/"


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language.

    Args:
        name: In lower case, as the attribute `language` says it.
        family: How its imports are looked up.
        suffixes: Of its files, with the dot.
        load: Gives its grammar; None for one whose files are read as they are.
        queries: Names of files in `queries`, without suffix, that are put together.
        tests: Finds the paths of files that hold tests.
        separator: What stands between a type's name and its member's.
        file_names: Of its files that have none of the suffixes, in lower case.
    """

    name: str
    family: Family
    suffixes: tuple[str, ...]
    load: Callable[[], object] | None
    queries: tuple[str, ...]
    tests: str
    separator: str = "."
    file_names: tuple[str, ...] = ()

    @property
    def is_parsed(self) -> bool:
        """Whether its files are cut into symbols."""
        return self.load is not None

    @property
    def has_overloads(self) -> bool:
        """Whether its functions of one name are told apart by their arguments."""
        return self.family in {"java", "csharp", "swift"} or self.name == "cpp"

    @property
    def has_typed_parameters(self) -> bool:
        """Whether its functions say the types of what their parameters are called with."""
        return self.has_overloads or self.name in {"rust", "tsx", "typescript"}

    def is_test(self, path: str) -> bool:
        """Whether a file holds tests, by its path as seen from the folder that is imported."""
        return re.search(self.tests, path) is not None


_SCRIPT_TESTS = r"\.(?:test|spec)(?:-d)?\.[^/]+$|(?:^|/)(?:__tests__|__mocks__|tests?|e2e)/"
_C_TESTS = rf"(?:^|/)test_[^/]*$|[_-](?:unit)?tests?\.[^/]+$|Tests?\.[^/]+$|{_TEST_FOLDERS}"

LANGUAGES: tuple[Language, ...] = (
    Language(
        "python", "python", (".py", ".pyi"), tree_sitter_python.language, ("python",),
        rf"(?:^|/)test_[^/]*$|_test\.pyi?$|(?:^|/)conftest\.py$|{_TEST_FOLDERS}",
    ),
    Language(
        "javascript", "ecmascript", (".js", ".jsx", ".mjs", ".cjs"),
        tree_sitter_javascript.language, ("ecmascript", "javascript", "jsx", "constants"),
        _SCRIPT_TESTS,
    ),
    Language(
        "typescript", "ecmascript", (".ts", ".mts", ".cts"),
        tree_sitter_typescript.language_typescript, ("ecmascript", "typescript", "constants"),
        _SCRIPT_TESTS,
    ),
    Language(
        "tsx", "ecmascript", (".tsx",), tree_sitter_typescript.language_tsx,
        ("ecmascript", "typescript", "jsx", "constants"), _SCRIPT_TESTS,
    ),
    Language("go", "go", (".go",), tree_sitter_go.language, ("go",), r"_test\.go$"),
    Language(
        "java", "java", (".java",), tree_sitter_java.language, ("java",),
        rf"(?:^|/)Test[A-Z0-9][^/]*$|(?:Tests?|TestCase|IT)\.java$|{_TEST_FOLDERS}",
    ),
    Language(
        "kotlin", "java", (".kt", ".kts"), tree_sitter_kotlin.language, ("kotlin",),
        r"Tests?\.kt$|(?:^|/)(?:[a-z]\w*T|t)est/",
    ),
    Language(
        "csharp", "csharp", (".cs",), tree_sitter_c_sharp.language, ("csharp",),
        r"Tests?\.cs$|(?:^|/)(?:[^/]*(?:[._-]|[a-z](?=T)))?[tT]ests?/",
    ),
    Language(
        "swift", "swift", (".swift",), tree_sitter_swift.language, ("swift",),
        r"Tests?\.swift$|(?:^|/)(?:[^/]*T|t)ests?/",
    ),
    Language(
        "rust", "rust", (".rs",), tree_sitter_rust.language, ("rust",),
        rf"_tests?\.rs$|(?:^|/)tests?\.rs$|{_TEST_FOLDERS}", "::",
    ),
    Language("c", "c", (".c", ".h"), tree_sitter_c.language, ("c",), _C_TESTS, "::"),
    Language(
        "cpp", "c", (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".cu", ".cuh"),
        tree_sitter_cpp.language, ("c", "cpp"), _C_TESTS, "::",
    ),
    Language(
        "php", "php", (".php",), tree_sitter_php.language_php, ("php",),
        rf"(?:^|/)test[_-][^/]*$|(?:Test|Tests|TestCase|_test)\.php$|(?:^|/)Tests?/|{_TEST_FOLDERS}",
        "::",
    ),
    Language(
        "ruby", "ruby", (".rb", ".rake", ".gemspec"), tree_sitter_ruby.language, ("ruby",),
        rf"(?:^|/)test_[^/]*$|_(?:test|spec)\.rb$|(?:^|/)specs?/|{_TEST_FOLDERS}", "::",
        ("gemfile", "podfile", "rakefile", "vagrantfile"),
    ),
)  # fmt: skip

CPP = next(language for language in LANGUAGES if language.name == "cpp")
_TESTS = rf"(?:^|/)test_[^/]*$|[._-](?:test|spec)s?\.|Tests?\.[^/]+$|(?:^|/)specs?/|{_TEST_FOLDERS}"
_UNPARSED = {
    name: Language(name, "unparsed", unparsed.SUFFIXES.get(name, ()), None, (), _TESTS)
    for name in unparsed.SUFFIXES | unparsed.NAMES
}
_BY_SUFFIX = {
    suffix: language
    for language in (*LANGUAGES, *_UNPARSED.values())
    for suffix in language.suffixes
}
_BY_NAME = {name: language for language in LANGUAGES for name in language.file_names} | {
    name: _UNPARSED[language] for language, names in unparsed.NAMES.items() for name in names
}


def language_of(file: str) -> Language | None:
    """The language of a file's name, or None for one that is not known."""
    dot = file.rfind(".")
    by_suffix = _BY_SUFFIX.get(file[dot:].lower()) if dot > 0 else None
    return by_suffix or _BY_NAME.get(file.lower())


@cache
def grammar_of(language: Language) -> Grammar:
    """The grammar of a language, loaded once.

    Raises:
        TypeError: It has none.
    """
    if language.load is None:
        raise TypeError(f"{language.name} has no grammar")
    return Grammar(language.load())


@cache
def query_of(language: Language) -> Query:
    """The query that finds the captures in a tree, compiled once."""
    folder = resources("graphmem.transfer.code").joinpath("queries")
    query_texts = [folder.joinpath(f"{name}.scm").read_text("utf-8") for name in language.queries]
    return Query(grammar_of(language), "\n".join(query_texts))
