"""What the names of PHP mean: its namespaces are the packages of the index."""

from collections.abc import Mapping, Sequence

from graphmem.transfer.code.outlines.names import ROOT
from graphmem.transfer.code.outlines.outline import Import, Outline, Path, Symbol
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.namesakes import nearest
from graphmem.transfer.code.resolution.referents import (
    OUTSIDE,
    UNKNOWN,
    Module,
    Referent,
    Unresolved,
)


def is_php_variable(outline: Outline, name: str) -> bool:
    """Whether a name is a variable of PHP, which no function or type is called like."""
    return outline.language.family == "php" and name.startswith("$")


def php_parent(bases: Sequence[Symbol]) -> Referent:
    """What `parent` means: of what a class inherits from, the class."""
    parents = [base for base in bases if base.kind == "Class"]
    return parents[0] if len(parents) == 1 else OUTSIDE


def in_php_order(bases: Sequence[Symbol]) -> list[Symbol]:
    """What a class inherits from, in the order in which PHP looks for a member: traits go first."""
    return sorted(bases, key=lambda base: base.kind != "Trait")


def php_referent(
    resolver: NameResolver, outline: Outline, imports: Mapping[str, Import], path: Path
) -> Referent:
    """What a name of PHP means: what is imported, else of the namespace, else a root's function.

    Args:
        resolver: Knows what names mean.
        outline: The file it stands in.
        imports: Those of the file by the name they have in it.
        path: The name and what follows it.
    """
    first, *rest = path
    if first.startswith("$"):
        return UNKNOWN
    package = tuple(outline.package.split(ROOT)) if outline.package else ()
    if first in {ROOT, "namespace"}:
        return from_root(resolver, (*(package if first == "namespace" else ()), *rest))
    if (statement := imports.get(first)) is not None:
        return from_root(resolver, (*whole_name(statement), *rest))
    own = resolver.index.top_level.get((outline.path, first))
    from_here = (*package, *path)
    if own is None:
        referent = from_root(resolver, from_here)
    else:
        referent = resolver.step(nearest(own) or OUTSIDE, *rest)
    if isinstance(referent, Unresolved) and own is not None and rest:
        referent = from_root(resolver, from_here)  # a namespace may be called as a type beside it
    if isinstance(referent, Unresolved) and own is None and not rest:
        of_root = from_root(resolver, path)
        is_seen = isinstance(of_root, Symbol) and not of_root.is_type
        referent = of_root if is_seen else referent
    return referent


def whole_name(statement: Import) -> Path:
    """The whole name that an import of PHP names."""
    return tuple(
        part for part in f"{statement.module}{ROOT}{statement.name or ''}".split(ROOT) if part
    )


def from_root(resolver: NameResolver, path: Path) -> Referent:
    r"""What a whole name of PHP means: `A` in `A\b` may be a type or a namespace, or both."""
    for end in range(len(path) - 1, -1, -1):
        symbols = resolver.index.packages.get(("php", ROOT.join(path[:end])), {}).get(path[end])
        if symbols:
            return resolver.step(nearest(symbols) or OUTSIDE, *path[end + 1 :])
    package = ("php", ROOT.join(path))
    return Module(package=package) if package in resolver.index.packages else OUTSIDE
