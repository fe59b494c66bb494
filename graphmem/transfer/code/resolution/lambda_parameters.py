"""The types of the parameters of a lambda, which the function says that it is given to."""

import re
from collections.abc import Iterable, Iterator, Sequence

from graphmem.transfer.code.outlines import names
from graphmem.transfer.code.outlines.function_types import function_type, named_function_type
from graphmem.transfer.code.outlines.outline import (
    LAST,
    LambdaParameter,
    Path,
    Symbol,
    Variable,
)
from graphmem.transfer.code.resolution.constructors import constructors_of
from graphmem.transfer.code.resolution.extensions import added_function, is_called_on_object
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.namesakes import Overloads
from graphmem.transfer.code.resolution.referents import (
    UNKNOWN,
    Referent,
    Unresolved,
    common_referent,
    type_or_none,
)
from graphmem.transfer.code.resolution.sites import Site

# The name of a parameter of a type, after what says how it may vary.
_TYPE_PARAMETER = re.compile(r"(?:(?:in|out|reified)\s+)?(?P<name>\w+)")


def type_of_parameter(resolver: NameResolver, site: Site, variable: Variable) -> Referent:
    """The type of a lambda's parameter; UNKNOWN where overloads say several, or none does.

    Args:
        resolver: Knows what names mean.
        site: Where the lambda stands.
        variable: The parameter.
    """
    parameter, callee = variable.lambda_parameter, variable.creator
    if parameter is None or callee is None:
        return UNKNOWN
    function = resolver.walk(site, callee)
    if isinstance(function, Unresolved):
        function = added_function(resolver, site, callee) or function
    types = _types(resolver, function, parameter, callee)
    return common_referent(type_ for type_ in types if type_ is not UNKNOWN)


def _types(
    resolver: NameResolver, function: Referent, parameter: LambdaParameter, callee: Path
) -> Iterator[Referent]:
    """What the functions of a name say of it, each its own."""
    symbols: Iterable[Symbol] = ()
    if isinstance(function, Overloads):
        symbols = function.symbols
    elif type_ := type_or_none(function):
        # Kotlin makes an object of an interface so.
        if parameter.argument == LAST:
            yield _type_by_interface(resolver, type_, parameter)
        symbols = constructors_of(resolver.index, type_)
    elif isinstance(function, Symbol):
        # In Swift a property may have the name of a method, and may be private.
        owner = resolver.index.owners.get(function)
        members = {} if owner is None else resolver.index.members.get(owner, {})
        symbols = members.get(function.short, (function,))
    for symbol in symbols:
        is_shifted = parameter.argument != LAST
        is_shifted = is_shifted and is_called_on_object(resolver.index, symbol, callee)
        place = parameter.argument + is_shifted
        for types in symbol.parameters:
            if place < len(types):
                yield _type_by_argument(resolver, symbol, types[place], parameter)


def _type_by_argument(
    resolver: NameResolver, function: Symbol, text: str, parameter: LambdaParameter
) -> Referent:
    """What a function calls an argument of a type with."""
    written = function_type(text)
    if written is not None and written.parameters is not None:
        is_meant = parameter.may_be_of(len(written.parameters))
        return _type(resolver, function, written.parameters[parameter.place] if is_meant else None)
    type_ = _type(resolver, function, names.type_of(text))
    if not isinstance(type_, Symbol):
        return UNKNOWN
    arguments = () if written is None else written.arguments
    types = [_type(resolver, function, path) for path in arguments]
    return _type_by_interface(resolver, type_, parameter, types)


def _type_by_interface(
    resolver: NameResolver,
    type_: Symbol,
    parameter: LambdaParameter,
    arguments: Sequence[Referent] = (),
) -> Referent:
    """What a function of a type is called with, the type being written with some others."""
    if type_.kind == "Type":  # another name for one
        written = named_function_type(type_.signature, type_.short)
        paths, function = () if written is None else written.parameters or (), type_
    elif (method := _only_method(resolver, type_)) is not None:
        types = method.parameters[0] if method.parameters else ()
        paths, function = tuple(map(names.type_of, types)), method
    else:
        return UNKNOWN
    path = paths[parameter.place] if parameter.may_be_of(len(paths)) else None
    type_parameters = _type_parameters(type_)
    if path is not None and len(path) == 1 and path[0] in type_parameters:
        place = type_parameters.index(path[0])
        return arguments[place] if place < len(arguments) else UNKNOWN
    return _type(resolver, function, path)


def _only_method(resolver: NameResolver, type_: Symbol) -> Symbol | None:
    """The method that an interface asks for, if that is one."""
    members = resolver.index.members.get(type_, {})
    abstract = [method for methods in members.values() for method in methods if method.abstract]
    return abstract[0] if type_.kind == "Interface" and len(abstract) == 1 else None


def _type_parameters(type_: Symbol) -> Sequence[str]:
    """The names of the parameters of a type, such as `T` of `Handler<T>`."""
    _, _, behind = type_.signature.partition(f"{type_.short}<")
    matches = map(_TYPE_PARAMETER.match, names.split_at_commas(behind))
    return [match["name"] for match in matches if match is not None]


def _type(resolver: NameResolver, function: Symbol, path: Path | None) -> Referent:
    """The type of that name where a function stands."""
    if path is None:
        return UNKNOWN
    site = resolver.index.site_of(function)
    referents = (resolver.walk(each, path) for each in (site, Site(site.outline)))
    return next(filter(None, map(type_or_none, referents)), UNKNOWN)
