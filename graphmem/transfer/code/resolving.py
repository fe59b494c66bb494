"""Names become symbols as far as the folder itself says what they mean; nothing is guessed."""

from collections.abc import Iterator

from graphmem.transfer.code import modules as files
from graphmem.transfer.code.imports import Bound, bound_of
from graphmem.transfer.code.index import Index, only, package_of
from graphmem.transfer.code.meanings import meant, module_file
from graphmem.transfer.code.modules import Modules
from graphmem.transfer.code.outline import Import, Outline, Path, Symbol, Variable
from graphmem.transfer.code.places import OUTSIDE, UNKNOWN, Module, Nowhere, Place

DEEPEST = 30
# As many types may stand above one, and no class that a person wrote has more.
MOST_BASES = 200
_SELF = frozenset({"self", "this", "cls", "Self"})
_NO_TYPES = frozenset({("auto",), ("var",), ("let",)})
_RE_EXPORTING = frozenset({"python", "ecmascript", "rust"})
_SEES_MEMBERS = frozenset({"java", "c"})


class Resolver:
    """Looks up what names mean.

    Args:
        index: The symbols; methods that stand outside of their type's file are added to it.
        modules: The files by what imports call them.
    """

    def __init__(self, index: Index, modules: Modules) -> None:
        self.index = index
        self.modules = modules
        self._deep = 0
        self._bound: dict[str, Bound] = {}
        self._bases: dict[Symbol, list[Path]] = {}
        # What was looked up. While it is being looked up it leads nowhere, so circles end.
        self._imports: dict[tuple[str, Import], Place] = {}
        self._handed: dict[tuple[str, str], Place] = {}
        self._types: dict[tuple[Symbol | str, Path], Place | None] = {}
        self._above: dict[Symbol, list[Symbol]] = {}
        for outline in index.outlines.values():
            self._bound[outline.path] = bound_of(outline, modules, index)
            for use in outline.uses:
                if use.relation == "INHERITS" and use.origin is not None:
                    self._bases.setdefault(use.origin, []).append(use.path)
        for method in index.homeless():
            owner = self.walk(index.outlines[method.file], None, method.path[:-1])
            if isinstance(owner, Symbol) and owner.is_type:
                index.add_member(owner, method)

    def walk(self, outline: Outline, origin: Symbol | None, path: Path) -> Place:
        """What a path of names means.

        Args:
            outline: The file it stands in.
            origin: The symbol it stands in; None for the module level.
            path: The names; an empty first one for something that is no name.

        Returns:
            A symbol, a module, OUTSIDE for what the folder does not hold, or UNKNOWN where that
            cannot be told.
        """
        if self._deep >= DEEPEST:
            return UNKNOWN
        self._deep += 1
        try:
            place, used = self._start(outline, origin, path)
            for name in path[used:]:
                if isinstance(place, Nowhere):
                    break
                place = self.step(place, name)
            return place
        finally:
            self._deep -= 1

    def imported(self, outline: Outline, statement: Import) -> Place:
        """What an import means."""
        key = (outline.path, statement)
        if key not in self._imports:
            self._imports[key] = OUTSIDE
            self._imports[key] = meant(self, outline, statement)
        return self._imports[key]

    # The first name

    def _start(self, outline: Outline, origin: Symbol | None, path: Path) -> tuple[Place, int]:
        first = path[0]
        if not first:
            return UNKNOWN, 1
        known = self._special(outline, origin, first)
        if known is None and len(path) > 1:
            known = self._typed(outline, origin, first)
        if known is not None:
            return known, 1
        bound = self._bound[outline.path]
        for used in range(len(path), 0, -1):
            if (statement := bound.names.get(".".join(path[:used]))) is not None:
                return self.imported(outline, statement), used
        for place in self._visible(outline, origin, first):
            if not isinstance(place, Nowhere):
                return place, 1
        if len(path) > 1 and first in self.index.namespaces[outline.path]:
            place, used = self._start(outline, origin, path[1:])
            return place, used + 1
        return (OUTSIDE if first[0].isupper() else UNKNOWN), 1

    def _typed(self, outline: Outline, origin: Symbol | None, name: str) -> Place | None:
        place = None if origin is None else self._variable(origin, (name,))
        return self._variable(outline.path, (name,)) if place is None else place

    def _special(self, outline: Outline, origin: Symbol | None, first: str) -> Place | None:
        owner = self._type_around(origin)
        if first in _SELF and owner is not None:
            return owner
        if outline.language.family == "rust":
            file = files.rust_above(self.modules, outline.path, first)
            return Module(file) if file in self.index.outlines else None
        if first == "super" and owner is not None:
            bases = self._base_types(owner)
            return bases[0] if len(bases) == 1 else OUTSIDE
        return None

    def _visible(self, outline: Outline, origin: Symbol | None, name: str) -> Iterator[Place]:
        """What is seen under a name without an import of it, nearest first."""
        family = outline.language.family
        if family in _SEES_MEMBERS:
            owner = self._type_around(origin)
            while owner is not None:
                yield self._member(owner, name)
                owner = self.index.owners.get(owner)
        near = () if origin is None else origin.path
        own = self.index.named.get(outline.path, {}).get(name, ())
        yield only(own, near) or UNKNOWN
        package = package_of(outline)
        if package is not None and not own:
            yield only(self.index.packages.get(package, {}).get(name, ()), near) or UNKNOWN
        for statement in self._bound[outline.path].wild:
            place = self._wild(outline, statement)
            yield UNKNOWN if isinstance(place, Nowhere) else self.step(place, name)
        if family == "rust":
            child = files.rust_child(self.modules, outline.path, name)
            file = child or self.modules.crates.get(name)
            yield UNKNOWN if file is None else Module(file)

    def _wild(self, outline: Outline, statement: Import) -> Place:
        if outline.language.family in {"python", "ecmascript"}:
            file = module_file(self, outline, statement)
            return OUTSIDE if file is None else Module(file)
        return self.imported(outline, statement)

    def _type_around(self, origin: Symbol | None) -> Symbol | None:
        if origin is not None and origin.is_type:
            return origin
        return None if origin is None else self.index.owners.get(origin)

    # The names after it

    def step(self, place: Symbol | Module, name: str) -> Place:
        """What a name means right after a symbol or a module."""
        if isinstance(place, Symbol):
            return self._member(place, name) if place.is_type else UNKNOWN
        if place.package is not None:
            return only(self.index.packages.get(place.package, {}).get(name, ())) or OUTSIDE
        outline = self.index.outlines[place.file or ""]
        symbol = only(self.index.named.get(outline.path, {}).get(name, ()))
        if symbol is not None:
            return symbol
        if name in self.index.namespaces[outline.path]:
            return place
        return self._handed_on(outline, name)

    def _handed_on(self, outline: Outline, name: str) -> Place:
        """What a module has under a name without defining it."""
        key = (outline.path, name)
        if key not in self._handed:
            self._handed[key] = OUTSIDE
            if outline.language.family in _RE_EXPORTING:
                self._handed[key] = self._imported_name(outline, name)
        return self._handed[key]

    def _imported_name(self, outline: Outline, name: str) -> Place:
        """A child module of that name, or what the module imports under it."""
        child = {"python": files.python_child, "rust": files.rust_child}.get(
            outline.language.family
        )
        if child is not None and (file := child(self.modules, outline.path, name)) is not None:
            return Module(file)
        bound = self._bound[outline.path]
        if (statement := bound.names.get(name)) is not None:
            return self.imported(outline, statement)
        for statement in bound.wild:
            place = self._wild(outline, statement)
            member = OUTSIDE if isinstance(place, Nowhere) else self.step(place, name)
            if not isinstance(member, Nowhere):
                return member
        return OUTSIDE

    def _member(self, owner: Symbol, name: str) -> Place:
        """A member of a type or of what it inherits from."""
        waiting, seen = [owner], {owner}
        while waiting and len(seen) <= MOST_BASES:
            ancestor = waiting.pop(0)
            members = self.index.members.get(ancestor, {}).get(name, ())
            if members:
                return only(members) or OUTSIDE
            if (typed := self._variable(ancestor, (name,))) is not None:
                return typed
            bases = [base for base in self._base_types(ancestor) if base not in seen]
            seen.update(bases)
            waiting += bases
        return OUTSIDE

    def _base_types(self, owner: Symbol) -> list[Symbol]:
        if owner not in self._above:
            self._above[owner] = []
            outline = self.index.outlines[owner.file]
            around = self.index.owners.get(owner)
            bases = [self.walk(outline, around, path) for path in self._bases.get(owner, ())]
            self._above[owner] = [base for base in bases if isinstance(base, Symbol)]
        return self._above[owner]

    def _variable(self, scope: Symbol | str, path: Path) -> Place | None:
        """The type of a variable, None where there is none of that name."""
        key = (scope, path)
        if key not in self._types:
            self._types[key] = UNKNOWN
            self._types[key] = self._typed_as(scope, path)
        return self._types[key]

    def _typed_as(self, scope: Symbol | str, path: Path) -> Place | None:
        known = self.index.variables.get(scope, {}).get(path, ())
        typed = [
            variable
            for variable in known
            if variable.type is not None and variable.type not in _NO_TYPES
        ]
        told = typed or [variable for variable in known if variable.type is None]
        places = {self._type_of(scope, variable) for variable in told}
        if not told:
            return None
        place = places.pop() if len(places) == 1 else UNKNOWN
        is_type = isinstance(place, Symbol) and place.is_type
        return place if is_type or isinstance(place, Nowhere) else OUTSIDE

    def _type_of(self, scope: Symbol | str, variable: Variable) -> Place:
        file = scope if isinstance(scope, str) else scope.file
        outline = self.index.outlines[file]
        if variable.type is not None:
            place = self.walk(outline, variable.origin, variable.type)
            return OUTSIDE if place is UNKNOWN else place
        if variable.copied is not None:
            source = (
                None
                if variable.origin is None
                else self._variable(variable.origin, (variable.copied,))
            )
            return UNKNOWN if source is None else source
        made = self.walk(outline, variable.origin, variable.made or ("",))
        if isinstance(made, Symbol) and not made.is_type:
            if made.returns is None:
                return UNKNOWN
            return self.walk(self.index.outlines[made.file], made, made.returns)
        return made
