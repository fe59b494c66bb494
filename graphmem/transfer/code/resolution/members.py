"""What a name means right after a symbol or a module."""

from graphmem.transfer.code.outlines.outline import GIVEN, Symbol
from graphmem.transfer.code.resolution.import_targets import package_member
from graphmem.transfer.code.resolution.inheritance import Inheritance
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.namesakes import (
    Namesakes,
    Overloads,
    nearest,
    only_meaning,
    overloads,
)
from graphmem.transfer.code.resolution.re_exports import ReExports
from graphmem.transfer.code.resolution.referents import (
    OUTSIDE,
    UNKNOWN,
    Referent,
    Unresolved,
    type_or_none,
)
from graphmem.transfer.code.resolution.swift import members_of
from graphmem.transfer.code.resolution.variable_types import VariableTypes

# Families whose functions see the members of their type by name alone.
SEES_MEMBERS = frozenset({"java", "csharp", "swift", "c"})


class Members:
    """Looks up members.

    Args:
        resolver: Knows what names mean.
        variable_types: Knows the types of variables.
        inheritance: Knows what types inherit.
    """

    def __init__(
        self, resolver: NameResolver, variable_types: VariableTypes, inheritance: Inheritance
    ) -> None:
        self._resolver = resolver
        self._variable_types = variable_types
        self._inheritance = inheritance
        self._re_exports = ReExports(resolver)

    def member(self, referent: Referent, name: str) -> Referent:
        """What a name means right after a symbol or a module; OUTSIDE after anything else."""
        if isinstance(referent, Unresolved | Overloads):
            return UNKNOWN if isinstance(referent, Overloads) else OUTSIDE
        if isinstance(referent, Symbol):
            return self._member_of_symbol(referent, name)
        if referent.package is not None:
            return package_member(self._resolver, referent.package, name)
        outline = self._resolver.index.outlines[referent.file or ""]
        symbol = nearest(self._resolver.index.top_level.get((outline.path, name), ()))
        if symbol is not None:
            return symbol
        if name in self._resolver.index.namespaces[outline.path]:
            return referent
        return self._re_exports.of(outline, name)

    def field(self, owner: Symbol, name: str) -> Referent | None:
        """The type of a field of a type, or of what it inherits from; None where there is none."""
        types = (
            self._variable_types.of(ancestor, (name,)) for ancestor in self._inheritance.line(owner)
        )
        return next((type_ for type_ in types if type_ is not None), None)

    def _member_of_symbol(self, symbol: Symbol, name: str) -> Referent:
        if symbol.kind == "Constant":
            value = self._variable_types.of(symbol.file, symbol.path)
            return self.member(value or OUTSIDE, name)
        owner = symbol if symbol.is_type else self._property_type(symbol)
        return UNKNOWN if owner is None else self.member_of_type(owner, name)

    def _property_type(self, method: Symbol) -> Symbol | None:
        """The type of a property, which is a method that nothing calls."""
        if method.kind != "Method":
            return None
        if method.returns is None:
            referent = self._variable_types.of(method, GIVEN)
        else:
            referent = self._resolver.walk(self._resolver.index.site_of(method), method.returns)
        return type_or_none(referent)

    def member_of_type(self, owner: Symbol, name: str) -> Referent:
        """A member of a type or of what it inherits from."""
        levels: list[Namesakes] = []
        for ancestor in self._inheritance.line(owner):
            members = self._resolver.index.members.get(ancestor, {}).get(name, ())
            family = self._resolver.index.family_of(ancestor)
            if members and name == ancestor.short and family in SEES_MEMBERS:
                return ancestor  # its constructor has its name
            if members and family == "swift":
                levels.append(members)
            elif members:
                return (members[0] if len(members) == 1 else overloads(members)) or OUTSIDE
            elif (type_of_member := self._variable_types.of(ancestor, (name,))) is not None:
                return type_of_member if not levels else members_of(levels) or OUTSIDE
        return members_of(levels) or self._extension_method(owner, name) or OUTSIDE

    def _extension_method(self, owner: Symbol, name: str) -> Symbol | Overloads | None:
        """An extension method of C# that is called as if it were a member of a type."""
        added = self._resolver.index.added
        line = self._inheritance.line(owner) if added else ()
        levels = (added.get((above, name)) for above in line)
        return next(map(only_meaning, filter(None, levels)), None)
