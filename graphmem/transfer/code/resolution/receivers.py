"""The types that symbols stand in, and what functions call `this`."""

from graphmem.transfer.code.outlines.outline import Symbol
from graphmem.transfer.code.resolution.extensions import extended_type
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.namesakes import nearest
from graphmem.transfer.code.resolution.referents import type_or_none
from graphmem.transfer.code.resolution.sites import Site


class Receivers:
    """Looks up the types around symbols, each once.

    Args:
        resolver: Knows what names mean.
    """

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._types_around: dict[Symbol, Symbol | None] = {}

    def receiver(self, origin: Symbol | None) -> Symbol | None:
        """The type of what a function calls `this`; None for one of another library."""
        if origin is None or origin.extended is None:
            return self.type_around(origin)
        is_kotlin = self._resolver.index.family_of(origin) == "java"
        return extended_type(self._resolver, origin) if is_kotlin else self.type_around(origin)

    def type_around(self, origin: Symbol | None) -> Symbol | None:
        """The type that a symbol stands in, or is."""
        if origin is None or origin.is_type:
            return origin
        if origin not in self._types_around:
            owner = self._resolver.index.owners.get(origin)
            self._types_around[origin] = owner or self._fixture(origin)
        return self._types_around[origin]

    def _fixture(self, test: Symbol) -> Symbol | None:
        """The class whose members a test sees that C++'s `TEST_F(Class, Name)` defines."""
        index = self._resolver.index
        suite, dot, _ = test.short.partition(".")
        if not dot or index.family_of(test) != "c":
            return None
        symbol = nearest(index.top_level.get((test.file, suite), ()), test.path)
        site = Site(index.outlines[test.file])
        return type_or_none(symbol or self._resolver.walk(site, (suite,)))
