"""What scripts take out of objects: `const { push } = context`, and `({ store }: Props) => …`."""

from collections.abc import Iterator

from tree_sitter import Node

from graphmem.transfer.code.outlines import names
from graphmem.transfer.code.outlines.definitions import Definitions
from graphmem.transfer.code.outlines.expressions import path_at
from graphmem.transfer.code.outlines.outline import Path, Variable
from graphmem.transfer.code.outlines.parsing import Match

# What is taken out of what these give is imported.
_MODULE_LOADERS = frozenset({"import", "require"})


def destructured_members(match: Match) -> Iterator[tuple[Node, Path]]:
    """The names that a match takes out of an object, and the paths of the members they mean.

    The object of a parameter is one of its type.
    """
    pattern = match.nodes.get("destructured")
    if pattern is None:
        return
    typed = names.type_of(match.text("typed")) if "typed" in match.nodes else None
    path = path_at(match, match.nodes["object"]) if "object" in match.nodes else typed
    if path is None or path[0] in _MODULE_LOADERS:
        return
    for child in pattern.named_children:
        key = child.child_by_field_name("key") or child.child_by_field_name("left") or child
        value = child.child_by_field_name("value") or key
        value = value.child_by_field_name("left") or value
        if value.type in {"identifier", "shorthand_property_identifier_pattern"}:
            yield value, (*path, match.text_of(key))


def destructured_variables(
    match: Match, file_definitions: Definitions
) -> Iterator[tuple[Variable, Node]]:
    """The variables of these names, and their nodes."""
    for node, path in destructured_members(match):
        origin = file_definitions.symbol_at(node)
        yield Variable(origin, (match.text_of(node),), creator=path), node
