"""What calls give, and what collections hold, as far as the types that are written down say it."""

from collections.abc import Mapping

from graphmem.transfer.code.languages import Family
from graphmem.transfer.code.outlines.outline import (
    CALLED,
    ELEMENT,
    GIVEN,
    SELF,
    VALUE,
    Path,
    Symbol,
    result,
)
from graphmem.transfer.code.resolution.extensions import added_function
from graphmem.transfer.code.resolution.inheritance import Inheritance
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.namesakes import Overloads
from graphmem.transfer.code.resolution.referents import UNKNOWN, Referent, Unresolved, type_or_none
from graphmem.transfer.code.resolution.sites import Site
from graphmem.transfer.code.resolution.variable_types import SAME, VariableTypes, type_of

# Methods that give the values of a mapping, and those that give elements of a collection.
_OF_VALUES = frozenset({"Values", "into_values", "values", "values_mut"})
_OF_ELEMENTS = frozenset(
    {"AsEnumerable", "OrderBy", "Skip", "Take", "ToArray", "ToList", "Where", "copy", "drain",
     "filter", "into_iter", "iter", "iter_mut", "reverse", "reversed", "skip", "slice", "sort",
     "sorted", "stream", "take", "toList", "to_vec"}
)  # fmt: skip
# Methods that give one element of a collection, perhaps as an `Option`.
_OF_ELEMENT = frozenset(
    {"First", "FirstOrDefault", "Last", "LastOrDefault", "Single", "SingleOrDefault", "find",
     "findAny", "findFirst", "first", "firstOrNull", "last", "lastOrNull", "max_by", "max_by_key",
     "min_by", "min_by_key", "next", "nth", "pop", "shift", "single", "singleOrNull"}
)  # fmt: skip
# Methods that return their object or what it wraps: a chain goes on as if they were not there.
_TRANSPARENT_METHODS: Mapping[Family, frozenset[str]] = {
    "csharp": frozenset({"ConfigureAwait"}),
    "java": frozenset({"also", "apply", "takeIf", "takeUnless"}),
    "rust": frozenset(
        {"as_mut", "as_ref", "borrow", "borrow_mut", "clone", "expect", "unwrap",
         "unwrap_or_default"}
    ),
}  # fmt: skip
# Of wrappers such as `Option`: methods that return what is wrapped, and others.
_UNWRAPPING_METHODS: Mapping[Family, frozenset[str]] = {
    "java": frozenset({"get", "orElse", "orElseGet", "orElseThrow"}),
    "rust": frozenset({"expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else"}),
}
_WRAPPER_METHODS: Mapping[Family, frozenset[str]] = {
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
# The method that a call of an object calls, where a language has one.
_METHOD_OF_CALLS: Mapping[Family, str] = {
    "java": "invoke",
    "php": "__invoke",
    "python": "__call__",
}


class Results:
    """Looks up what calls give and what variables hold.

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

    def element_type(self, site: Site, whole: Path, mark: str) -> Referent:
        """What a path holds that means a variable, or the call of a function."""
        if whole[-1] == CALLED and len(whole) > 1:
            return self._element_of_result(site, whole[:-1], mark)
        if len(whole) == 1:
            scopes = (site.origin, site.outline.path) if site.origin else (site.outline.path,)
            referents = (self._variable_types.part(scope, whole, mark) for scope in scopes)
        else:
            owner = type_or_none(self._resolver.object_of(site, whole[:-1]))
            line = () if owner is None else self._inheritance.line(owner)
            referents = (self._variable_types.part(above, whole[-1:], mark) for above in line)
        return next((referent for referent in referents if referent is not None), UNKNOWN)

    def _element_of_result(self, site: Site, called: Path, mark: str) -> Referent:
        """What the result of a call holds; `rows.sorted()` gives what the rows hold."""
        function = self._resolver.walk(site, called)
        if isinstance(function, Symbol) and function.is_callable:
            if (type_path := dict(function.parts).get(mark)) is not None:
                function_site = self._resolver.index.site_of(function)
                return type_of(self._resolver, function_site, type_path)
            says_none = function.returns is None
            part = self._variable_types.part(function, GIVEN, mark) if says_none else None
            return part or UNKNOWN
        collection, method = called[:-1], called[-1]
        if not collection or method not in _OF_ELEMENTS | _OF_VALUES:
            return UNKNOWN
        held = VALUE if method in _OF_VALUES else mark
        return self.element_type(site, collection, held)

    def element_referent(self, site: Site, path: Path) -> Referent:
        """What a path leads to that asks a collection for one of its elements."""
        for place in range(len(path) - 2, 0, -1):
            if path[place] in _OF_ELEMENT and path[place + 1] == CALLED:
                element = self.element_type(site, path[:place], ELEMENT)
                return self.resolve_rest(site, path[place + 1 :], element, UNKNOWN)
        return UNKNOWN

    def called_object(self, site: Site, name: str) -> Symbol | None:
        """The type of the variable of a name whose objects can be called."""
        if site.family not in _METHOD_OF_CALLS or name[:1].isupper():
            return None
        return type_or_none(self._resolver.object_of(site, (name,)))

    def resolve_rest(self, site: Site, path: Path, referent: Referent, owner: Referent) -> Referent:
        """What the rest of a path leads to.

        Args:
            site: Where it stands.
            path: The names, from that of the referent on.
            referent: What the first of them means.
            owner: The object whose member that is, or UNKNOWN.
        """
        count, family = 1, site.family
        while count < len(path):
            name = path[count]
            if isinstance(referent, Unresolved):
                made = _made_of(owner, path[count - 1 : count + 1], family)
                known = made or self._added_function(site, path[: count + 2])
                if known is None:
                    break
                owner, referent, count = UNKNOWN, known, count + 1
            elif (value := self._resolver.value(referent, path[count:])) is not None:
                owner, referent, count = UNKNOWN, value, count + 1
            elif (field := self._resolver.field(referent, path[count:])) is not None:
                owner, referent, count = referent, field, count + 1
            elif name == CALLED:
                function, count = referent, count + 1
                referent = self._result(site, path[: count - 1], function, owner)
                following = path[count] if count < len(path) else ""
                if count + 1 < len(path) and _unwraps(function, following, family):
                    count += 2
                elif _is_of_wrapper(function, following, family):
                    referent = UNKNOWN
            else:
                member = self._resolver.step(referent, name)
                is_handed_on = count + 1 < len(path) and isinstance(member, Unresolved)
                if is_handed_on and name in _TRANSPARENT_METHODS.get(family, ()):
                    count += 2
                else:
                    added = self._added_function(site, path[: count + 2]) if is_handed_on else None
                    owner, referent, count = referent, added or member, count + 1
        return referent

    def _result(self, site: Site, called: Path, function: Referent, owner: Referent) -> Referent:
        """What a call gives; of a type, by whatever name, an object."""
        is_type = type_or_none(function) is not None and len(called) == 1
        if is_type and self._resolver.walk(site, called) is function:
            return function
        return self.call_result(function, called[-1], owner)

    def _added_function(self, site: Site, path: Path) -> Symbol | Overloads | None:
        """What Kotlin or C# adds to an object, if the path ends with the call of it."""
        is_called = path[-1] == CALLED and path[-2] != CALLED
        return added_function(self._resolver, site, path[:-1]) if is_called else None

    def call_result(self, referent: Referent, name: str, owner: Referent) -> Referent:
        """What a call gives.

        Args:
            referent: What is called.
            name: By what name.
            owner: The object whose member that is, or UNKNOWN.
        """
        if isinstance(referent, Overloads):
            # Beside functions there may be a property of Kotlin, which is not called.
            symbols = [symbol for symbol in referent.symbols if symbol.arity] or referent.symbols
            results = {symbol.returns for symbol in symbols}
            referent = symbols[0] if len(results) == 1 else UNKNOWN
        if not isinstance(referent, Symbol):
            return UNKNOWN
        if referent.is_type:
            # A variable of that type may be called, too.
            is_its_name = name in SELF or name in {referent.short, "static", "super"}
            is_type = is_its_name or name[:1].isupper()
            return referent if is_type else self._result_of_object(referent)
        if referent.returns is None:
            return self._given(referent, owner)
        if referent.returns in SAME and (type_ := type_or_none(owner)):
            return type_
        site = self._resolver.index.site_of(referent)
        if result(0) in dict(referent.parts) and site.family != "go":
            return UNKNOWN
        return type_of(self._resolver, site, referent.returns)

    def _result_of_object(self, type_: Symbol) -> Referent:
        """What the call of an object gives."""
        method = _METHOD_OF_CALLS.get(self._resolver.index.family_of(type_))
        if method is None:
            return UNKNOWN
        member = self._resolver.step(type_, method)
        # An object in the place of the method may have such a one in turn, without an end.
        return UNKNOWN if type_or_none(member) else self.call_result(member, method, type_)

    def _given(self, function: Symbol, owner: Referent) -> Referent:
        """What a function gives that says no type, as far as its values have one."""
        values = self._resolver.index.variables_of(function, GIVEN)
        is_its_object = all(
            value.creator is not None and value.creator[0] in SELF and len(value.creator) == 1
            for value in values
        )
        own_object = type_or_none(owner) if values and is_its_object else None
        return own_object or self._variable_types.of(function, GIVEN) or UNKNOWN


def _made_of(owner: Referent, called: Path, family: Family) -> Symbol | None:
    """The type of which a call gives an object in Rust: of a variant, or a derived `default`."""
    name, mark = called
    is_made = mark == CALLED and (name == "default" or name[:1].isupper())
    return type_or_none(owner) if family == "rust" and is_made else None


def _unwraps(function: Referent, method: str, family: Family) -> bool:
    """Whether a method gives what the result of a function holds: `find().orElseThrow()`."""
    is_held = isinstance(function, Symbol) and function.wrapper is not None
    return is_held and method in _UNWRAPPING_METHODS.get(family, ())


def _is_of_wrapper(function: Referent, method: str, family: Family) -> bool:
    """Whether a method is one of what holds the result of a function, an array included."""
    if not isinstance(function, Symbol):
        return False
    is_array = (
        function.wrapper is None
        and function.returns is not None
        and dict(function.parts).get(ELEMENT) == function.returns
    )
    is_held = function.wrapper is not None and method in _WRAPPER_METHODS.get(family, ())
    return bool(method) and (is_array or is_held)
