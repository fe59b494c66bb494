"""Methods that show each option of a typed dictionary as a parameter of their own."""

import inspect
import re
from collections.abc import Callable
from textwrap import indent
from typing import TypeVar

Method = TypeVar("Method", bound=Callable[..., object])

# In a docstring, the description of a parameter or option, with the lines that go on with it.
_ENTRY = re.compile(r"^( *)(\w+): .*\n(?:\1 +\S.*\n)*", re.MULTILINE)
_INDENT = " " * 4


def lists_options(*declared: type) -> Callable[[Method], Method]:
    """Have `help`, `inspect.signature` and notebooks list what a method takes as `**options`.

    The docstrings of the typed dictionaries describe the options. Their descriptions replace that
    of `options` in the method's docstring, except for options that it describes itself.

    Args:
        declared: The typed dictionary of the options, after those that it derives from.
    """
    entries = {
        entry[2]: indent(entry[0], _INDENT)
        for options in declared
        for entry in _ENTRY.finditer(f"{inspect.getdoc(options)}\n")
    }

    def with_options(method: Method) -> Method:
        signature = inspect.signature(method)
        *parameters, keywords = signature.parameters.values()
        for name, hint in declared[-1].__annotations__.items():
            kind = inspect.Parameter.KEYWORD_ONLY
            parameters.append(inspect.Parameter(name, kind, default=None, annotation=hint))
        method.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        # Since Python 3.13, the compiler itself takes a docstring's indentation away.
        method.__doc__ = _listing(inspect.getdoc(method) or "", keywords.name, entries)
        return method

    return with_options


def _listing(docstring: str, keywords: str, entries: dict[str, str]) -> str:
    """The docstring with a description of each option in place of that of all of them."""
    described = {entry[2]: entry[0] for entry in _ENTRY.finditer(docstring)}
    listed = "".join(entry for name, entry in entries.items() if name not in described)
    return docstring.replace(described.get(keywords, ""), listed, 1)
