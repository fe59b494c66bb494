"""The parameters of functions without a name that a call gets as arguments."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from graphmem.transfer.code.outlines.definitions import Definitions
from graphmem.transfer.code.outlines.expressions import MOST_CHARACTERS, path_of_expression
from graphmem.transfer.code.outlines.outline import CALLED, LAST, LambdaParameter, Path, Variable
from graphmem.transfer.code.outlines.parsing import Match

_ARGUMENTS = frozenset({"argument_list", "arguments", "value_arguments"})
# A lambda that stands behind the other arguments, or after their parentheses.
_LAMBDAS_BEHIND = frozenset({"annotated_lambda", "lambda_literal"})
_SUFFIX_OF_SWIFT = "call_suffix"
_PARAMETERS = frozenset({"lambda_parameters", "lambda_function_type"})
_NAME = re.compile(r"\w+")
# Before the name of a parameter in Rust.
_BEFORE_NAME = re.compile(r"^(?:&|mut\s+)+")


def lambda_parameters(
    match: Match, file_definitions: Definitions
) -> Iterator[tuple[Variable, Node]]:
    """The parameters of a lambda that say no type, and their nodes."""
    if "lambda" not in match.nodes:
        return
    callee, argument = _callee(match), _argument(match)
    if callee is None or argument is None:
        return
    names_none = "it" in match.nodes
    names = list(_names(match))
    count = None if names_none else len(names)
    for place, (name, node) in enumerate(names):
        if name:
            variable = Variable(
                origin=file_definitions.symbol_at(node),
                path=(name,),
                creator=callee,
                # What the name means if the lambda has no parameter.
                origin_variable=name if names_none else None,
                lambda_parameter=LambdaParameter(argument, place, count),
            )
            yield variable, node


def _callee(match: Match) -> Path | None:
    """The path of what is called: all that stands before the arguments."""
    call = match.nodes["call"]
    kinds = _ARGUMENTS | _LAMBDAS_BEHIND | {_SUFFIX_OF_SWIFT}
    first = next((child for child in call.children if child.type in kinds), None)
    if first is None or first.start_byte - call.start_byte > MOST_CHARACTERS:
        return None
    text = match.source[call.start_byte : first.start_byte].decode("utf-8", "replace")
    path = path_of_expression(" ".join(text.split()))
    # In Kotlin a call with parentheses may be what a lambda stands behind.
    return path[:-1] if path and len(path) > 1 and path[-1] == CALLED else path


def _argument(match: Match) -> int | None:
    """Which argument the lambda is; None where the name of a parameter tells it."""
    call, lambda_ = match.nodes["call"], match.nodes["lambda"]
    last = call.children[-1]
    is_swift = last.type == _SUFFIX_OF_SWIFT
    for child in (last if is_swift else call).children:
        if child.type in _ARGUMENTS and child.end_byte >= lambda_.end_byte:
            arguments = [each for each in child.named_children if "comment" not in each.type]
            for index, argument in enumerate(arguments):
                if argument.start_byte <= lambda_.start_byte < argument.end_byte:
                    is_placed = is_swift or argument.start_byte == lambda_.start_byte
                    return index if is_placed else None
    return LAST


def _names(match: Match) -> Iterator[tuple[str, Node]]:
    """The names of the parameters and their nodes; an empty one that has a type, or is a pattern.

    A lambda that names none has `it` in Kotlin, and `$0` in Swift.
    """
    if "it" in match.nodes:
        # In Swift a list of what the lambda captures may stand before its parameters.
        first = match.nodes["lambda"].named_children[:2]
        if all(child.type not in _PARAMETERS for child in first):
            is_swift = match.nodes["call"].children[-1].type == _SUFFIX_OF_SWIFT
            yield "$0" if is_swift else "it", match.nodes["it"]
        return
    parameters = match.nodes["parameters"]
    # The `_` of Rust has no name and is a parameter.
    named = [child for child in parameters.children if child.is_named or child.type == "_"]
    for child in named or [parameters]:
        name = _BEFORE_NAME.sub("", match.text_of(child))
        yield name if _NAME.fullmatch(name) else "", child
