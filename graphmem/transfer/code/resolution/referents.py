"""What a name leads to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from graphmem.transfer.code.outlines.outline import Symbol
from graphmem.transfer.code.resolution.index import Package
from graphmem.transfer.code.resolution.namesakes import Overloads


@dataclass(frozen=True, slots=True)
class Module:
    """A file, or a package of several files, that names lead into."""

    file: str | None = None
    package: Package | None = None


class Unresolved(Enum):
    """What a name means that is no symbol of the folder."""

    OUTSIDE = "it is known not to be in the folder"
    UNKNOWN = "nothing is known of it"


OUTSIDE: Final = Unresolved.OUTSIDE
UNKNOWN: Final = Unresolved.UNKNOWN
Referent = Symbol | Overloads | Module | Unresolved


def type_or_none(referent: Referent | None) -> Symbol | None:
    """The type that a name leads to; None where it leads to anything else."""
    return referent if isinstance(referent, Symbol) and referent.is_type else None


def symbols_of(referent: Referent | None) -> Sequence[Symbol]:
    """The symbols that a name leads to: one, or several functions; none for anything else."""
    if isinstance(referent, Overloads):
        return referent.symbols
    return (referent,) if isinstance(referent, Symbol) else ()


def common_referent(referents: Iterable[Referent]) -> Referent:
    """What all of several names lead to; UNKNOWN where they lead to several, or there are none."""
    distinct = set(referents)
    return distinct.pop() if len(distinct) == 1 else UNKNOWN
