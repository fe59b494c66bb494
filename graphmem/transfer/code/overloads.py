"""Which of the functions of a name a call means, as far as the number of arguments tells."""

from collections.abc import Iterable, Sequence

from graphmem.transfer.code.index import Overloads
from graphmem.transfer.code.outline import Outline, Symbol
from graphmem.transfer.code.resolving import Resolver

# More functions that fit say little of which one is meant.
MOST_OVERLOADS = 3


def fitting(
    resolver: Resolver, outline: Outline, place: Symbol | Overloads, count: int | None
) -> Sequence[Symbol]:
    """The functions that a call may mean: of the type they stand in, else of what is above it.

    Args:
        resolver: Knows the types.
        outline: The file of the call.
        place: What the name means.
        count: How many arguments the call gives, None where it does not say that.

    Returns:
        None, up to three, or what `place` is where that is no function.
    """
    symbols = place.symbols if isinstance(place, Overloads) else (place,)
    if not symbols[0].is_callable:
        return symbols
    fits = _taking(resolver, outline, symbols, count)
    owner = resolver.index.owners.get(symbols[0])
    if not fits and owner is not None:
        above = resolver.inheritance.members(owner, symbols[0].short)
        all_fits = (_taking(resolver, outline, members, count) for members in above)
        fits = next(filter(None, all_fits), [])
    return fits if len(fits) <= MOST_OVERLOADS else ()


def _taking(
    resolver: Resolver, outline: Outline, symbols: Iterable[Symbol], count: int | None
) -> list[Symbol]:
    visible = [symbol for symbol in symbols if not symbol.private or symbol.file == outline.path]
    if count is None:
        return visible
    functions: list[Symbol] = []
    less: list[Symbol] = []
    for symbol in visible:
        language = resolver.index.outlines[symbol.file].language
        if symbol.arity is None:
            # Where functions are told apart by arguments, what has no parameters is a property.
            functions += [] if language.has_overloads else [symbol]
        elif symbol.arity.allows(count):
            functions.append(symbol)
        elif language.family == "c" and count < symbol.arity.least:
            less.append(symbol)  # its declaration elsewhere may say values for the others
    return functions or less
