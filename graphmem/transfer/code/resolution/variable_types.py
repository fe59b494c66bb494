"""The types of variables, parameters and fields, as far as the code says them."""

from graphmem.transfer.code.outlines.outline import CALLED, Outline, Path, Symbol, Variable
from graphmem.transfer.code.resolution.names import Names
from graphmem.transfer.code.resolution.places import OUTSIDE, UNKNOWN, Nowhere, Place

# What a method gives that gives its own object, or one of the same type.
SAME = frozenset({("static",), ("$this",), ("this",), ("Self",)})
_NO_TYPES = frozenset({("auto",), ("var",), ("let",)})


def type_of(names: Names, outline: Outline, origin: Symbol | None, path: Path) -> Place:
    """The type that a path means where a type stands, also where a method has its name.

    Args:
        names: Knows what the names mean.
        outline: The file the path stands in.
        origin: The symbol it stands in; None for the module level.
        path: The names.
    """
    place = names.walk(outline, origin, path)
    is_type = isinstance(place, Symbol) and place.is_type
    return place if is_type or isinstance(place, Nowhere) else names.walk(outline, None, path)


class VariableTypes:
    """Looks up the types of variables, each once.

    Args:
        names: Knows what the names of types mean.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        # While a type is being looked up it is not known, so circles end.
        self._types: dict[tuple[Symbol | str, Path], Place | None] = {}

    def of(self, scope: Symbol | str, path: Path) -> Place | None:
        """The type of a variable, None where there is none of that name."""
        key = (scope, path)
        if key not in self._types:
            self._types[key] = UNKNOWN
            self._types[key] = self._declared(scope, path)
        return self._types[key]

    def part(self, scope: Symbol | str, path: Path, mark: str) -> Place | None:
        """The type of what a variable holds, None where there is no variable of that name."""
        variables = self._names.index.variables.get(scope, {}).get(path, ())
        written = [variable for variable in variables if mark in dict(variable.parts)]
        informative = written or [variable for variable in variables if _is_known(variable)]
        places = {self._part_of_one(scope, variable, mark) for variable in informative}
        if len(places) == 1:
            return places.pop()
        return UNKNOWN if variables else None

    def _part_of_one(self, scope: Symbol | str, variable: Variable, mark: str) -> Place:
        file = scope if isinstance(scope, str) else scope.file
        outline = self._names.index.outlines[file]
        type_path = dict(variable.parts).get(mark)
        if type_path is not None:
            return type_of(self._names, outline, variable.origin, type_path)
        creator = variable.creator
        if creator is None or creator[-1].startswith("["):
            return UNKNOWN
        return self._names.walk(outline, variable.origin, (*creator, CALLED, mark))

    def _declared(self, scope: Symbol | str, path: Path) -> Place | None:
        variables = self._names.index.variables.get(scope, {}).get(path, ())
        declared = [
            variable
            for variable in variables
            if variable.type is not None and variable.type not in _NO_TYPES
        ]
        informative = declared or [
            variable for variable in variables if variable.type is None and _is_known(variable)
        ]
        places = {self._of_one(scope, variable) for variable in informative}
        if not informative:
            return None
        place = places.pop() if len(places) == 1 else UNKNOWN
        if not isinstance(place, Symbol) or not place.is_type:
            return place if isinstance(place, Nowhere) else OUTSIDE
        changed = () if declared else variables
        return UNKNOWN if any(self._is_changed(place, each) for each in changed) else place

    def _is_changed(self, type_: Symbol, variable: Variable) -> bool:
        """Whether a value made of the one that a variable had is of another type."""
        creator = variable.creator or ()
        if _is_known(variable) or len(creator) != len(variable.path) + 1:
            return False
        method = self._names.step(type_, creator[-1])
        if not isinstance(method, Symbol) or method.returns is None or method.returns in SAME:
            return False
        outline = self._names.index.outlines[method.file]
        return type_of(self._names, outline, method, method.returns) is not type_

    def _of_one(self, scope: Symbol | str, variable: Variable) -> Place:
        file = scope if isinstance(scope, str) else scope.file
        outline = self._names.index.outlines[file]
        if variable.type is not None:
            place = type_of(self._names, outline, variable.origin, variable.type)
            return OUTSIDE if place is UNKNOWN else place
        if variable.origin_variable is not None:
            source = (
                None
                if variable.origin is None
                else self.of(variable.origin, (variable.origin_variable,))
            )
            return UNKNOWN if source is None else source
        creator = variable.creator or ("",)
        place = self._names.walk(outline, variable.origin, creator)
        is_whole = creator[-1].startswith("[") or (isinstance(place, Symbol) and place.is_type)
        return place if is_whole else self._names.walk(outline, variable.origin, (*creator, CALLED))


def _is_known(variable: Variable) -> bool:
    """Whether a variable's value is not made of the one that it had: `url = url.joined(path)`."""
    creator = variable.creator or ()
    return len(creator) <= len(variable.path) or creator[: len(variable.path)] != variable.path
