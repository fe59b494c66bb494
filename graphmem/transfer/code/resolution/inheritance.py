"""What stands above a type, and what members it has from there."""

from collections.abc import Iterable, Iterator, Sequence

from graphmem.transfer.code.outlines.names import type_of
from graphmem.transfer.code.outlines.outline import Outline, Path, Symbol
from graphmem.transfer.code.resolution.index import MOST_BASES
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.php_names import in_php_order
from graphmem.transfer.code.resolution.sites import Site


class Inheritance:
    """Looks up the bases of types, each once.

    Args:
        resolver: Knows what names mean.
    """

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._paths: dict[Symbol, list[tuple[Outline, Path]]] = {}
        for outline in resolver.index.outlines.values():
            for use in outline.uses:
                if use.relation == "INHERITS" and use.origin is not None:
                    self._paths.setdefault(use.origin, []).append((outline, use.path))
            for symbol in outline.symbols:
                if (path := _other_name_of(symbol)) is not None:
                    self._paths.setdefault(symbol, []).append((outline, path))
        for parts in dict.fromkeys(resolver.index.parts.values()):
            paths = [path for part in parts for path in self._paths.get(part, ())]
            self._paths.update(dict.fromkeys(parts, paths))
        # While they are being looked up there are none, so circles end.
        self._bases: dict[Symbol, list[Symbol]] = {}

    def add(self, by_extension: Iterable[tuple[Symbol, Outline, Path]]) -> None:
        """Note what types inherit by extensions, each with its file; nothing looked up is kept."""
        for heir, outline, path in by_extension:
            self._paths.setdefault(heir, []).append((outline, path))
        self._bases.clear()

    def bases(self, owner: Symbol) -> list[Symbol]:
        """The types that a type inherits from, as far as the folder has them."""
        if owner not in self._bases:
            self._bases[owner] = []
            owner_around = self._resolver.index.owners.get(owner)
            paths = self._paths.get(owner, ())
            referents = [
                self._resolver.walk(Site(outline, owner_around), path) for outline, path in paths
            ]
            symbols = [referent for referent in referents if isinstance(referent, Symbol)]
            is_php = self._resolver.index.outlines[owner.file].language.family == "php"
            self._bases[owner] = in_php_order(symbols) if is_php else symbols
        return self._bases[owner]

    def line(self, owner: Symbol) -> Iterator[Symbol]:
        """A type and all that it inherits from, the nearest first."""
        queue, visited = [owner], {owner}
        while queue and len(visited) <= MOST_BASES:
            ancestor = queue.pop(0)
            yield ancestor
            bases = [base for base in self.bases(ancestor) if base not in visited]
            visited.update(bases)
            queue += bases

    def members(self, owner: Symbol, name: str) -> Iterator[Sequence[Symbol]]:
        """What a type has of a name, then what those above it have, the nearest first."""
        for ancestor in self.line(owner):
            if members := self._resolver.index.members.get(ancestor, {}).get(name):
                yield members


def _other_name_of(symbol: Symbol) -> Path | None:
    """What a type is another name of, as `type Range = Match` says; its members are that one's."""
    if symbol.kind != "Type":
        return None
    _, mark, written = symbol.signature.partition("=")
    return type_of(written.removesuffix(";")) if mark else None
