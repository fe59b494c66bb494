"""The variables of a file, and what is known of their types."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tree_sitter import Node

from graphmem.transfer.code.languages import Language
from graphmem.transfer.code.outlines import names
from graphmem.transfer.code.outlines.bounds import bound_type
from graphmem.transfer.code.outlines.definitions import Definitions
from graphmem.transfer.code.outlines.destructuring import destructured_variables
from graphmem.transfer.code.outlines.expressions import path_at, receiver_of
from graphmem.transfer.code.outlines.given_values import given_values
from graphmem.transfer.code.outlines.lambdas import lambda_parameters
from graphmem.transfer.code.outlines.outline import (
    CALLED,
    ELEMENT,
    GIVEN,
    SELF,
    Path,
    Variable,
    result,
)
from graphmem.transfer.code.outlines.parsing import Match
from graphmem.transfer.code.outlines.scopes import Declaration, Scopes
from graphmem.transfer.code.outlines.type_parts import parts_of

# The captures of variables that get one of several results, in their order.
_PLACES = ("first", "second", "third")
# What stands between a question for a type and the statement of Python that it is in.
_AROUND_QUESTIONS = frozenset({"argument_list", "call", "not_operator", "parenthesized_expression"})
# A person's comment; it is looked through for each parameter of the function below.
COMMENT_BYTES = 20_000


def variables_of(
    language: Language, captures: Sequence[Match], file_definitions: Definitions
) -> tuple[tuple[Variable, ...], Scopes]:
    """The variables of a file, by names that tell them apart, and how those are found."""
    declared = [item for match in captures for item in _variables(match, file_definitions)]
    starts = {definition.symbol: definition.start for definition in file_definitions.symbols}
    scopes = Scopes(
        language.family,
        (
            Declaration(variable.origin, variable.path[0], node, starts.get(variable.origin, 0))
            for variable, node in declared
            if len(variable.path) == 1
            and variable.path != GIVEN
            and not (variable.origin and variable.origin.is_type)
        ),
    )
    return tuple(_scoped_variable(scopes, variable, node) for variable, node in declared), scopes


def _scoped_variable(scopes: Scopes, variable: Variable, node: Node) -> Variable:
    """The variable by the names that it and what it is made of have in its scope."""
    origin, place = variable.origin, node.start_byte
    if variable.creator is not None:
        is_namesake = variable.creator[0] == variable.path[0]
        own = place if is_namesake else None
        creator = scopes.path(origin, variable.creator, place, variable=own)
        is_as_written = creator is variable.creator
        variable = variable if is_as_written else replace(variable, creator=creator)
    if variable.origin_variable is not None:
        is_namesake = variable.origin_variable == variable.path[0]
        own = place if is_namesake or variable.lambda_parameter is not None else None
        (source,) = scopes.path(origin, (variable.origin_variable,), place, variable=own)
        variable = replace(variable, origin_variable=source)
    is_field = origin is not None and origin.is_type
    path = variable.path if is_field else scopes.own_path(variable.path, node)
    return variable if path is variable.path else replace(variable, path=path)


def _written_type(match: Match, name: str) -> str:
    """The type of a variable, which the comment above may say where the code does not."""
    node = match.nodes.get("documented")
    is_short = node is not None and node.end_byte - node.start_byte <= COMMENT_BYTES
    comment = match.text("documented") if is_short else ""
    written = bound_type(match)
    if written not in names.LISTS:
        return written
    documented = names.type_in_comment(comment, "param", name) or names.type_in_comment(
        comment, "var", name
    )
    return documented or written


def _creator(match: Match, place: int | None) -> Path | None:
    """What is called for a variable's value, perhaps of an object, or what holds it."""
    for capture, part in (("each", ELEMENT), ("variant", result(0))):
        if capture in match.nodes:
            path = path_at(match, match.nodes[capture])
            return None if path is None else (*path, part)
    path = path_at(match, match.nodes["made"]) if "made" in match.nodes else None
    if path is None:
        return None
    path = (*receiver_of(match), *path)
    return path if place is None else (*path, CALLED, result(place))


def _captured_names(match: Match) -> Iterator[tuple[str, Node, int | None]]:
    """The variables of a match: the capture, the name, and which of several results it gets."""
    for capture in ("variable", "field"):
        if capture in match.nodes:
            yield capture, match.nodes[capture], None
    for place, capture in enumerate(_PLACES):
        if capture in match.nodes:
            yield capture, match.nodes[capture], place
    if "it" in match.nodes and "lambda" not in match.nodes:
        yield "it", match.nodes["it"], None
    place = 0
    for node in match.nodes["several"].children if "several" in match.nodes else ():
        place += node.type == ","
        if node.type == "identifier":
            yield "several", node, place


def _variables(match: Match, file_definitions: Definitions) -> Iterator[tuple[Variable, Node]]:
    """The variables of a match, and their names there."""
    yield from lambda_parameters(match, file_definitions)
    yield from _unnamed_fields(match, file_definitions)
    yield from given_values(match, file_definitions)
    yield from destructured_variables(match, file_definitions)
    for capture, node, place in _captured_names(match):
        path = ("it",) if capture == "it" else names.path_of(match.text_of(node))
        if path is None:
            continue
        enclosing = file_definitions.around(node.start_byte)
        while enclosing is not None and enclosing.capture == "constant":
            enclosing = enclosing.parent
        if capture == "field" and enclosing is not None and enclosing.parent is not None:
            enclosing = enclosing.parent
        narrowed = match.text("narrowed")
        typed = narrowed or _written_type(match, match.text_of(node))
        generic = match.text("made") + match.text("type_arguments")
        variable = Variable(
            origin=None if enclosing is None else enclosing.symbol,
            path=path,
            type=names.type_of(typed) if typed else None,
            creator=_creator(match, place),
            origin_variable=match.text("copied") or None,
            parts=parts_of(typed or generic),
            narrowed=bool(narrowed),
        )
        is_import = variable.creator == ("require",)  # an import, which is read as one
        is_known = variable.type or variable.creator or variable.origin_variable or variable.parts
        is_told = not variable.narrowed or _is_narrowed(path, node)
        if is_known and not is_import and is_told:
            yield variable, node


def _is_narrowed(path: Path, node: Node) -> bool:
    """Whether a question for the type of a variable tells it.

    None does of the object itself, whose class is known, nor does `assert not isinstance(x, Row)`.
    """
    if len(path) == 1 and path[0] in SELF:
        return False
    is_denied = False
    around = node.parent
    while around is not None and around.type in _AROUND_QUESTIONS:
        is_denied = is_denied or around.type == "not_operator"
        around = around.parent
    return not (is_denied and around is not None and around.type == "assert_statement")


def _unnamed_fields(match: Match, file_definitions: Definitions) -> Iterator[tuple[Variable, Node]]:
    """The fields of a struct of Rust that are called by their places, such as `self.0`."""
    node = match.nodes.get("unnamed")
    struct = None if node is None else file_definitions.symbol_at(node)
    if node is None or struct is None:
        return
    for place, type_node in enumerate(node.children_by_field_name("type")):
        typed, path = match.text_of(type_node), (str(place),)
        yield Variable(struct, path, names.type_of(typed), parts=parts_of(typed)), type_node
