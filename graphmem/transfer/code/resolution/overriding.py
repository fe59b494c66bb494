"""Which methods take the place of another one, of a type that theirs inherits from."""

from collections.abc import Iterator, Sequence

from graphmem.transfer.code.languages import Language
from graphmem.transfer.code.outlines.outline import Outline, Symbol
from graphmem.transfer.code.resolution.constructors import is_constructor
from graphmem.transfer.code.resolution.namesakes import MOST_OF_A_NAME
from graphmem.transfer.code.resolution.resolver import Resolver
from graphmem.transfer.code.resolution.sites import Site
from graphmem.transfer.code.resolution.swift import shape


def overridden_methods(resolver: Resolver, outline: Outline) -> Iterator[tuple[Symbol, Symbol]]:
    """The methods of a file, each with one that it overrides or implements."""
    family = outline.language.family
    is_swift = family == "swift"
    for symbol in outline.symbols:
        owner = resolver.index.owners.get(symbol)
        # A `deinit` ends the objects of its own type, as a constructor makes them.
        may_override = symbol.short != "deinit" if is_swift else _is_inherited(symbol)
        if owner is None or symbol.kind != "Method" or not may_override:
            continue
        if is_constructor(symbol, owner, family):
            continue
        if is_swift:
            overridden = _overridden_in_swift(resolver, owner, symbol)
        else:
            overridden = (
                method
                for base in _bases(resolver, outline, owner, symbol)
                if _is_marked_override(symbol, base, outline.language)
                for method in _overridden(resolver, base, symbol)
            )
        yield from ((symbol, method) for method in dict.fromkeys(overridden))


def _overridden_in_swift(resolver: Resolver, owner: Symbol, method: Symbol) -> Iterator[Symbol]:
    """What a method of Swift overrides, by its labels.

    A method of a protocol's extension serves types without their own: it implements what the
    protocol asks for.
    """
    own = resolver.index.members[owner][method.short]
    if not method.abstract and len(own) <= MOST_OF_A_NAME:
        yield from (asked for asked in own if asked.abstract and shape(asked) == shape(method))
    for base in resolver.inheritance.bases(owner):
        for members in resolver.inheritance.members(base, method.short):
            if len(members) > MOST_OF_A_NAME:
                break
            same = [
                symbol
                for symbol in members
                if symbol is not method and shape(symbol) == shape(method)
            ]
            asked_for = [symbol for symbol in same if symbol.abstract]
            if same:
                overridden = asked_for or same
                yield from overridden if len(overridden) == 1 else ()
                break


def _is_inherited(symbol: Symbol) -> bool:
    """Whether heirs have it too: a method of the objects of a type that is not private."""
    is_method = symbol.kind == "Method" and not symbol.static
    return is_method and not {"private", "static"}.intersection(symbol.modifiers)


def _bases(resolver: Resolver, outline: Outline, owner: Symbol, method: Symbol) -> Sequence[Symbol]:
    """The types that may have what a method overrides; in Rust the trait its `impl` names."""
    if outline.language.family != "rust":
        return resolver.inheritance.bases(owner)
    trait = method.implements and resolver.walk(Site(outline), method.implements)
    return [trait] if isinstance(trait, Symbol) else []


def _is_marked_override(method: Symbol, base: Symbol, language: Language) -> bool:
    """Whether a method says that it overrides, where a language asks for that."""
    is_asked = language.name == "kotlin" or (language.name == "csharp" and base.kind == "Class")
    return not is_asked or "override" in method.modifiers


def _overridden(resolver: Resolver, base: Symbol, method: Symbol) -> list[Symbol]:
    """The method of a type, or of the nearest one above it, that takes the same arguments."""
    for members in resolver.inheritance.members(base, method.short):
        if len(members) > MOST_OF_A_NAME:
            return []
        candidates = [
            symbol
            for symbol in members
            if _is_inherited(symbol) and symbol is not method and _most(symbol) == _most(method)
        ]
        if len(candidates) > 1:
            candidates = [symbol for symbol in candidates if _types(symbol) == _types(method)]
        if candidates:
            return candidates if len(candidates) == 1 else []
    return []


def _most(method: Symbol) -> int | None:
    """How many arguments a method takes at most: an heir may ask for fewer of them."""
    return None if method.arity is None else method.arity.most


def _types(method: Symbol) -> tuple[str, ...]:
    return () if method.arity is None else method.arity.types
