"""The modules of Swift, whose files share names, and the types that extensions add to."""

import posixpath
from collections.abc import Collection, Iterable, Sequence

from graphmem.transfer.code.files.folder import parents
from graphmem.transfer.code.modules.files import only_nearest
from graphmem.transfer.code.outlines.outline import Outline, Path, Symbol, Use
from graphmem.transfer.code.resolution.index import Index
from graphmem.transfer.code.resolution.namesakes import MOST_OF_A_NAME, Overloads

PACKAGE = "Package.swift"
# In a package each folder below these holds a module.
_MODULE_FOLDERS = frozenset({"Sources", "Tests", "Plugins"})


def package_folders(paths: Iterable[str]) -> frozenset[str]:
    """The folders that are Swift packages."""
    return frozenset(
        posixpath.dirname(path) for path in paths if posixpath.basename(path) == PACKAGE
    )


def module_folder(path: str, packages: Collection[str]) -> str:
    """The folder of the module that a file belongs to.

    It ends in `/` for what a package, or a folder without one, holds beside its modules, which
    other files cannot import; empty for the imported folder itself.

    Args:
        path: Of the file.
        packages: The folders that are packages.
    """
    package = next((folder for folder in parents(path) if folder in packages), None)
    if package is None:
        return ""
    above = f"{package}/" if package else ""
    parts = path.removeprefix(above).split("/")
    is_in_module = parts[0] in _MODULE_FOLDERS and len(parts) > len(("Sources", "Vapor"))
    return f"{above}{parts[0]}/{parts[1]}" if is_in_module else above


def nearest_module(folders: Collection[str], file: str) -> str | None:
    """Of modules of one name the folder that is nearest to a file, None where two are as near."""
    parts = file.split("/")
    return only_nearest(
        folders, lambda folder: len(posixpath.commonprefix([folder.split("/"), parts]))
    )


Shape = tuple[int | None, Path, bool]


def shape(method: Symbol) -> Shape:
    """What tells a method from its overloads: how many arguments it takes, and their labels."""
    arity = method.arity
    most, labels = (None, ()) if arity is None else (arity.most, arity.labels)
    return most, labels, method.static


def members_of(levels: Sequence[Sequence[Symbol]]) -> Symbol | Overloads | None:
    """What a name means that a type and those it inherits from have, the type first.

    Overloads of a base are seen beside those of its heir. A method of a protocol's extension that
    serves types without their own is seen as what the protocol asks for. None is, where there are
    more of a name than a person writes: each would be looked at for each call.
    """
    if sum(map(len, levels)) > MOST_OF_A_NAME:
        return None
    if not levels or levels[0][0].arity is None:
        return levels[0][0] if levels else None
    symbols: list[Symbol] = []
    shapes: set[Shape] = set()
    for level in levels:
        asked_for = {shape(symbol) for symbol in level if symbol.abstract}
        kept_symbols = [
            symbol
            for symbol in level
            if shape(symbol) not in shapes and (symbol.abstract or shape(symbol) not in asked_for)
        ]
        symbols += kept_symbols
        shapes.update(map(shape, kept_symbols))
    functions = [symbol for symbol in symbols if symbol.arity is not None]
    return functions[0] if len(functions) == 1 else Overloads(tuple(functions))


def may_mean(index: Index, outline: Outline, use: Use, symbol: Symbol) -> bool:
    """Whether a call may mean a symbol.

    It may not if that is private in another file, or stands in another module of tests, which
    nothing imports, or is asked of a value and belongs to the type.
    """
    is_private = symbol.private and symbol.file != outline.path
    if symbol.test and index.outlines[symbol.file].package != outline.package:
        return False
    is_bare = len(use.path) == 1  # which may mean a method of a type around the caller's
    return not is_private and (not symbol.static or is_bare or _is_of_type(use, otherwise=True))


def _is_of_type(use: Use, *, otherwise: bool) -> bool:
    """Whether a call asks a type for its method, as far as that is known."""
    owner = use.path[-2] if len(use.path) > 1 else "self"
    if owner != "self":
        return owner.lstrip("_")[:1].isupper()
    return otherwise if use.origin is None or use.origin.is_type else use.origin.static


def likely_functions(symbols: Sequence[Symbol], use: Use) -> Sequence[Symbol]:
    """Of overloads that fit a call those it likely means: of a type, or for a closure behind it."""
    is_of_type = _is_of_type(use, otherwise=False)
    symbols = [symbol for symbol in symbols if symbol.static == is_of_type] or symbols
    if len(use.arguments or ()) > len(use.labels):
        with_closure = [symbol for symbol in symbols if symbol.arity and symbol.arity.closure]
        symbols = with_closure or symbols
    return symbols
