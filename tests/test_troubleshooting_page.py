"""docs/troubleshooting.md quotes messages that graphmem has."""

import ast
import re

import pytest

from doc_pages import page
from test_architecture import NAMES, tree

PAGE = page("troubleshooting")
CELLS = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| ")]
QUOTATIONS = [
    quotation
    for cell in CELLS
    for quotation in re.findall(r"`([^`]+)`", cell)
    if " " in quotation and not quotation.startswith("graphmem ")
]
# What a message has in place of a value.
VALUE = re.compile(r"…|\d+")


@pytest.fixture(scope="module")
def messages() -> str:
    """All strings of the program, a line each."""
    constants = [
        node.value
        for name in NAMES
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return "\n".join(" ".join(text.split("\n")) for text in constants)


@pytest.mark.parametrize("quotation", QUOTATIONS)
def test_a_message_that_is_quoted_is_one_of_graphmem(quotation: str, messages: str) -> None:
    parts = [part.strip() for part in VALUE.split(quotation)]
    assert [part for part in parts if len(part) > 1 and part not in messages] == []


def test_messages_are_quoted() -> None:
    assert len(QUOTATIONS) > 15
