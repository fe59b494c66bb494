"""What arguments a call gives and a function takes: by this, overloads are told apart."""

import re

from tree_sitter import Node

from graphmem.transfer.code.outlines.bounds import with_bounds
from graphmem.transfer.code.outlines.names import NAME_CHARACTERS
from graphmem.transfer.code.outlines.outline import Arguments, Arity, Path
from graphmem.transfer.code.outlines.parsing import Match

# In Swift the parameters stand right in these.
_WITHOUT_LIST = frozenset(
    {"function_declaration", "protocol_function_declaration", "init_declaration"}
)
_PARAMETER_LISTS = frozenset(
    {"formal_parameters", "parameter_list", "parameters", "function_value_parameters"}
)
_PARAMETERS = frozenset(
    {"formal_parameter", "optional_parameter", "parameter", "parameter_declaration",
     "required_parameter"}
)  # fmt: skip
_OPTIONAL = "optional_parameter_declaration"
_ANY_NUMBER = frozenset({"spread_parameter", "variadic_parameter_declaration", "...", "params"})
_SUFFIXES_OF_SWIFT = frozenset({"call_suffix", "constructor_suffix"})
_DEEPEST = 6
# What a list of parameters stands in, beside what declares a name.
_FUNCTIONS = frozenset({"arrow_function", "function_definition", "function_expression"})
_HELD = re.compile(r"<.*>|[?\s]")
# The types of what is written out, whose names differ only in case between the languages.
_LITERALS = {
    "string_literal": "String", "interpolated_string_expression": "String",
    "verbatim_string_literal": "String", "true": "Boolean", "false": "Boolean",
    "boolean_literal": "Bool", "decimal_integer_literal": "int", "integer_literal": "int",
    "number_literal": "Int", "character_literal": "char", "class_literal": "Class",
    "typeof_expression": "Type",
}  # fmt: skip
# Which field has the type of an expression.
_TYPED = {"object_creation_expression": "type", "cast_expression": "type", "as_expression": "right"}
# What Kotlin writes at the end of an object that stands for a class.
_CLASSES = {"::class": "KClass", "::class.java": "Class"}
# Before a type in Swift.
_BEFORE_TYPE = re.compile(r"^(?:\s|@\w+\b(?:\([^()]*\))?|(?:borrowing|consuming|inout|sending)\b)+")
_LAMBDA = re.compile(rb"[ \t]*\{")


def arity_of(match: Match, definition: Node) -> tuple[Arity | None, tuple[str, ...]]:
    """How many arguments a function takes, None where it has no list of parameters; their types."""
    if definition.type in _WITHOUT_LIST and any(child.type == "(" for child in definition.children):
        return _arity_in_swift(match, definition)
    parameters = _parameters(definition)
    if parameters is None:
        return None, ()
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
            has_value = any(part.type == "=" for part in child.children)
            least, most = least + (not has_value), most + 1
            types.append(_type_of(match, child))
        elif child.type == _OPTIONAL:
            most += 1
            types.append(_type_of(match, child))
    written_types = with_bounds(match, definition, types)
    return Arity(least, None if is_any else most, tuple(map(last_name, types))), written_types


def _arity_in_swift(match: Match, definition: Node) -> tuple[Arity, tuple[str, ...]]:
    is_any = False
    types: list[str] = []
    labels: list[str] = []
    optional: set[int] = set()
    has_closure = False
    for child in definition.children:
        if child.type == "=":
            optional.add(len(labels) - 1)  # the parameter before it has a value
        elif child.type == "parameter":
            # It stands behind the first colon, after attributes.
            types.append(_BEFORE_TYPE.sub("", match.text_of(child).partition(":")[2]))
            # A call writes the parameter's name before an argument, unless it says more.
            label = child.child_by_field_name("external_name") or child.child_by_field_name("name")
            labels.append(match.text_of(label))
            is_any = is_any or any(part.type == "..." for part in child.children)
            has_closure = has_closure or "->" in match.text_of(child)
    least = 0 if is_any else len(labels) - len(optional)
    most = None if is_any else len(labels)
    last_names = tuple(map(last_name, types))
    arity = Arity(least, most, last_names, tuple(labels), frozenset(optional), has_closure)
    return arity, tuple(types)


def _type_of(match: Match, parameter: Node) -> str:
    """The type of a parameter as it is written."""
    node = parameter.child_by_field_name("type")
    if node is None:  # Kotlin has the name before it, and no fields
        node = parameter.named_children[-1] if parameter.named_children else None
    return match.text_of(node).lstrip(": ")


def last_name(written: str) -> str:
    """The last name of a type as it is written, without what it holds."""
    return _HELD.sub("", written).rpartition(".")[2]


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
                if child.type.endswith("declarator") or child.type in _FUNCTIONS
            ),
            None,
        )
    return None


def arguments_of(match: Match) -> Arguments | None:
    """What a call gives, None where it does not say that, or the number may be any."""
    call = match.nodes.get("call")
    if call is None:
        return None
    suffix = call.named_children[-1]
    if suffix.type in _SUFFIXES_OF_SWIFT:
        closures = sum(child.type == "lambda_literal" for child in suffix.named_children)
        return ("",) * (len(labels(match)) + closures)
    arguments = [
        argument
        for child in call.children
        if child.type in {"argument_list", "value_arguments"}
        for argument in child.named_children
        if "comment" not in argument.type
    ]
    if any(argument.type == "parameter_pack_expansion" for argument in arguments):
        return None
    types = tuple(_type_given(match, argument) for argument in arguments)
    # In Kotlin a lambda may stand behind the others.
    lambdas = sum(child.type == "annotated_lambda" for child in call.children)
    is_kotlin = call.child_by_field_name("arguments") is None
    is_followed = is_kotlin and not lambdas and _LAMBDA.match(match.source, call.end_byte)
    return types + ("",) * (lambdas + bool(is_followed))


def _type_given(match: Match, argument: Node) -> str:
    """The last name of an argument's type, `$` and the name of a variable, or nothing."""
    node = argument
    if argument.type in {"argument", "value_argument"}:
        if argument.named_child_count != 1:
            return ""  # it says which parameter it is for
        node = argument.named_children[0]
    if node.type in _LITERALS:
        return _LITERALS[node.type]
    if node.type == "identifier":
        name = match.text_of(node)
        return {"true": "Boolean", "false": "Boolean", "null": ""}.get(name, f"${name}")
    typed = node.child_by_field_name(_TYPED.get(node.type, ""))
    if typed is not None:
        return last_name(match.text_of(typed))
    is_short = node.end_byte - node.start_byte <= NAME_CHARACTERS
    text = match.text_of(node) if node.type == "navigation_expression" and is_short else ""
    return next((kind for end, kind in _CLASSES.items() if text.endswith(end)), "")


def labels(match: Match) -> Path:
    """What stands before each argument in the parentheses of a call in Swift, `_` for nothing."""
    call = match.nodes.get("call")
    suffix = None if call is None else call.named_children[-1]
    if suffix is None or suffix.type not in _SUFFIXES_OF_SWIFT:
        return ()
    return tuple(
        match.text_of(argument.child_by_field_name("name")).strip("`") or "_"
        for arguments in suffix.named_children
        if arguments.type == "value_arguments"
        for argument in arguments.named_children
        if argument.type == "value_argument"
    )
