"""What the names of PHP mean: its namespaces are the packages of the index."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from graphmem.transfer.code.outlines.names import ROOT
from graphmem.transfer.code.outlines.outline import Import, Outline, Path, Symbol
from graphmem.transfer.code.resolution.index import Index, Overloads, nearest
from graphmem.transfer.code.resolution.places import (
    OUTSIDE,
    UNKNOWN,
    Module,
    Nowhere,
    Place,
    Somewhere,
)


class Names(Protocol):
    """Knows what names mean."""

    index: Index

    def step(self, place: Somewhere, name: str) -> Place:
        """What a name means right after a symbol or a module."""


def is_php_variable(outline: Outline, name: str) -> bool:
    """Whether a name is a variable of PHP, which no function or type is called like."""
    return outline.language.family == "php" and name.startswith("$")


def php_parent(bases: Sequence[Symbol]) -> Place:
    """What `parent` means: of what a class inherits from, the class."""
    parents = [base for base in bases if base.kind == "Class"]
    return parents[0] if len(parents) == 1 else OUTSIDE


def in_php_order(bases: Sequence[Symbol]) -> list[Symbol]:
    """What a class inherits from, in the order in which PHP looks for a member: traits go first."""
    return sorted(bases, key=lambda base: base.kind != "Trait")


def php_place(names: Names, outline: Outline, imports: Mapping[str, Import], path: Path) -> Place:
    """What a name of PHP means: what is imported, else of the namespace, else a root's function.

    Args:
        names: Knows what names mean.
        outline: The file it stands in.
        imports: Those of the file by the name they have in it.
        path: The name and what follows it.
    """
    first, *rest = path
    if first.startswith("$"):
        return UNKNOWN
    package = tuple(outline.package.split(ROOT)) if outline.package else ()
    if first in {ROOT, "namespace"}:
        return from_root(names, (*(package if first == "namespace" else ()), *rest))
    if (statement := imports.get(first)) is not None:
        return from_root(names, (*whole_name(statement), *rest))
    own = names.index.top_level.get(outline.path, {}).get(first)
    from_here = (*package, *path)
    place = from_root(names, from_here) if own is None else _steps(names, nearest(own), rest)
    if isinstance(place, Nowhere) and own is not None and rest:
        place = from_root(names, from_here)  # a namespace may be called as a type beside it
    if isinstance(place, Nowhere) and own is None and not rest:
        of_root = from_root(names, path)
        is_seen = isinstance(of_root, Symbol) and not of_root.is_type
        place = of_root if is_seen else place
    return place


def whole_name(statement: Import) -> Path:
    """The whole name that an import of PHP names."""
    return tuple(
        part for part in f"{statement.module}{ROOT}{statement.name or ''}".split(ROOT) if part
    )


def from_root(names: Names, path: Path) -> Place:
    r"""What a whole name of PHP means: `A` in `A\b` may be a type or a namespace, or both."""
    for end in range(len(path) - 1, -1, -1):
        symbols = names.index.packages.get(("php", ROOT.join(path[:end])), {}).get(path[end])
        if symbols:
            return _steps(names, nearest(symbols), path[end + 1 :])
    package = ("php", ROOT.join(path))
    return Module(package=package) if package in names.index.packages else OUTSIDE


def _steps(names: Names, start: Symbol | Overloads | None, path: Sequence[str]) -> Place:
    place: Place = start or OUTSIDE
    for name in path:
        place = OUTSIDE if isinstance(place, Nowhere) else names.step(place, name)
    return place
