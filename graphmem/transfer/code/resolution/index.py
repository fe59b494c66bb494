"""The symbols of an import by name: those a file says, those its package says, those a type has."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import dirname

from graphmem.transfer.code.languages import Family
from graphmem.transfer.code.outlines.outline import Import, Outline, Path, Symbol, Variable
from graphmem.transfer.code.resolution.namesakes import Namesakes
from graphmem.transfer.code.resolution.sites import Scope, Site

# What files share names with that they do not import.
Package = tuple[str, str]
# As many types may stand above one, and no class that a person wrote has more.
MOST_BASES = 200
# A person's namespace has fewer parts.
DEEPEST_NAMESPACE = 30


@dataclass(frozen=True, slots=True)
class Index:
    """The symbols and variables of all files, by where they stand.

    Args:
        outlines: The files by path.
        top_level: What a file says outside of types, by its path and the own name.
        namespaces: The names in a file that only qualify others, by path.
        packages: What the files of a package say outside of types, by package and own name.
        members: What stands in a type, by its own name.
        owners: The type that something stands in.
        methods: All methods by family of languages and own name.
        variables: What is known of the variables of a symbol or file, by their paths.
        modules: The folders of Swift's modules by name.
        exports: What the importers of a module import with it, and the file that says so.
        nested: Types in an extension whose type is not in their file.
        foreign: What stands for the types of other libraries that extensions add to.
        added: What C# adds to a type, None for those of other libraries, by it and the own name.
        parts: The parts of a type of C#, by each of them; the first stands for all.
    """

    outlines: dict[str, Outline] = field(default_factory=dict)
    top_level: dict[tuple[str, str], Namesakes] = field(default_factory=dict)
    namespaces: dict[str, set[str]] = field(default_factory=dict)
    packages: dict[Package, dict[str, Namesakes]] = field(default_factory=dict)
    members: dict[Symbol, dict[str, Namesakes]] = field(default_factory=dict)
    owners: dict[Symbol, Symbol] = field(default_factory=dict)
    methods: dict[tuple[str, str], list[Symbol]] = field(default_factory=dict)
    variables: dict[Scope, dict[Path, list[Variable]]] = field(default_factory=dict)
    modules: dict[str, set[str]] = field(default_factory=dict)
    exports: dict[Package, list[tuple[Outline, Import]]] = field(default_factory=dict)
    nested: list[Symbol] = field(default_factory=list)
    foreign: dict[Path, Symbol] = field(default_factory=dict)
    added: dict[tuple[Symbol | None, str], list[Symbol]] = field(default_factory=dict)
    parts: dict[Symbol, tuple[Symbol, ...]] = field(default_factory=dict)

    def family_of(self, symbol: Symbol) -> Family:
        """The family of the language that a symbol is written in."""
        return self.outlines[symbol.file].language.family

    def site_of(self, symbol: Symbol) -> Site:
        """Where the names stand that a symbol is written with."""
        return Site(self.outlines[symbol.file], symbol)

    def variables_of(self, scope: Scope, path: Path) -> Sequence[Variable]:
        """What is known of a variable: each declaration and assignment by itself."""
        return self.variables.get(scope, {}).get(path, ())

    def whole(self, symbol: Symbol) -> Symbol:
        """The part that stands for a type of several, else the symbol itself."""
        return self.parts.get(symbol, (symbol,))[0]

    def is_hidden(self, symbol: Symbol, outline: Outline) -> bool:
        """Whether a file does not see a symbol, since that is of another file or type alone."""
        owner = self.owners.get(symbol)
        parts = () if owner is None else self.parts.get(owner, ())
        files = {symbol.file, *(part.file for part in parts)}
        return symbol.private and outline.path not in files

    def add_to_package(self, package: Package, symbol: Symbol) -> None:
        """Note that the files of a package share a symbol."""
        names = self.packages.setdefault(package, {})
        names.setdefault(symbol.short, Namesakes()).add(symbol)

    def add_member(self, owner: Symbol, symbol: Symbol) -> None:
        """Note that a symbol stands in a type."""
        self.members.setdefault(owner, {}).setdefault(symbol.short, Namesakes()).add(symbol)
        self.owners[symbol] = owner

    def add_outside(self, owner: Symbol, method: Symbol, *, added: bool) -> None:
        """Note that a method stands outside of its type, perhaps added to it as Kotlin does.

        A member of the type goes before what is added; what C++ defines there has been declared.
        """
        of_name = self.members.get(owner, {}).get(method.short, Namesakes())
        most = None if method.arity is None else method.arity.most
        same = [
            symbol for symbol in of_name if symbol.arity is not None and symbol.arity.most == most
        ]
        if added and same:
            return
        for declared in (symbol for symbol in same if symbol.abstract):
            of_name.drop(declared)
        self.add_member(owner, method)

    def foreign_type(self, outline: Outline, path: Path) -> Symbol:
        """What stands for a type of another library in a module of Swift that adds to it."""
        symbol = self.foreign.setdefault(
            path,
            Symbol(outline.path, "Class", path, 0, 0, "", test=False, private=False, returns=None),
        )
        if len(path) == 1:
            self.add_to_package(("swift", outline.package), symbol)
        return symbol

    def is_foreign(self, symbol: Symbol) -> bool:
        """Whether a symbol stands for a type of another library."""
        return self.foreign.get(symbol.path) is symbol

    def homeless(self) -> list[Symbol]:
        """The members whose type is not known yet, since it is not in their file, types first."""
        types = sorted(self.nested, key=lambda symbol: len(symbol.path))
        methods = (symbol for of_name in self.methods.values() for symbol in of_name)
        return [symbol for symbol in (*types, *methods) if symbol not in self.owners]


def package_of(outline: Outline) -> Package | None:
    """What a file shares names with: a folder of Go, a package or namespace, all of C, or None."""
    family = outline.language.family
    if family == "go":
        return family, dirname(outline.path)
    if family in {"java", "csharp", "swift", "php"}:
        return family, outline.package
    return (family, "") if family == "c" else None


def packages_around(outline: Outline) -> Iterator[Package]:
    """What a file shares names with, nearest first: in C# also the namespaces above its own."""
    package = package_of(outline)
    if package is None:
        return
    yield package
    family, name = package
    if family == "csharp":
        parts = name.split(".")[:DEEPEST_NAMESPACE]
        yield from ((family, ".".join(parts[:end])) for end in range(len(parts) - 1, -1, -1))


def index_of(outlines: Iterable[Outline]) -> Index:
    """Index the files of an import."""
    index = Index()
    for outline in outlines:
        index.outlines[outline.path] = outline
        types: dict[Path, list[Symbol]] = {}
        for symbol in outline.symbols:
            if symbol.is_type:
                types.setdefault(symbol.path, []).append(symbol)
        for symbol in outline.symbols:
            _add_symbol(index, outline, symbol, _type_around(types, symbol))
        index.namespaces[outline.path] = _namespaces(outline, types)
        for variable in outline.variables:
            _add_variable(index, outline, variable)
        if outline.language.family == "swift":
            _add_module(index, outline)
    return index


def _add_module(index: Index, outline: Outline) -> None:
    name = outline.package.rpartition("/")[2]
    if name:
        index.modules.setdefault(name, set()).add(outline.package)
    exports = [(outline, statement) for statement in outline.imports if statement.exported]
    if exports:
        index.exports.setdefault(("swift", outline.package), []).extend(exports)


def _type_around(types: dict[Path, list[Symbol]], symbol: Symbol) -> Symbol | None:
    """The type of a file that a symbol stands in: of several with its name the one around it."""
    of_path = types.get(symbol.path[:-1])
    if of_path is None:
        return None
    place = bisect_right(of_path, symbol.first_line, key=lambda type_: type_.first_line) - 1
    nearest_type = of_path[max(place, 0)]
    return nearest_type if symbol.last_line <= nearest_type.last_line else of_path[0]


def _namespaces(outline: Outline, types: Mapping[Path, object]) -> set[str]:
    owner_paths = (
        symbol.path[: -2 if symbol.kind == "Method" else -1] for symbol in outline.symbols
    )
    return {
        path[end]
        for path in owner_paths
        for end in range(len(path))
        if path[: end + 1] not in types
    }


def _add_symbol(index: Index, outline: Outline, symbol: Symbol, owner: Symbol | None) -> None:
    if symbol.kind == "Method":
        family = outline.language.family
        index.methods.setdefault((family, symbol.short), []).append(symbol)
    if owner is not None:
        index.add_member(owner, symbol)
    elif symbol.kind != "Method" or outline.language.name == "kotlin":
        # What Kotlin adds to a type of another library is imported as a function is.
        index.top_level.setdefault((outline.path, symbol.short), Namesakes()).add(symbol)
        package = package_of(outline)
        if outline.language.family == "swift" and len(symbol.path) > 1:
            index.nested.append(symbol)
        elif package is not None and not symbol.private:
            index.add_to_package(package, symbol)


def _add_variable(index: Index, outline: Outline, variable: Variable) -> None:
    scope, path = Site(outline, variable.origin).scope, variable.path
    is_static = path[0] == "static" and outline.language.family == "php"
    if (is_static or path[0] in {"self", "this", "$this"}) and len(path) > 1:
        owner = None if variable.origin is None else index.owners.get(variable.origin)
        if owner is None:
            return
        scope, path = owner, path[1:]
    index.variables.setdefault(scope, {}).setdefault(path, []).append(variable)
