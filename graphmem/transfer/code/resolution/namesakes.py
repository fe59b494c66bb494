"""Symbols of one name, and which of them the name means."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from posixpath import dirname

from graphmem.transfer.code.outlines.outline import Path, Symbol

# A person's type has fewer methods of one name.
MOST_OF_A_NAME = 200


class Namesakes(list[Symbol]):
    """Symbols of one name, which may be thousands in a file and be asked for as often."""

    @cached_property
    def above(self) -> dict[Path, list[Symbol]]:
        """The symbols by the path of what they stand in."""
        by_path: dict[Path, list[Symbol]] = {}
        for symbol in self:
            by_path.setdefault(symbol.path[:-1], []).append(symbol)
        return by_path

    def add(self, symbol: Symbol) -> None:
        """Note one more."""
        self.append(symbol)
        self.__dict__.pop("above", None)

    def drop(self, symbol: Symbol) -> None:
        """Forget a symbol."""
        self.remove(symbol)
        self.__dict__.pop("above", None)


@dataclass(frozen=True, slots=True)
class Overloads:
    """Functions of one name in one place, of which a call means one: two at least."""

    symbols: tuple[Symbol, ...]

    @property
    def file(self) -> str:
        """The file of the first."""
        return self.symbols[0].file

    @property
    def short(self) -> str:
        """Their own name."""
        return self.symbols[0].short


def nearest(symbols: Sequence[Symbol], near: Path = ()) -> Symbol | Overloads | None:
    """What a name means: of several the one that shares most of a path, or overloads."""
    if len(symbols) < 2:  # noqa: PLR2004 - none or one
        return only_meaning(symbols)
    by_prefix = symbols.above if isinstance(symbols, Namesakes) else Namesakes(symbols).above
    for end in range(len(near), -1, -1):
        if (candidates := by_prefix.get(near[:end])) is not None:
            return only_meaning(candidates)
    return None


def only_meaning(symbols: Sequence[Symbol]) -> Symbol | Overloads | None:
    """What a name means that all these symbols have: one, functions of a file, or nothing.

    Those of several files are of programs that do not know each other, but in a folder of Go, which
    has one of them on each platform: there it is all functions, or the first constant.
    """
    if len(symbols) < 2:  # noqa: PLR2004 - none or one
        return symbols[0] if symbols else None
    files = {symbol.file for symbol in symbols}
    if len(files) == 1:
        return overloads(symbols)
    if not all(file.endswith(".go") for file in files) or len(set(map(dirname, files))) > 1:
        return None
    are_constants = all(symbol.kind == "Constant" for symbol in symbols)
    return symbols[0] if are_constants else overloads(symbols)


def overloads(symbols: Sequence[Symbol]) -> Overloads | None:
    """What several symbols of a name in one place are: overloads, unless one of them is a type.

    More than a person writes would each be looked at for each call. Macros of a name are for
    different platforms, as functions may be.
    """
    are_functions = len(symbols) <= MOST_OF_A_NAME and all(
        symbol.is_callable or symbol.kind == "Macro" for symbol in symbols
    )
    return Overloads(tuple(symbols)) if are_functions else None
