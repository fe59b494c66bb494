"""What calls give, and what collections hold, as far as the types that are written down say it."""

from graphmem.transfer.code.index import Overloads
from graphmem.transfer.code.inheritance import Inheritance
from graphmem.transfer.code.meanings import Names
from graphmem.transfer.code.outline import CALLED, VALUE, Outline, Path, Symbol
from graphmem.transfer.code.places import UNKNOWN, Place, Somewhere
from graphmem.transfer.code.variable_types import VariableTypes, type_of

# What an object calls itself, or its type.
SELF = frozenset({"self", "this", "cls", "Self", "$this"})
# What a method gives that gives its own object, or one of the same type.
_SAME = frozenset({("static",), ("$this",), ("this",), ("Self",)})
# Methods that give the values of a mapping, and those that give elements of a collection.
_OF_VALUES = frozenset({"Values", "into_values", "values", "values_mut"})
_OF_ELEMENTS = frozenset(
    {"AsEnumerable", "OrderBy", "Skip", "Take", "ToArray", "ToList", "Where", "copy", "drain",
     "filter", "into_iter", "iter", "iter_mut", "reverse", "reversed", "skip", "slice", "sort",
     "sorted", "stream", "take", "toList", "to_vec"}
)  # fmt: skip


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
                return (
                    UNKNOWN
                    if type_path is None
                    else type_of(self._names, file, function, type_path)
                )
            if whole[-2] in _OF_VALUES and len(whole) > len((whole[-2], CALLED)):
                return self.part(outline, origin, whole[:-2], VALUE)
            is_iterated = whole[-2] in _OF_ELEMENTS and len(whole) > len((whole[-2], CALLED))
            return self.part(outline, origin, whole[:-2], mark) if is_iterated else UNKNOWN
        if len(whole) == 1:
            scopes = (origin, outline.path) if origin is not None else (outline.path,)
            places = (self._variable_types.part(scope, whole, mark) for scope in scopes)
        else:
            owner = self._names.walk(outline, origin, whole[:-1])
            is_type = isinstance(owner, Symbol) and owner.is_type
            line = self._inheritance.line(owner) if is_type and isinstance(owner, Symbol) else ()
            places = (self._variable_types.part(above, whole[-1:], mark) for above in line)
        return next((place for place in places if place is not None), UNKNOWN)

    def given(
        self, outline: Outline, origin: Symbol | None, called: Path, place: Somewhere
    ) -> Place:
        """What a call gives, of a path that means a place."""
        if isinstance(place, Overloads):
            results = {symbol.returns for symbol in place.symbols}
            if len(results) > 1:
                return UNKNOWN
            place = place.symbols[0]
        if not isinstance(place, Symbol):
            return UNKNOWN
        if place.is_type:
            # A variable of that type may be called, too, and what that gives is not known.
            name = called[-1]
            is_its_name = name in SELF or name in {place.short, "static", "super"}
            return place if is_its_name or name[:1].isupper() else UNKNOWN
        if place.returns is None:
            return UNKNOWN
        if place.returns in _SAME and len(called) > 1:
            return self._names.walk(outline, origin, called[:-1])
        return type_of(self._names, self._names.index.outlines[place.file], place, place.returns)
