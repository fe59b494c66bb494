"""What calls give, and what collections hold, as far as the types that are written down say it."""

from collections.abc import Mapping

from graphmem.transfer.code.languages import Family
from graphmem.transfer.code.outlines.outline import (
    CALLED,
    ELEMENT,
    VALUE,
    Outline,
    Path,
    Symbol,
    result,
)
from graphmem.transfer.code.resolution.index import Overloads
from graphmem.transfer.code.resolution.inheritance import Inheritance
from graphmem.transfer.code.resolution.names import Names
from graphmem.transfer.code.resolution.places import UNKNOWN, Nowhere, Place
from graphmem.transfer.code.resolution.variable_types import SAME, VariableTypes, type_of

# What an object calls itself, or its type.
SELF = frozenset({"self", "this", "cls", "Self", "$this"})
# Methods that give the values of a mapping, and those that give elements of a collection.
_OF_VALUES = frozenset({"Values", "into_values", "values", "values_mut"})
_OF_ELEMENTS = frozenset(
    {"AsEnumerable", "OrderBy", "Skip", "Take", "ToArray", "ToList", "Where", "copy", "drain",
     "filter", "into_iter", "iter", "iter_mut", "reverse", "reversed", "skip", "slice", "sort",
     "sorted", "stream", "take", "toList", "to_vec"}
)  # fmt: skip
# What gives an object, or what it holds, in other libraries' types.
_HANDING_ON: Mapping[Family, frozenset[str]] = {
    "csharp": frozenset({"ConfigureAwait"}),
    "rust": frozenset({"unwrap", "expect", "clone", "as_ref", "as_mut", "unwrap_or_default"}),
}
# Of types that stand for what they hold, such as `Option`: methods that give that, and others.
_OPENING: Mapping[Family, frozenset[str]] = {
    "java": frozenset({"get", "orElse", "orElseGet", "orElseThrow"}),
    "rust": frozenset({"expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else"}),
}
_OF_HOLDERS: Mapping[Family, frozenset[str]] = {
    "c": frozenset({"get", "release", "reset", "swap", "use_count"}),
    "java": frozenset(
        {"filter", "flatMap", "ifPresent", "ifPresentOrElse", "isEmpty", "isPresent", "map", "or",
         "stream"}
    ),
    "rust": frozenset(
        {"and_then", "err", "filter", "flatten", "insert", "is_err", "is_none", "is_ok", "is_some",
         "iter", "map", "map_err", "map_or", "ok", "ok_or", "ok_or_else", "or", "or_else",
         "replace", "take", "transpose", "zip"}
    ),
}  # fmt: skip


class Results:
    """Looks up what calls give and what variables hold.

    Args:
        names: Knows what names mean.
        variable_types: Knows the types of variables.
        inheritance: Knows what types inherit.
    """

    def __init__(
        self, names: Names, variable_types: VariableTypes, inheritance: Inheritance
    ) -> None:
        self._names = names
        self._variable_types = variable_types
        self._inheritance = inheritance

    def part(self, outline: Outline, origin: Symbol | None, whole: Path, mark: str) -> Place:
        """What a path holds that means a variable, or the call of a function."""
        if whole[-1] == CALLED and len(whole) > 1:
            function = self._names.walk(outline, origin, whole[:-1])
            if isinstance(function, Symbol) and function.is_callable:
                type_path = dict(function.parts).get(mark)
                file = self._names.index.outlines[function.file]
                if type_path is None:
                    return UNKNOWN
                return type_of(self._names, file, function, type_path)
            collection, method = whole[:-2], whole[-2]
            if not collection or method not in _OF_ELEMENTS | _OF_VALUES:
                return UNKNOWN
            held = VALUE if method in _OF_VALUES else mark
            return self.part(outline, origin, collection, held)
        if len(whole) == 1:
            scopes = (origin, outline.path) if origin is not None else (outline.path,)
            places = (self._variable_types.part(scope, whole, mark) for scope in scopes)
        else:
            owner = self._names.object_of(outline, origin, whole[:-1])
            is_type = isinstance(owner, Symbol) and owner.is_type
            line = self._inheritance.line(owner) if is_type and isinstance(owner, Symbol) else ()
            places = (self._variable_types.part(above, whole[-1:], mark) for above in line)
        return next((place for place in places if place is not None), UNKNOWN)

    def follow(self, place: Place, owner: Place, path: Path, family: Family) -> Place:
        """What the names after a place lead to.

        Args:
            place: What the first name of the path means.
            owner: The object whose member that is, or UNKNOWN.
            path: The names, from that of the place on.
            family: Of the language they are written in.
        """
        count = 1
        while count < len(path) and not isinstance(place, Nowhere):
            name = path[count]
            if (value := self._names.value(place, path[count:])) is not None:
                owner, place, count = UNKNOWN, value, count + 1
            elif name == CALLED:
                function, count = place, count + 1
                place = self.result_of(function, path[count - 2], owner)
                following = path[count] if count < len(path) else ""
                if count + 1 < len(path) and _is_opened(function, following, family):
                    count += 2
                elif _is_of_holder(function, following, family):
                    place = UNKNOWN
            else:
                member = self._names.step(place, name)
                is_handed_on = count + 1 < len(path) and isinstance(member, Nowhere)
                if is_handed_on and name in _HANDING_ON.get(family, ()):
                    count += 2
                else:
                    owner, place, count = place, member, count + 1
        return place

    def result_of(self, place: Place, name: str, owner: Place) -> Place:
        """What a call gives.

        Args:
            place: What is called.
            name: By what name.
            owner: The object whose member that is, or UNKNOWN.
        """
        if isinstance(place, Overloads):
            results = {symbol.returns for symbol in place.symbols}
            place = place.symbols[0] if len(results) == 1 else UNKNOWN
        if isinstance(place, Symbol) and place.is_type:
            # A variable of that type may be called, too, and what that gives is not known.
            is_its_name = name in SELF or name in {place.short, "static", "super"}
            return place if is_its_name or name[:1].isupper() else UNKNOWN
        if not isinstance(place, Symbol) or place.returns is None:
            return UNKNOWN
        if place.returns in SAME and isinstance(owner, Symbol) and owner.is_type:
            return owner
        file = self._names.index.outlines[place.file]
        parts = dict(place.parts)
        if result(0) in parts and file.language.family != "go":
            return UNKNOWN
        return type_of(self._names, file, place, place.returns)


def _is_opened(function: Place, method: str, family: Family) -> bool:
    """Whether a method gives what the result of a function holds: `find().orElseThrow()`."""
    is_held = isinstance(function, Symbol) and function.holder is not None
    return is_held and method in _OPENING.get(family, ())


def _is_of_holder(function: Place, method: str, family: Family) -> bool:
    """Whether a method is one of what holds the result of a function, an array included."""
    if not isinstance(function, Symbol):
        return False
    is_array = (
        function.returns is not None and dict(function.parts).get(ELEMENT) == function.returns
    )
    is_held = function.holder is not None and method in _OF_HOLDERS.get(family, ())
    return bool(method) and (is_array or is_held)
