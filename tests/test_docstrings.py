"""Every public method of `Memory` documents what it takes."""

import inspect
import re
from collections.abc import Callable

import pytest

from graphmem.memory import Memory

ARGUMENT = re.compile(r"^    (\*{0,2}\w+): \S", re.MULTILINE)
METHODS = {
    name: method
    for name, method in inspect.getmembers(Memory, callable)
    if not name.startswith("_")
}


def documented(method: Callable[..., object]) -> set[str]:
    """The parameters that the section Args of a docstring names."""
    _, _, rest = (inspect.getdoc(method) or "").partition("\nArgs:\n")
    section, _, _ = rest.partition("\n\n")
    return set(ARGUMENT.findall(section))


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_parameter_of_a_public_method_is_documented(name: str) -> None:
    parameters = set(inspect.signature(METHODS[name]).parameters) - {"self"}

    assert documented(METHODS[name]) == parameters
