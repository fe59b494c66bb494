"""Of the definitions of a file that have one name, those that are symbols."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from graphmem.transfer.code.outlines import names
from graphmem.transfer.code.outlines.definition import Definition
from graphmem.transfer.code.outlines.outline import Path

# A person's file has fewer constants; each is an entity.
MOST_CONSTANTS = 200


def without_namesakes(symbols: Sequence[Definition]) -> Iterator[Definition]:
    """All but the constants that are called like another symbol, or like a constant before.

    Of a file that is a table of constants, as programs write it, none is a symbol. Of the ways in
    which an interface of TypeScript declares a method the first stands for all, and of those of
    Python the function that takes them all.
    """
    symbols = _without_secondary(symbols)
    paths = {definition.path for definition in symbols if definition.capture != "constant"}
    is_table = sum(definition.capture == "constant" for definition in symbols) > MOST_CONSTANTS
    declared = set[Path]()
    for definition in symbols:
        if definition.abstract and definition.arity is None:
            is_first = definition.path not in declared
            declared.add(definition.path)
        elif definition.capture == "constant":
            is_first = definition.path not in paths and not is_table
            paths.add(definition.path)
        else:
            is_first = True
        if is_first:
            yield definition


def _without_secondary(symbols: Sequence[Definition]) -> list[Definition]:
    """All but overloads in Python, and classes that only exist where types are not checked.

    Another definition of their name stands for them; where there is none, the first of them. What
    a function gives that says no type or several is what its overloads give, if they agree.
    """
    secondary = defaultdict[Path, list[Definition]](list)
    for definition in symbols:
        if definition.secondary:
            secondary[definition.path].append(definition)
    if not secondary:
        return list(symbols)
    primary = {item.path for item in symbols if item.path in secondary and not item.secondary}
    kept: list[Definition] = []
    left_out: set[int] = set()
    for definition in symbols:
        of_path = secondary.get(definition.path, [])
        is_replaced = definition.secondary and (
            definition.path in primary or definition is not of_path[0]
        )
        if is_replaced or id(definition.parent) in left_out:
            left_out.add(id(definition))
            continue
        kept.append(definition)
        if of_path and (definition.secondary or names.type_of(definition.returns) is None):
            returned = {names.type_of(item.returns): item.returns for item in of_path}
            definition.returns = next(iter(returned.values())) if len(returned) == 1 else ""
    return kept
