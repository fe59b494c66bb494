"""What a function that is an argument is called with, as far as its type's text says it."""

import re
from dataclasses import dataclass

from graphmem.transfer.code.outlines.names import split_at_commas, type_of
from graphmem.transfer.code.outlines.outline import Path

MOST_CHARACTERS = 400
# Stands for the arrow of a type, which is no bracket.
_ARROW = "\u2192"
_ARROWS = re.compile(r"[-=]>")
# What stands before and behind the parameters and changes nothing about them.
_BEFORE = re.compile(r"^(?:@[\w.]+(?:\([^()]*\))?\s+|suspend\s+|new\s+)+")
_BEHIND = re.compile(r"\)\s*(?:(?:async|rethrows|throws(?:\([^()]*\))?)\s*)*$")
# A parameter may have a name, in Swift also the one that a call does not write.
_NAME = re.compile(r"^(?:_\s+)?(?:\.\.\.)?\w+\??\s*:\s*")
# What stands before the type of a parameter: how it is given, or what else it may be.
_MODIFIERS = re.compile(
    r"^(?:(?:\?\s*(?:extends|super)|@\w+|borrowing|consuming|final|in|inout|out|ref|sending)\s+)+"
)
_GENERIC = re.compile(r"^(?:[\w.]*\.)?(?P<name>\w+)<(?P<arguments>.+)>$", re.DOTALL)
# Types of libraries by their last name: all that they are written with are parameters, or all but
# the last, which is the result; or they have the one parameter twice.
_ALL = frozenset(
    {"Action", "BiConsumer", "BiPredicate", "Consumer", "IntFunction", "ObjIntConsumer",
     "Predicate", "ToDoubleFunction", "ToIntFunction", "ToLongFunction", "UnaryOperator"}
)  # fmt: skip
_ALL_BUT_RESULT = frozenset({"BiFunction", "Converter", "Func", "Function"})
_TWICE = frozenset({"BinaryOperator", "Comparator", "Comparison"})


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A type that may be that of a function; None stands for a type that is not told by a name.

    Args:
        parameters: What it is called with; None for a type with a name, which may be an interface
            of one method.
        arguments: What the type with a name is written with, as `Row` in `Handler<Row>`.
    """

    parameters: tuple[Path | None, ...] | None
    arguments: tuple[Path | None, ...] = ()


def function_type(text: str) -> FunctionType | None:
    """What a type's text says of a function; None where it says nothing.

    `(Row, count: Int) -> Unit` has the parameters `(("Row",), ("Int",))`, `Consumer<Row>` has
    `(("Row",),)`.
    """
    if len(text) > MOST_CHARACTERS or not re.search(r"[-=]>|<", text):
        return None
    type_text = _without_parentheses(_ARROWS.sub(_ARROW, text))
    if (written := _text_before_arrow(type_text)) is not None:
        return FunctionType(tuple(map(_type, _parameter_texts(written))))
    generic = _GENERIC.match(type_text)
    return None if generic is None else _of_generic(generic["name"], generic["arguments"])


def named_function_type(signature: str, name: str) -> FunctionType | None:
    """The same for a type that is another name for one, such as `typealias Block = (Row) -> Unit`.

    In C# it is `delegate void Handler(Row row)`.
    """
    if (declared := signature.partition(f"{name}(")[2]) and "delegate" in signature:
        written = split_at_commas(declared.rpartition(")")[0])
        return FunctionType(tuple(_type(each.rpartition(" ")[0]) for each in written if each))
    return function_type(signature.partition("=")[2].removesuffix(";"))


def _of_generic(name: str, written: str) -> FunctionType:
    """A type with arguments, such as `Consumer<Row>`."""
    arguments = tuple(map(_type, split_at_commas(written)))
    if name in _ALL:
        return FunctionType(arguments)
    if name in _ALL_BUT_RESULT:
        return FunctionType(arguments[:-1])
    if name in _TWICE:
        return FunctionType((arguments[0], arguments[0]))
    return FunctionType(None, arguments)


def _without_parentheses(text: str) -> str:
    """A type without `?` and the parentheses around all of it."""
    while True:
        bare = _BEFORE.sub("", text.strip().rstrip("?!").strip())
        if bare.startswith("(") and bare.endswith(")") and _closing(bare, 0) == len(bare) - 1:
            bare = bare[1:-1]
        if bare == text:
            return bare
        text = bare


def _text_before_arrow(text: str) -> str | None:
    """What stands before the first arrow that is in no brackets."""
    depth = 0
    for place, mark in enumerate(text):
        depth += (mark in "<[(") - (mark in ">])")
        if mark == _ARROW and depth == 0:
            return text[:place]
    return None


def _parameter_texts(text: str) -> list[str]:
    """The parameters in the last parentheses; what stands before them is what a function is of."""
    behind = _BEHIND.search(text)
    if behind is None:
        return []
    opening = next(
        (place for place in range(len(text)) if _closing(text, place) == behind.start()), None
    )
    inside = "" if opening is None else text[opening + 1 : behind.start()].strip()
    return split_at_commas(inside) if inside else []


def _closing(text: str, opening: int) -> int | None:
    """Where the parenthesis is closed that opens at a place."""
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place if place > opening else None
    return None


def _type(text: str) -> Path | None:
    if _ARROW in text:
        return None
    return type_of(_MODIFIERS.sub("", _NAME.sub("", text.strip())))
