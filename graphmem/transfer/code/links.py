"""What the names of an import join: CALLS, INHERITS, OVERRIDES, IMPORTS and CONTAINS."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from graphmem.transfer.code.outlines.names import is_telling
from graphmem.transfer.code.outlines.outline import Outline, Path, Symbol, Use
from graphmem.transfer.code.resolution.constructors import is_constructor
from graphmem.transfer.code.resolution.extensions import added_function, heir_of
from graphmem.transfer.code.resolution.import_targets import module_file, packages_with
from graphmem.transfer.code.resolution.index import package_of
from graphmem.transfer.code.resolution.namesakes import Overloads
from graphmem.transfer.code.resolution.overloads import fitting_functions
from graphmem.transfer.code.resolution.overriding import overridden_methods
from graphmem.transfer.code.resolution.referents import (
    UNKNOWN,
    Module,
    Referent,
    Unresolved,
    type_or_none,
)
from graphmem.transfer.code.resolution.resolver import Resolver
from graphmem.transfer.code.resolution.sites import Site

NAMES_NOTED = 20
# What a link passes on of a find: that a file contains it says little of a symbol.
WEIGHTS = {"CALLS": 1.0, "INHERITS": 1.0, "OVERRIDES": 0.5, "IMPORTS": 0.5, "CONTAINS": 0.5}
# Of a method whose object is not known, that it is the only one of its name.
GUESSED_WEIGHT = 0.5
# Of a function that is an argument: what it is passed to calls it, now or later.
PASSED_WEIGHT = 0.5
# From a type to its constructor, which whoever makes an object calls: it is there to be followed.
CONSTRUCTOR_WEIGHT = 0.1
# Where types are written down, one that is not understood is likely another's.
_UNTYPED = frozenset({"python", "ecmascript"})
# Types of TypeScript of which nothing is made; a field of such a type may be called.
_WITHOUT_CONSTRUCTOR = frozenset({"Enum", "Interface", "Type"})
_NO_CALLS = frozenset({("super",), ("self",), ("this",), ("cls",)})
# In PHP these name types; elsewhere a function may be called so.
_NO_CALLS_OF_PHP = frozenset({("static",), ("parent",)})
# Where an import names a symbol rather than a file.
_TOLD_BY_SYMBOL = frozenset({"java", "csharp", "swift", "php", "rust"})
# Where an import of everything names a package, and each call writes the name of its end.
_WITH_PACKAGES = frozenset({"java", "csharp", "swift"})

End = Symbol | str


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two symbols or files; a file is its path.

    Args:
        start: Where it starts.
        relation: Its type.
        end: Where it ends.
        weight: What it passes on of a find.
        note: For an import, what is imported.
    """

    start: End
    relation: str
    end: End
    weight: float
    note: str | None = None


def links(resolver: Resolver) -> Iterator[Link]:
    """Every link that the folder itself tells of, each once, in the order of the files."""
    for outline in resolver.index.outlines.values():
        yield from _LinksOfFile(resolver, outline).all()


class _LinksOfFile:
    """The links that start in a file.

    Args:
        resolver: Knows what names mean.
        outline: The file.
    """

    def __init__(self, resolver: Resolver, outline: Outline) -> None:
        self._resolver = resolver
        self._index = resolver.index
        self._outline = outline
        self._referents = self._referents_of_uses()
        self._names_by_file = self._imported_names()

    def all(self) -> Iterator[Link]:
        """All of them, each once."""
        path = self._outline.path
        yield from self._containments()
        for method, overridden in overridden_methods(self._resolver, self._outline):
            yield Link(method, "OVERRIDES", overridden, WEIGHTS["OVERRIDES"])
        yield from self._links_of_uses()
        for file, names in sorted(self._names_by_file.items()):
            if file != path:
                note = ", ".join(sorted(names)[:NAMES_NOTED]) or None
                yield Link(path, "IMPORTS", file, WEIGHTS["IMPORTS"], note)

    def _referents_of_uses(self) -> dict[Use, Referent]:
        """What the uses mean; what is used with several arguments is looked up once."""
        by_path: dict[tuple[Symbol | None, Path], Referent] = {}
        for use in self._outline.uses:
            key = (use.origin, use.path)
            if key not in by_path:
                by_path[key] = self._resolver.walk(Site(self._outline, use.origin), use.path)
        return {use: by_path[use.origin, use.path] for use in self._outline.uses}

    def _containments(self) -> Iterator[Link]:
        for symbol in self._outline.symbols:
            start: End = self._index.owners.get(symbol) or self._outline.path
            if isinstance(start, Symbol) and self._index.is_foreign(start):
                start = self._outline.path
            yield Link(start, "CONTAINS", symbol, WEIGHTS["CONTAINS"])

    def _links_of_uses(self) -> Iterator[Link]:
        weights = dict(self._weights_of_constructors())
        for use, referent in self._referents.items():
            origin = heir_of(self._resolver, self._outline, use)
            if not _is_linked(use, self._outline, origin):
                continue
            relation = "CALLS" if use.relation == "PASSES" else use.relation
            weight, ends = self._ends(use, referent)
            start: End = origin or self._outline.path
            for end in ends:
                if end is not start:
                    earlier_weight = weights.get((start, relation, end), 0.0)
                    weights[start, relation, end] = max(earlier_weight, weight)
        for (start, relation, end), weight in weights.items():
            yield Link(start, relation, end, weight)

    def _weights_of_constructors(self) -> Iterator[tuple[tuple[End, str, Symbol], float]]:
        for symbol in self._outline.symbols:
            owner = self._index.owners.get(symbol)
            if owner is None or symbol.kind != "Method" or self._index.is_foreign(owner):
                continue
            if is_constructor(symbol, owner, self._outline.language.family):
                yield (self._index.whole(owner), "CALLS", symbol), CONSTRUCTOR_WEIGHT

    def _ends(self, use: Use, referent: Referent) -> tuple[float, Sequence[Symbol]]:
        """The symbols that a use leads to, none or several, and what each link passes on."""
        weight, end = WEIGHTS.get(use.relation, PASSED_WEIGHT), referent
        if use.relation == "PASSES":
            end = _function(referent)
        elif use.relation == "CALLS":
            if isinstance(referent, Unresolved):
                site = Site(self._outline, use.origin)
                weight = GUESSED_WEIGHT
                end = added_function(self._resolver, site, use.path) or referent
            if end is UNKNOWN:
                end = self._only_method(use.path) or referent
            if _is_only_the_type_of(end, use.path, self._outline):
                end = UNKNOWN
            if isinstance(end, Symbol | Overloads):
                symbols, is_certain = fitting_functions(self._resolver, self._outline, end, use)
                is_single = is_certain and len(symbols) == 1
                return weight if is_single else GUESSED_WEIGHT, symbols
        return weight, [end] if isinstance(end, Symbol) else []

    def _only_method(self, path: Path) -> Symbol | None:
        """The only method of a name of several words, if near: it can hardly be another."""
        name, family = path[-1], self._outline.language.family
        if path == (name,) or not is_telling(name) or family not in _UNTYPED:
            return None
        of_name = self._index.methods.get((family, name), ())
        methods = [method for method in of_name if not method.abstract] or of_name
        return methods[0] if len(methods) == 1 and self._is_near(methods[0].file) else None

    def _is_near(self, file: str) -> bool:
        """Whether a file is imported, or of the same package or folder."""
        package = package_of(self._outline)
        is_same_package = package is not None and package_of(self._index.outlines[file]) == package
        is_same_folder = file.rpartition("/")[0] == self._outline.path.rpartition("/")[0]
        return is_same_package or is_same_folder or file in self._names_by_file

    def _imported_names(self) -> dict[str, set[str]]:
        """The files that are imported, each with the names that are taken from there."""
        outline, files = self._outline, dict[str, set[str]]()
        packages: set[str] = set()
        for statement in outline.imports:
            is_known = not statement.wildcard or outline.language.family in _WITH_PACKAGES
            referent = self._resolver.resolve_import(outline, statement) if is_known else None
            if isinstance(referent, Module) and referent.package is not None:
                packages.update(name for _, name in packages_with(self._resolver, referent.package))
            file = _file(outline, referent) or module_file(self._resolver, outline, statement)
            if file is not None:
                names = () if statement.name is None else (statement.name,)
                files.setdefault(file, set()).update(names)
        for referent in self._referents.values():
            if isinstance(referent, Symbol | Overloads) and self._is_in(packages, referent):
                files.setdefault(referent.file, set()).add(referent.short)
        return files

    def _is_in(self, packages: Collection[str], symbol: Symbol | Overloads) -> bool:
        """Whether a symbol of another package is of one of these, which are of several files."""
        if isinstance(symbol, Symbol) and self._index.is_foreign(symbol):
            return False
        package = package_of(self._index.outlines[symbol.file])
        is_own = package == package_of(self._outline)
        return package is not None and package[1] in packages and not is_own


def _is_linked(use: Use, outline: Outline, origin: Symbol | None) -> bool:
    """Whether a use is a link to what it names: not a mention, and no name of the object itself."""
    is_php = outline.language.family == "php"
    is_itself = use.path in _NO_CALLS or (is_php and use.path in _NO_CALLS_OF_PHP)
    has_start = use.relation != "INHERITS" or origin is not None
    return use.relation != "IMPORTS" and not is_itself and has_start


def _is_only_the_type_of(end: Referent, path: Path, outline: Outline) -> bool:
    """Whether a type is not called, but is that of a variable or property of the called name."""
    family = outline.language.family
    type_ = type_or_none(end)
    if type_ is None or path[-1] == type_.short:
        return False
    if family == "ecmascript":
        return type_.kind in _WITHOUT_CONSTRUCTOR
    is_made = path == ("Self",) or (len(path) == 1 and family != "swift")
    return family in _WITH_PACKAGES and not is_made


def _function(referent: Referent) -> Referent:
    """The function that an argument means; a type that is passed on is not called for certain."""
    is_function = isinstance(referent, Symbol) and referent.kind in {"Function", "Method", "Macro"}
    return referent if is_function else UNKNOWN


def _file(outline: Outline, referent: Referent | None) -> str | None:
    """The file that an import names; None where that is told by its module's name alone."""
    if isinstance(referent, Module):
        return referent.file
    by_symbol = outline.language.family in _TOLD_BY_SYMBOL
    return referent.file if isinstance(referent, Symbol | Overloads) and by_symbol else None
