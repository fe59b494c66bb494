"""Which members of a type make its objects."""

from collections.abc import Iterator

from graphmem.transfer.code.languages import Family
from graphmem.transfer.code.outlines.outline import Symbol
from graphmem.transfer.code.resolution.index import Index

_CONSTRUCTORS = {
    "python": {"__init__", "__new__"}, "php": {"__construct"}, "ecmascript": {"constructor"},
    "ruby": {"initialize"}, "swift": {"init"},
}  # fmt: skip


def is_constructor(symbol: Symbol, owner: Symbol, family: Family) -> bool:
    """Whether a member of a type makes its objects."""
    return symbol.short == owner.short or symbol.short in _CONSTRUCTORS.get(family, ())


def constructors_of(index: Index, type_: Symbol) -> Iterator[Symbol]:
    """The members of a type that make its objects."""
    family = index.family_of(type_)
    for members in index.members.get(type_, {}).values():
        if is_constructor(members[0], type_, family):
            yield from members
