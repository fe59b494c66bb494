"""The types of variables, parameters and fields, as far as the code says them."""

from graphmem.transfer.code.outlines.outline import CALLED, Path, Symbol, Variable
from graphmem.transfer.code.resolution.lambda_parameters import type_of_parameter
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.referents import (
    OUTSIDE,
    UNKNOWN,
    Referent,
    Unresolved,
    common_referent,
    type_or_none,
)
from graphmem.transfer.code.resolution.sites import Scope, Site

# What a method gives that gives its own object, or one of the same type.
SAME = frozenset({("static",), ("$this",), ("this",), ("Self",)})
# Variables of which each has the value of the next: each takes some levels of Python's own stack.
MOST_COPIES = 30
_NO_TYPES = frozenset({None, ("auto",), ("var",), ("let",)})


def type_of(resolver: NameResolver, site: Site, path: Path) -> Referent:
    """The type that a path means where a type stands, also where a method has its name.

    Args:
        resolver: Knows what names mean.
        site: Where the path stands.
        path: The names.
    """
    referent = resolver.walk(site, path)
    if type_or_none(referent) or isinstance(referent, Unresolved):
        return referent
    return resolver.walk(Site(site.outline), path)


def _value_of(resolver: NameResolver, site: Site, creator: Path) -> Referent:
    """The type of a value: of an object that a path means, or of what a function there gives."""
    referent = resolver.walk(site, creator)
    if creator[-1].startswith("[") or type_or_none(referent):
        return referent
    return resolver.walk(site, (*creator, CALLED))


class VariableTypes:
    """Looks up the types of variables, each once.

    Args:
        resolver: Knows what names mean.
    """

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._copies = 0
        # While a type is being looked up it is not known, so circles end.
        self._types: dict[tuple[Scope, Path], Referent | None] = {}

    def of(self, scope: Scope, path: Path) -> Referent | None:
        """The type of a variable, None where there is none of that name."""
        key = (scope, path)
        if key not in self._types:
            self._types[key] = UNKNOWN
            self._types[key] = self._declared(scope, path)
        return self._types[key]

    def part(self, scope: Scope, path: Path, mark: str) -> Referent | None:
        """The type of what a variable holds, None where there is no variable of that name."""
        variables = self._resolver.index.variables_of(scope, path)
        written = [variable for variable in variables if mark in dict(variable.parts)]
        informative = written or [
            variable
            for variable in variables
            if _is_independent(variable) and variable.lambda_parameter is None
        ]
        if not variables:
            return None
        return common_referent(self._part_of(scope, variable, mark) for variable in informative)

    def _site(self, scope: Scope, variable: Variable) -> Site:
        """Where a variable stands: for a field of a type in several files, in any of these."""
        index = self._resolver.index
        if isinstance(scope, str):
            return Site(index.outlines[scope])
        return index.site_of(variable.origin or scope)

    def _part_of(self, scope: Scope, variable: Variable, mark: str) -> Referent:
        site = self._site(scope, variable)
        type_path = dict(variable.parts).get(mark)
        if type_path is not None:
            return type_of(self._resolver, site, type_path)
        creator = variable.creator
        if creator is None or creator[-1].startswith("["):
            return UNKNOWN
        return self._resolver.walk(site, (*creator, CALLED, mark))

    def _declared(self, scope: Scope, path: Path) -> Referent | None:
        variables = self._resolver.index.variables_of(scope, path)
        declared = [
            variable
            for variable in variables
            if variable.type not in _NO_TYPES and not variable.narrowed
        ]
        independent = [
            variable
            for variable in variables
            if variable.type is None and _is_independent(variable)
        ]
        # That each is an element of a list says more than what the function of the list says.
        made = [variable for variable in independent if variable.lambda_parameter is None]
        informative = declared or made or independent
        narrowed = [variable for variable in variables if variable.narrowed]
        if not informative and not narrowed:
            return None
        referent = common_referent(self._type_of(scope, variable) for variable in informative)
        if isinstance(referent, Unresolved) and narrowed:
            referent = common_referent(self._type_of(scope, variable) for variable in narrowed)
        type_ = type_or_none(referent)
        if type_ is None:
            return referent if isinstance(referent, Unresolved) else OUTSIDE
        changed = () if declared else variables
        return UNKNOWN if any(self._is_changed(type_, each) for each in changed) else type_

    def _is_changed(self, type_: Symbol, variable: Variable) -> bool:
        """Whether a value made of the one that a variable had is of another type."""
        creator = variable.creator or ()
        if _is_independent(variable) or len(creator) != len(variable.path) + 1:
            return False
        method = self._resolver.step(type_, creator[-1])
        if not isinstance(method, Symbol) or method.returns is None or method.returns in SAME:
            return False
        site = self._resolver.index.site_of(method)
        return type_of(self._resolver, site, method.returns) is not type_

    def _type_of(self, scope: Scope, variable: Variable) -> Referent:
        site = self._site(scope, variable)
        if variable.type is not None:
            referent = type_of(self._resolver, site, variable.type)
            return OUTSIDE if referent is UNKNOWN else referent
        if variable.lambda_parameter is not None:
            referent = type_of_parameter(self._resolver, site, variable)
            if referent is not UNKNOWN or variable.origin_variable is None:
                return referent
        if variable.origin_variable is not None:
            return self._source(site, variable.origin_variable)
        return _value_of(self._resolver, site, variable.creator or ("",))

    def _source(self, site: Site, name: str) -> Referent:
        """The type of the variable whose value another one has, or a type that is the value."""
        if self._copies >= MOST_COPIES:
            return UNKNOWN
        self._copies += 1
        source = self.of(site.scope, (name,))
        if source is None:
            source = type_or_none(self._resolver.object_of(site, (name,))) or UNKNOWN
        self._copies -= 1
        return source


def _is_independent(variable: Variable) -> bool:
    """Whether a value is not computed from the variable's own: not `url = url.joined(path)`."""
    creator = variable.creator or ()
    return len(creator) <= len(variable.path) or creator[: len(variable.path)] != variable.path
