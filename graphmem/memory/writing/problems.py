"""All that is wrong with an item, which its check tells one by one."""

import re
from collections.abc import Callable, Mapping

from graphmem.errors import InvalidInput

# Problems of one item that are told.
MOST_PROBLEMS = 10
# Stand for what is required and missing, so that the rest is checked.
PLACEHOLDERS = {"name": "x", "from": "x", "relation": "X", "to": "x"}
_END = re.compile(r"[.\[]")


def problems_of(
    check: Callable[[object], object], value: object, argument: str, first: InvalidInput
) -> list[InvalidInput]:
    """What is wrong with an item: each field that is told to be is left out, and the rest checked.

    Args:
        check: Checks an item.
        value: The item.
        argument: What it is called in errors.
        first: What it is refused for.
    """
    problems = [first]
    fields = dict(value) if isinstance(value, Mapping) else {}
    while len(problems) < MOST_PROBLEMS and (
        names := _wrong_fields(problems[-1], argument, fields)
    ):
        for name in names:
            fields.pop(name, None)
            fields |= {name: PLACEHOLDERS[name]} if name in PLACEHOLDERS else {}
        try:
            check(fields)
        except InvalidInput as error:
            problems.append(error)
        else:
            break
    return problems


def _wrong_fields(
    error: InvalidInput, argument: str, fields: Mapping[str, object]
) -> frozenset[str]:
    """The fields that an error is about; none where it is about something else."""
    if error.argument == argument:
        named = error.value if isinstance(error.value, list) else [error.value]
    else:
        path = error.argument.removeprefix(argument).removeprefix(".")
        named = [_END.split(path, maxsplit=1)[0]]
    known = fields.keys() | PLACEHOLDERS.keys()
    return frozenset(name for name in named if isinstance(name, str) and name in known)
