"""What names mean in Ruby, where a constant such as `Shop::Till` is the same in all files.

A class or module that is opened in several places is one. So its members, its bases and its
variables are looked up by its full path.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from graphmem.transfer.code.outlines.outline import CALLED, Outline, Path, Symbol, Variable
from graphmem.transfer.code.resolution.index import MOST_BASES, Index
from graphmem.transfer.code.resolution.referents import (
    OUTSIDE,
    UNKNOWN,
    Module,
    Referent,
    Unresolved,
)
from graphmem.transfer.code.resolution.sites import Site

# What all top-level constants belong to: `::Till` is `Object::Till`.
ROOT = "Object"
# Bases that others are looked for in, as in `class A < B::C`: each takes some levels of Python's
# own stack.
_DEEPEST = 30
_OWN_CLASS = ("self", "class")
_WRITTEN_PATH = re.compile(r"^(?:class|module)\s+(?:::)?([\w:]+)")


class Ruby:
    """Looks up what names mean in files of Ruby.

    Args:
        index: The symbols of all files.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._constants: dict[Path, list[Symbol]] = {}
        self._known: set[Path] = set()
        self._methods: dict[Path, dict[str, list[Symbol]]] = {}
        self._bases: dict[Path, list[tuple[Symbol, Path]]] = {}
        self._depth = 0
        # While it is being looked up it is empty, so circles end.
        self._above: dict[Path, list[Path]] = {}
        for outline in index.outlines.values():
            if outline.language.family == "ruby":
                self._add(outline)

    def _add(self, outline: Outline) -> None:
        for symbol in outline.symbols:
            if symbol.kind in {"Method", "Function"}:
                of_owner = self._methods.setdefault(symbol.path[:-1], {})
                of_owner.setdefault(symbol.short, []).append(symbol)
                self._know(symbol.path[:-1])
            else:
                self._constants.setdefault(symbol.path, []).append(symbol)
                self._know(symbol.path)
        for use in outline.uses:
            if use.relation == "INHERITS" and use.origin is not None:
                self._bases.setdefault(use.origin.path, []).append((use.origin, use.path))

    def _know(self, path: Path) -> None:
        self._known.update(path[:end] for end in range(1, len(path) + 1))

    def walk(self, site: Site, path: Path) -> Referent:
        """What a path of names means, as `Resolver.walk` says it."""
        first_name = path[0]
        if not first_name or CALLED in path:
            return UNKNOWN
        if first_name[0].isupper():
            return self._constant_referent(site, path)
        static = _is_static(site.origin)
        type_path: Path | None = _type_path(site.origin)
        if path[:2] == _OWN_CLASS and len(path) > len(_OWN_CLASS):
            names, static = path[2:], True
        elif first_name == "self" and len(path) > 1:
            names = path[1:]
        elif first_name == "new" and static:
            names = path
        elif len(path) > 1:
            type_path, names, static = self._variable(site, first_name), path[1:], False
        else:
            return self._bare_call(site, first_name)
        if type_path is None:
            return UNKNOWN
        return self._member_referent(site.outline, type_path, names, static=static)

    def _bare_call(self, site: Site, name: str) -> Referent:
        """A method of the type around, else a function outside of all types."""
        outline, origin = site.outline, site.origin
        referent = self._method(outline, _type_path(origin), name, static=_is_static(origin))
        if referent is None:
            referent = self._method(outline, (), name, static=None)
        return UNKNOWN if referent is None else referent

    # Constants

    def _constant_referent(self, site: Site, path: Path) -> Referent:
        places = (place for place, name in enumerate(path) if not name[:1].isupper())
        count = next(places, len(path))
        # What follows the names of types may be a method of an upper-case name.
        constant = self._constant(site.origin, path[:count])
        if constant is None:
            return OUTSIDE
        if count == len(path):
            symbol = self._definition(site.outline, self._constants.get(constant, ()))
            return symbol or Module(package=("ruby", "::".join(constant)))
        return self._member_referent(site.outline, constant, path[count:], static=True)

    def _constant(self, origin: Symbol | None, path: Path) -> Path | None:
        """The full path of a constant as it is called in a symbol."""
        scopes = [] if path[0] == ROOT else self._scopes(origin)
        if scopes and origin is not None and origin.signature.endswith(f"< {'::'.join(path)}"):
            scopes.pop(0)  # the base of a class is not looked for in the class
        names = path[1:] if path[0] == ROOT and len(path) > 1 else path
        ancestors = [above for scope in scopes[:1] for above in self._ancestors(scope)[1:]]
        for scope in (*scopes, *ancestors, ()):
            start = (*scope, names[0])
            if start in self._known:
                return self._inner_constant(start, names[1:])
        return None

    def _inner_constant(self, path: Path, names: Path) -> Path | None:
        for name in names:
            members = ((*above, name) for above in self._ancestors(path))
            member = next((member for member in members if member in self._known), None)
            if member is None:
                return None
            path = member
        return path

    def _scopes(self, origin: Symbol | None) -> list[Path]:
        """What a symbol stands in, from the inside; `class A::B` does not stand in `A`."""
        scopes: list[Path] = []
        symbol = origin
        if symbol is not None and not symbol.is_type:
            symbol = self._index.owners.get(symbol)
        while symbol is not None:
            scopes.append(symbol.path)
            written = _WRITTEN_PATH.match(symbol.signature)
            names = written[1].count("::") + 1 if written else 1
            outer = symbol.path[:-names]
            symbol = self._index.owners.get(symbol)
            if symbol is None:
                scopes += [outer[:end] for end in range(len(outer), 0, -1)]
        return scopes

    def _definition(self, outline: Outline, symbols: Sequence[Symbol]) -> Symbol | None:
        """The one of several of a path: in the file itself, or where a file has its name."""
        seen = [symbol for symbol in symbols if outline.test or not symbol.test]
        preferences: tuple[Callable[[Symbol], bool], ...] = (
            lambda symbol: symbol.file == outline.path and symbol.test,
            lambda symbol: not symbol.test,
            _names_file,
            lambda symbol: " < " in symbol.signature,
        )
        for is_preferred in preferences:
            seen = list(filter(is_preferred, seen)) or seen
        return seen[0] if len(seen) == 1 else None

    # Members

    def _member_referent(
        self, outline: Outline, type_path: Path, names: Path, *, static: bool | None
    ) -> Referent:
        name = names[0]
        method = self._method(outline, type_path, name, static=static)
        if name == "new" and static is not False and method is None:
            if len(names) > 1:
                return self._member_referent(outline, type_path, names[1:], static=False)
            return self._definition(outline, self._constants.get(type_path, ())) or OUTSIDE
        return OUTSIDE if method is None or len(names) > 1 else method

    def _method(
        self, outline: Outline, type_path: Path, name: str, *, static: bool | None
    ) -> Symbol | Unresolved | None:
        """A method of a type or of what it inherits; None where there is none of that name.

        Args:
            outline: The file in which it is called.
            type_path: The type; empty for functions outside of all types.
            name: Of the method.
            static: Whether the type itself is asked for it; None where that is not known.
        """
        for owner in self._ancestors(type_path):
            methods = self._methods.get(owner, {}).get(name, ())
            seen = [symbol for symbol in methods if outline.test or not symbol.test]
            fitting = [symbol for symbol in seen if static is None or symbol.static == static]
            if not fitting and not self._is_class(owner):
                fitting = seen  # a module's methods are those of what it is mixed into
            if fitting:
                own = [symbol for symbol in fitting if symbol.file == outline.path]
                of_code = [symbol for symbol in fitting if not symbol.test]
                chosen = own or of_code or fitting
                return chosen[0] if len(chosen) == 1 else OUTSIDE
        return None

    def _is_class(self, path: Path) -> bool:
        return any(symbol.kind == "Class" for symbol in self._constants.get(path, ()))

    def _ancestors(self, path: Path) -> list[Path]:
        """A type and all it inherits from, the nearest first."""
        ancestors = [path]
        for ancestor in ancestors:
            if len(ancestors) > MOST_BASES:
                break
            ancestors += [base for base in self._direct_bases(ancestor) if base not in ancestors]
        return ancestors

    def _direct_bases(self, path: Path) -> list[Path]:
        if path not in self._above:
            self._above[path] = []
            self._depth += 1
            named = self._bases.get(path, ()) if self._depth <= _DEEPEST else ()
            bases = [self._constant(heir, base) for heir, base in named]
            self._above[path] = list(dict.fromkeys(base for base in bases if base is not None))
            self._depth -= 1
        return self._above[path]

    # Variables

    def _variable(self, site: Site, name: str) -> Path | None:
        """The type of what a variable holds; None where that is not known."""
        types = {
            None if variable.creator is None else self._constant(variable.origin, variable.creator)
            for variable in self._assignments(site, name)
        }
        return types.pop() if len(types) == 1 else None

    def _assignments(self, site: Site, name: str) -> Iterator[Variable]:
        owner = _type_path(site.origin)
        if not name.startswith("@") or not owner:
            yield from self._index.variables_of(site.scope, (name,))
            return
        for ancestor in self._ancestors(owner):
            for symbol in self._constants.get(ancestor, ()):
                yield from self._index.variables_of(symbol, (name,))


def _type_path(origin: Symbol | None) -> Path:
    """The path of the type around a symbol; empty where there is none."""
    if origin is None:
        return ()
    return origin.path if origin.is_type else origin.path[:-1]


def _is_static(origin: Symbol | None) -> bool | None:
    """Whether a symbol's `self` is a type rather than one of its instances."""
    return None if origin is None else origin.is_type or origin.static


def _names_file(symbol: Symbol) -> bool:
    """Whether a file is called like a symbol in it: `http_client.rb` has `HttpClient`."""
    stem = symbol.file.rpartition("/")[2].partition(".")[0]
    return stem.replace("_", "") == symbol.short.lower().replace("_", "")
