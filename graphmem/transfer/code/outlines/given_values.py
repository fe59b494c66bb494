"""What functions give that say no type: the values behind `return`."""

from collections.abc import Iterator

from tree_sitter import Node

from graphmem.transfer.code.outlines.definition import Definition
from graphmem.transfer.code.outlines.definitions import Definitions
from graphmem.transfer.code.outlines.expressions import NO_NAME, path_or_no_name
from graphmem.transfer.code.outlines.outline import CALLED, GIVEN, SELF, Variable
from graphmem.transfer.code.outlines.parsing import Match

_FUNCTIONS = frozenset(
    {"anonymous_function", "arrow_function", "function_declaration", "function_definition",
     "function_expression", "generator_function", "generator_function_declaration", "lambda",
     "lambda_literal", "method_declaration", "method_definition"}
)  # fmt: skip
# What a function gives where it has nothing to give.
_NOTHING = frozenset({"none", "null", "undefined", "false"})
_EITHER = frozenset({"conditional_expression", "ternary_expression"})


def given_values(match: Match, file_definitions: Definitions) -> Iterator[tuple[Variable, Node]]:
    """The values that a match says a function gives, and their nodes.

    What a function inside of it gives is not meant.
    """
    node = match.nodes.get("given")
    around = None if node is None else file_definitions.around(node.start_byte)
    if node is None or around is None or around.symbol is None or not _is_of(around, node):
        return
    for value in _values(node):
        path = path_or_no_name(match, value)
        is_variable = len(path) == 1 and path[0] not in {*SELF, NO_NAME}
        creator = path[:-1] if path[-1] == CALLED else path
        variable = Variable(
            origin=around.symbol,
            path=GIVEN,
            creator=None if is_variable else creator,
            origin_variable=path[0] if is_variable else None,
        )
        yield variable, value


def _is_of(function: Definition, node: Node) -> bool:
    """Whether no other function is between a function and what stands in it."""
    functions = 0
    parent = node.parent
    while parent is not None and parent.start_byte >= function.start:
        functions += parent.type in _FUNCTIONS
        parent = parent.parent
    return functions == 1


def _values(node: Node) -> Iterator[Node]:
    """The values that an expression may have, without those that mean that there is none."""
    nodes = [node]
    while nodes:
        node = nodes.pop()
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            nodes += node.named_children
        elif node.type in _EITHER:
            parts = [child for child in node.named_children if child.type != "comment"]
            condition = node.child_by_field_name("condition")
            # Python has the condition in the middle.
            nodes += parts[::2] if condition is None else parts[1:]
        elif node.type not in _NOTHING:
            yield node
