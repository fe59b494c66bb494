"""What an expression names that may call functions on its way: `Store.open(path).rows`."""

import re

from tree_sitter import Node

from graphmem.transfer.code.outlines.names import path_of
from graphmem.transfer.code.outlines.outline import CALLED, Path
from graphmem.transfer.code.outlines.parsing import Match

# The first name of a path that begins with something that is no name.
NO_NAME = ""
MOST_CHARACTERS = 2_000
# What stands in more parentheses around each other is not understood.
_DEEPEST = 20
# A letter that hardly any source has stands for the parentheses of a call and all that is in them.
_CALL = "\u01c3"
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*+"|`[^`]*+`|\'(?:[^\'\\\n]|\\.)*+\'')
_PARENTHESES = re.compile(r"(?P<before>[\w$]++|[\])>])?(?P<space>\s*+)\((?P<inside>[^()]*+)\)")
# What follows these is no argument although it stands in parentheses, unless they are names.
_KEYWORDS = frozenset({"await", "new", "not", "return", "throw", "typeof", "yield"})
_JOINTS = frozenset(".:>")
# In Kotlin and Swift a function that is an argument stands behind the parentheses.
_BLOCK = re.compile(rf"(?:\.?{_CALL})?\s*\{{[^{{}}]*+\}}")
# Before an expression, what changes nothing about the members of what it gives.
_BEFORE = re.compile(r"^(?:(?:await|new|try[?!]?)\s+|[&*]+\s*(?:mut\s+)?)+")
# Likewise behind it, and in Rust and Kotlin in the middle.
_BEHIND = re.compile(r"(?:\s*\.await\b|[?!]+)(?=\s*\.|\s*$)")
_SUPER = re.compile(rf"\bsuper\.{_CALL}")
_PHP_PROPERTY = re.compile(rf"\??->\s*(?=\w+\b(?!\.{_CALL}))")
_PHP_METHOD = re.compile(r"\??->\s*")


def path_of_expression(text: str) -> Path | None:
    """The names of an expression, and `()` after each one that is called; None if it is no path.

    `self.store.open(path).rows` gives `("self", "store", "open", "()", "rows")`.
    """
    if "(" not in text:
        return path_of(_BEHIND.sub("", _BEFORE.sub("", text)))
    if len(text) > MOST_CHARACTERS or _CALL in text:
        return None
    expression = _BEHIND.sub("", _BEFORE.sub("", _with_marks(_TEXT.sub('"', text)).strip()))
    expression = _SUPER.sub("super", expression)
    if "$" in expression:
        expression = _PHP_METHOD.sub(".", _PHP_PROPERTY.sub(".$", expression))
    path = path_of(expression)
    if path is None or path[0] == _CALL:
        return None
    return tuple(CALLED if name == _CALL else name for name in path)


def receiver_of(match: Match) -> Path:
    """The names of the object of a call; `NO_NAME` for one that is no path, none without one."""
    node = match.nodes.get("receiver")
    return () if node is None else path_or_no_name(match, node)


def path_or_no_name(match: Match, node: Node) -> Path:
    """The names of an expression; `NO_NAME` for one that is no path, or is too long for one."""
    is_long = node.end_byte - node.start_byte > MOST_CHARACTERS
    return (None if is_long else path_at(match, node)) or (NO_NAME,)


def path_at(match: Match, node: Node) -> Path | None:
    """The names of a node; Ruby's `::Till` is `Object::Till`, `Till.new(3)` a new one."""
    text = match.text_of(node)
    if node.type == "scope_resolution" and text.startswith("::"):
        text = f"Object{text}"
    if node.type == "call" and text.endswith(")"):
        method, maker = node.child_by_field_name("method"), node.child_by_field_name("receiver")
        if match.text_of(method) == "new":
            text = "new" if maker is None else f"{match.text_of(maker)}.new"
    return path_of_expression(text)


def _with_marks(text: str) -> str:
    """The text with a mark for the arguments of each call; other parentheses are left out."""
    for _ in range(_DEEPEST):
        marked = _BLOCK.sub(f".{_CALL}", _PARENTHESES.sub(_mark, text))
        if marked == text:
            break
        text = marked
    return text


def _mark(parentheses: re.Match[str]) -> str:
    start, before = parentheses.start(), parentheses["before"] or ""
    previous = parentheses.string[max(start - 1, 0) : start]
    is_keyword = before in _KEYWORDS and previous not in _JOINTS
    if (before or previous == ")") and not is_keyword:
        return f"{before}.{_CALL}"
    inside = _BEHIND.sub("", _BEFORE.sub("", parentheses["inside"].strip()))
    return f"{before}{parentheses['space']}{inside}"
