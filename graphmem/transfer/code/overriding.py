"""Which methods take the place of another one, of a type that theirs inherits from."""

from collections.abc import Iterator

from graphmem.transfer.code.index import Overloads
from graphmem.transfer.code.outline import Outline, Symbol
from graphmem.transfer.code.resolving import Resolver

# What makes an object is no other type's method.
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__construct", "constructor", "initialize"})


def overriding(resolver: Resolver, outline: Outline) -> Iterator[tuple[Symbol, Symbol]]:
    """The methods of a file, each with the one that it overrides or implements."""
    for symbol in outline.symbols:
        owner = resolver.index.owners.get(symbol)
        is_method = symbol.kind == "Method" and not symbol.static
        if owner is None or not is_method or symbol.short in {owner.short, *_CONSTRUCTORS}:
            continue
        for base in resolver.base_types(owner):
            if (overridden := _overridden(resolver, base, symbol)) is not None:
                yield symbol, overridden


def _overridden(resolver: Resolver, base: Symbol, method: Symbol) -> Symbol | None:
    """The method of a type, or of what it inherits from, that a method of an heir overrides."""
    place = resolver.member(base, method.short)
    overloads = place.symbols if isinstance(place, Overloads) else (place,)
    candidates = [
        symbol
        for symbol in overloads
        if isinstance(symbol, Symbol) and symbol.kind == "Method" and _most(symbol) == _most(method)
    ]
    return candidates[0] if len(candidates) == 1 and candidates[0] is not method else None


def _most(method: Symbol) -> int | None:
    """How many arguments a method takes at most: a heir may ask for more of them."""
    return None if method.arity is None else method.arity.most
