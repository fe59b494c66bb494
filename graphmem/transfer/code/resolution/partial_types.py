"""Types of C# that several files have parts of: each part has what all have."""

import re
from collections.abc import Iterator, Sequence
from posixpath import basename

from graphmem.transfer.code.outlines.outline import Path, Symbol, Variable
from graphmem.transfer.code.resolution.index import Index, package_of
from graphmem.transfer.code.resolution.namesakes import Namesakes

_PARAMETERS = re.compile(r"\s*<([^()]*?)>")


def join_parts(index: Index) -> None:
    """Note which types are parts of one; the name means the part whose file is called so, or one.

    Args:
        index: Whose types, members and variables are joined.
    """
    for parts in _partial_types(index):
        whole = next(filter(_has_name_of_file, parts), parts[0])
        index.parts.update(
            dict.fromkeys(parts, (whole, *(each for each in parts if each != whole)))
        )
    for parts in dict.fromkeys(index.parts.values()):
        members: dict[str, Namesakes] = {}
        for part in parts:
            _name_whole(index, part)
            for name, symbols in index.members.get(part, {}).items():
                of_name = members.setdefault(name, Namesakes())
                for symbol in dict.fromkeys(map(index.whole, symbols)):
                    if symbol not in of_name:
                        of_name.add(symbol)
        index.members.update(dict.fromkeys(parts, members))
        variables = [index.variables.get(part, {}) for part in parts]
        joined: dict[Path, list[Variable]] = {}
        for of_part in variables:
            for path, of_path in of_part.items():
                joined.setdefault(path, []).extend(of_path)
        index.variables.update(dict.fromkeys(parts, joined))


def _partial_types(index: Index) -> Iterator[Sequence[Symbol]]:
    """The parts of each type that has several, in the order of the files."""
    parts: dict[tuple[object, ...], list[Symbol]] = {}
    for outline in index.outlines.values():
        if outline.language.family == "csharp":
            for symbol in outline.symbols:
                if symbol.is_type and "partial" in symbol.modifiers:
                    key = (package_of(outline), symbol.path, _parameter_count(symbol))
                    parts.setdefault(key, []).append(symbol)
    yield from (symbols for symbols in parts.values() if len(symbols) > 1)


def _has_name_of_file(part: Symbol) -> bool:
    """Whether its file is called as it is: `Row.cs`, or `Store.Row.cs` inside of another type."""
    return f".{basename(part.file)}".endswith(f".{part.short}.cs")


def _parameter_count(symbol: Symbol) -> int:
    """How many types a type takes: `Policy` is another one than `Policy<T>`."""
    behind = symbol.signature.partition(symbol.short)[2]
    parameters = _PARAMETERS.match(behind)
    return 0 if parameters is None else parameters[1].count(",") + 1


def _name_whole(index: Index, part: Symbol) -> None:
    """Let the name of a part mean the whole, in its file and in its namespace."""
    package = package_of(index.outlines[part.file])
    of_file = index.top_level.get((part.file, part.short))
    of_package = None if package is None else index.packages.get(package, {}).get(part.short)
    whole = index.whole(part)
    for of_name in (of_file, of_package):
        if of_name is not None and part is not whole and part in of_name:
            of_name.drop(part)
            if whole not in of_name:
                of_name.add(whole)
