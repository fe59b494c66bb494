"""How many arguments a call gives and a function takes: by this, overloads are told apart."""

import re

from tree_sitter import Node

from graphmem.transfer.code.outline import Arity
from graphmem.transfer.code.parsing import Match

_PARAMETER_LISTS = frozenset({"formal_parameters", "parameter_list", "function_value_parameters"})
_PARAMETERS = frozenset({"formal_parameter", "parameter", "parameter_declaration"})
_OPTIONAL = "optional_parameter_declaration"
_ANY_NUMBER = frozenset({"spread_parameter", "variadic_parameter_declaration", "...", "params"})
_DEEPEST = 6
_HELD = re.compile(r"<.*>|[?\s]")
_LAMBDA = re.compile(rb"[ \t]*\{")


def arity_of(match: Match, definition: Node) -> Arity | None:
    """How many arguments a function takes, None where its parameters are not found."""
    parameters = _parameters(definition)
    if parameters is None:
        return None
    least = most = 0
    is_any = False
    types: list[str] = []
    for child in parameters.children:
        if child.type in _ANY_NUMBER:
            is_any = True
        elif child.type == "parameter_modifiers" and match.text_of(child) == "vararg":
            is_any, least = True, least - 1  # Kotlin says it before the parameter
        elif child.type == "=":
            least -= 1  # Kotlin gives the parameter before it a value
        elif child.type in _PARAMETERS and match.text_of(child) != "void":
            least, most = least + _is_asked_for(match, child), most + 1
            types.append(_type_of(match, child))
        elif child.type == _OPTIONAL:
            most += 1
            types.append(_type_of(match, child))
    return Arity(least, None if is_any else most, tuple(types))


def _type_of(match: Match, parameter: Node) -> str:
    """The last name of a parameter's type."""
    node = parameter.child_by_field_name("type")
    if node is None:  # Kotlin has the name before it, and no fields
        node = parameter.named_children[-1] if parameter.named_children else None
    return _HELD.sub("", match.text_of(node)).rpartition(".")[2]


def _parameters(definition: Node) -> Node | None:
    """The list of a function's parameters, also of one that is a template or gives a pointer."""
    node: Node | None = definition
    for _ in range(_DEEPEST):
        if node is None:
            break
        for child in node.children:
            if child.type in _PARAMETER_LISTS:
                return child
        node = next(
            (
                child
                for child in node.children
                if child.type.endswith("declarator") or child.type == "function_definition"
            ),
            None,
        )
    return None


def _is_asked_for(match: Match, parameter: Node) -> bool:
    """Whether a call must give it: not what has a value, nor the object of C#'s extensions."""
    return not any(
        child.type == "=" or (child.type == "modifier" and match.text_of(child) == "this")
        for child in parameter.children
    )


def given(match: Match) -> int | None:
    """How many arguments a call gives, None where it does not say that."""
    call = match.nodes.get("call")
    if call is None:
        return None
    arguments = call.child_by_field_name("arguments")
    if arguments is not None:
        return _count(arguments)
    # In Kotlin a lambda may stand behind the others.
    lists = [child for child in call.children if child.type == "value_arguments"]
    lambdas = sum(child.type == "annotated_lambda" for child in call.children)
    is_followed = lambdas == 0 and _LAMBDA.match(match.source, call.end_byte) is not None
    return sum(map(_count, lists)) + lambdas + is_followed


def _count(arguments: Node) -> int:
    return sum("comment" not in child.type for child in arguments.named_children)
