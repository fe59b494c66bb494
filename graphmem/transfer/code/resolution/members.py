"""What a name means right after a symbol or a module."""

from graphmem.transfer.code.outlines.outline import Symbol
from graphmem.transfer.code.resolution.import_targets import in_package
from graphmem.transfer.code.resolution.index import Namesakes, Overloads, nearest, overloads
from graphmem.transfer.code.resolution.inheritance import Inheritance
from graphmem.transfer.code.resolution.names import Names
from graphmem.transfer.code.resolution.places import (
    OUTSIDE,
    UNKNOWN,
    Nowhere,
    Place,
    Somewhere,
)
from graphmem.transfer.code.resolution.re_exports import ReExports
from graphmem.transfer.code.resolution.swift import members_of
from graphmem.transfer.code.resolution.variable_types import VariableTypes

# Families whose functions see the members of their type by name alone.
SEES_MEMBERS = frozenset({"java", "csharp", "swift", "c"})


class Members:
    """Looks up members.

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
        self._re_exports = ReExports(names)

    def of_place(self, place: Somewhere, name: str) -> Place:
        """What a name means right after a symbol or a module."""
        if isinstance(place, Overloads):
            return UNKNOWN
        if isinstance(place, Symbol):
            return self._of_symbol(place, name)
        if place.package is not None:
            return in_package(self._names, place.package, name)
        outline = self._names.index.outlines[place.file or ""]
        symbol = nearest(self._names.index.top_level.get(outline.path, {}).get(name, ()))
        if symbol is not None:
            return symbol
        if name in self._names.index.namespaces[outline.path]:
            return place
        return self._re_exports.of(outline, name)

    def _of_symbol(self, symbol: Symbol, name: str) -> Place:
        if symbol.kind == "Constant":
            value = self._variable_types.of(symbol.file, symbol.path)
            if value is None or isinstance(value, Nowhere):
                return OUTSIDE
            return self.of_place(value, name)
        owner = symbol if symbol.is_type else self._property_type(symbol)
        return UNKNOWN if owner is None else self.of_type(owner, name)

    def _property_type(self, method: Symbol) -> Symbol | None:
        """The type of a property, which is a method that nothing calls."""
        if method.kind != "Method" or method.returns is None:
            return None
        place = self._names.walk(self._names.index.outlines[method.file], method, method.returns)
        return place if isinstance(place, Symbol) and place.is_type else None

    def of_type(self, owner: Symbol, name: str) -> Place:
        """A member of a type or of what it inherits from."""
        levels: list[Namesakes] = []
        for ancestor in self._inheritance.line(owner):
            members = self._names.index.members.get(ancestor, {}).get(name, ())
            family = self._names.index.family_of(ancestor)
            if members and name == ancestor.short and family in SEES_MEMBERS:
                return ancestor  # its constructor has its name
            if members and family == "swift":
                levels.append(members)
            elif members:
                return (members[0] if len(members) == 1 else overloads(members)) or OUTSIDE
            elif (type_of_member := self._variable_types.of(ancestor, (name,))) is not None:
                return type_of_member if not levels else members_of(levels) or OUTSIDE
        return members_of(levels) or OUTSIDE
