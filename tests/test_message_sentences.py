"""Errors and help read as sentences."""

import ast
import re
from collections.abc import Iterator

from graphmem.errors import NOT_SHOWN, InvalidInput
from test_architecture import NAMES, functions, tree

# How the predicate of an error's sentence begins: "limit must be …", "project is required".
PREDICATE = re.compile(r"(must|may|cannot|is|was) ")
SENTENCE = re.compile(r"[A-Z].*\.")


def literal(node: ast.expr | None) -> str | None:
    """A string as it is written, `{…}` for each value in it; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or "{…}" for part in node.values)
    return None


def texts(node: ast.expr, name: str) -> list[str]:
    """What an argument may say: a string, or every string that its name is given around it."""
    if not isinstance(node, ast.Name):
        text = literal(node)
        return [] if text is None else [text]
    around: list[ast.AST] = [tree(name)]
    around += [function for function in functions(name) if node in ast.walk(function)]
    given = [
        literal(assignment.value)
        for assignment in ast.walk(around[-1])
        if isinstance(assignment, ast.Assign)
        and any(isinstance(to, ast.Name) and to.id == node.id for to in assignment.targets)
    ]
    return [text for text in given if text is not None]


def errors(name: str) -> Iterator[ast.Call]:
    """Every error of an argument that a file makes."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == InvalidInput.__name__:
            yield node


def test_an_error_of_an_argument_is_a_sentence() -> None:
    predicates = [
        (f"{name}:{call.lineno}", text)
        for name in NAMES
        for call in errors(name)
        for text in texts(call.args[2], name)
    ]
    hints = [
        (f"{name}:{call.lineno}", text)
        for name in NAMES
        for call in errors(name)
        for keyword in call.keywords
        for text in texts(keyword.value, name)
    ]

    assert [predicate for predicate in predicates if not PREDICATE.match(predicate[1])] == []
    assert [predicate for predicate in predicates if predicate[1].endswith(".")] == []
    assert [hint for hint in hints if not SENTENCE.fullmatch(hint[1])] == []
    assert len(predicates) > 100
    assert len(hints) > 20


def test_an_error_names_the_argument_what_is_expected_what_was_given_and_the_next_step() -> None:
    plain = InvalidInput("limit", 0, "must be from 1 to 200")
    assert str(plain) == "limit must be from 1 to 200, got 0"
    absent = InvalidInput("project", NOT_SHOWN, "is required", hint="Name the project.")
    assert str(absent) == "project is required. Name the project."
    renamed = InvalidInput("kind", "", "must not be blank", hint="Leave it out.").renamed("type")
    assert str(renamed) == "type must not be blank, got ''. Leave it out."


def test_the_help_of_an_option_is_a_sentence() -> None:
    helps = [
        (f"{name}:{node.lineno}", text)
        for name in NAMES
        if name.startswith("graphmem/cli/")
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Parameter"
        for keyword in node.keywords
        if keyword.arg == "help" and (text := literal(keyword.value)) is not None
    ]

    assert [help_text for help_text in helps if not re.match(r"[A-Z]|\w+: ", help_text[1])] == []
    assert [help_text for help_text in helps if not help_text[1].endswith(".")] == []
    assert len(helps) > 100
