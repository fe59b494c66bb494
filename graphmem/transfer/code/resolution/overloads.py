"""Which of the functions of a name a call means, as far as its arguments tell."""

from collections.abc import Iterable, Sequence

from graphmem.transfer.code.outlines.outline import Outline, Symbol, Use
from graphmem.transfer.code.resolution.extensions import is_called_on_object
from graphmem.transfer.code.resolution.namesakes import MOST_OF_A_NAME, Overloads
from graphmem.transfer.code.resolution.referents import symbols_of
from graphmem.transfer.code.resolution.resolver import Resolver
from graphmem.transfer.code.resolution.swift import likely_functions, may_mean

# More functions that fit say little of which one is meant.
MOST_OVERLOADS = 3


def fitting_functions(
    resolver: Resolver, outline: Outline, referent: Symbol | Overloads, use: Use
) -> tuple[Sequence[Symbol], bool]:
    """The functions that a call may mean: of the type they stand in, else of what is above it.

    Args:
        resolver: Knows the types.
        outline: The file of the call.
        referent: What the name means.
        use: The call.

    Returns:
        None, up to three, or what `referent` is where that is no function; and whether a single
        one is meant for certain.
    """
    symbols = symbols_of(referent)
    if len(symbols) > 1 and any(symbol.kind == "Macro" for symbol in symbols):
        return (symbols, False) if len(symbols) <= MOST_OVERLOADS else ((), True)
    if not symbols[0].is_callable:
        is_swift = outline.language.family == "swift"
        is_seen = not is_swift or may_mean(resolver.index, outline, use, symbols[0])
        return symbols if is_seen else (), not _is_added(resolver, symbols[0])
    if len(symbols) > MOST_OF_A_NAME:
        return (), True
    fits = _functions_taking(resolver, outline, symbols, use)
    owner = resolver.index.owners.get(symbols[0])
    if not fits and owner is not None:
        above = resolver.inheritance.members(owner, symbols[0].short)
        all_fits = (_functions_taking(resolver, outline, members, use) for members in above)
        fits = next(filter(None, all_fits), [])
    is_certain = not any(_is_added(resolver, symbol) for symbol in fits)
    if len(fits) > 1 and use.arguments:
        types = [_type_of(resolver, outline, use, argument) for argument in use.arguments]
        fits, is_certain = _best_typed(fits, types), is_certain and all(types)
    return (fits, is_certain) if len(fits) <= MOST_OVERLOADS else ((), True)


def _functions_taking(
    resolver: Resolver, outline: Outline, symbols: Iterable[Symbol], use: Use
) -> Sequence[Symbol]:
    """The functions that can be called there and take so many arguments."""
    if outline.language.family == "swift":
        return _swift_functions_taking(resolver, outline, symbols, use)
    visible = [symbol for symbol in symbols if not resolver.index.is_hidden(symbol, outline)]
    if use.arguments is None:
        return visible
    count = len(use.arguments)
    functions: list[Symbol] = []
    asking_for_more: list[Symbol] = []
    for symbol in visible:
        language = resolver.index.outlines[symbol.file].language
        if symbol.arity is None:
            # Where functions are told apart by arguments, what has no parameters is a property.
            functions += [] if language.has_overloads else [symbol]
        elif symbol.arity.allows(count + is_called_on_object(resolver.index, symbol, use.path)):
            functions.append(symbol)
        elif language.family == "c" and count < symbol.arity.least:
            asking_for_more.append(symbol)  # a declaration elsewhere may say values for the others
    return functions or asking_for_more


def _swift_functions_taking(
    resolver: Resolver, outline: Outline, symbols: Iterable[Symbol], use: Use
) -> Sequence[Symbol]:
    """The functions that can be called there and have the labels of the call."""
    fits = [
        symbol
        for symbol in symbols
        if may_mean(resolver.index, outline, use, symbol)
        and (
            use.arguments is None
            or symbol.arity is None
            or symbol.arity.allows(len(use.arguments), use.labels)
        )
    ]
    return likely_functions(fits, use)


def _is_added(resolver: Resolver, member: Symbol) -> bool:
    """Whether Swift adds a member to a type of another library, whose own members are not known."""
    owner = resolver.index.owners.get(member)
    return owner is not None and resolver.index.is_foreign(owner)


def _type_of(resolver: Resolver, outline: Outline, use: Use, argument: str) -> str:
    """The last name of an argument's type, also of a variable's; empty where it is not known."""
    if not argument.startswith("$"):
        return argument
    owner = None if use.origin is None else resolver.index.owners.get(use.origin)
    for scope in (use.origin, owner, outline.path):
        if scope is not None:
            variables = resolver.index.variables_of(scope, (argument[1:],))
            types = {variable.type[-1] for variable in variables if variable.type is not None}
            if types:
                return types.pop() if len(types) == 1 else ""
    return ""


def _best_typed(symbols: Sequence[Symbol], types: Sequence[str]) -> list[Symbol]:
    """Those functions of which most parameters have the very types that a call gives."""

    def count(symbol: Symbol) -> int:
        taken = () if symbol.arity is None else symbol.arity.types
        return sum(
            given.casefold() == wanted.casefold().removesuffix("[]")
            for given, wanted in zip(types, taken, strict=False)
            if given
        )

    most = max(map(count, symbols))
    return [symbol for symbol in symbols if count(symbol) == most]
