"""What type parameters of Rust are bound to be: a trait, or a function of some parameters."""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from graphmem.transfer.code.outlines.names import unwrapped
from graphmem.transfer.code.outlines.parsing import Match

_FUNCTION = re.compile(r"\bFn(?:Mut|Once)?\s*\(")
_OTHER_BOUNDS = re.compile(r"\)\s*\+.*$")
_RESULT = "->"
_PARAMETER = "parameter"
# By its usual length: all other names would be looked for in vain.
_TYPE_PARAMETER = re.compile(r"[A-Z][A-Z0-9]?")


def with_bounds(match: Match, definition: Node, types: Sequence[str]) -> tuple[str, ...]:
    """The types of parameters, the bound `FnMut(Row) -> bool` in place of the `F` that it is of."""
    if definition.type not in {"function_item", "function_signature_item"}:
        return tuple(types)
    bounds = dict(_bounds(match, definition))
    return tuple(_as_function(bounds.get(written, written)) for written in types)


def bound_type(match: Match) -> str:
    """What a variable is typed with, or the trait `Matcher` where an `M` is bound to be one."""
    written, node = match.text("typed"), match.nodes.get("typed")
    is_parameter = node is not None and node.parent is not None and node.parent.type == _PARAMETER
    name = unwrapped(written) if is_parameter else ""
    node = node if _TYPE_PARAMETER.fullmatch(name) else None
    while node is not None:
        if node.type in {"function_item", "impl_item"}:
            trait = dict(_bounds(match, node)).get(name, "").partition("+")[0].strip()
            if trait and not _FUNCTION.search(trait):
                return trait
        node = node.parent
    return written


def _as_function(written: str) -> str:
    """A type that is a function's as such, also where it gives nothing and says no result."""
    if _FUNCTION.search(written) is None:
        return written
    bare = unwrapped(written)
    return bare if _RESULT in bare else f"{_OTHER_BOUNDS.sub(')', bare)} {_RESULT} ()"


def _bounds(match: Match, definition: Node) -> Iterator[tuple[str, str]]:
    """The names of a function's type parameters, each with what it is bound to be."""
    for child in definition.children:
        if child.type in {"type_parameters", "where_clause"}:
            for bounded in child.named_children:
                name = bounded.child_by_field_name("name") or bounded.child_by_field_name("left")
                bound = bounded.child_by_field_name("bounds")
                if name is not None and bound is not None:
                    yield match.text_of(name), match.text_of(bound).lstrip(": ")
