"""The names by which the command line knows what an error is about.

The library names its own arguments, such as `kinds[0]` and `entity.valid_from`. Who typed a command
knows them as `--kind` and `--valid-from`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphmem.cli.command_line import positional
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from cyclopts import App

# `names[1]`, `where.attributes.cost`; what the command line has named already is none.
_ARGUMENT = re.compile(r"([a-z_]+)(?:\[(\d+)\])?\.?(.*)", re.DOTALL)
# The fields of an entity and of a relation that are not called as they are.
_OPTIONS = {
    "name": "NAME", "from": "FROM", "relation": "RELATION", "to": "TO",
    "tags": "--tag", "aliases": "--alias", "attributes": "--attribute",
    "observations": "--observation", "observations.text": "--observation",
    "observations.source": "--observation-source",
    "observations.valid_from": "--observation-from",
    "observations.valid_until": "--observation-until",
}  # fmt: skip
# The same for `edit`, where the others are `--set FIELD`.
_CORRECTIONS = {
    "name": "NAME", "unset": "--unset", "if_revision": "--if-revision",
    "attributes": "--attribute",
    "observations": "--replace", "observations.id": "--replace", "observations.text": "--replace",
    "observations.valid_from": "--observation-from",
    "observations.valid_until": "--observation-until",
    "remove.observations": "--remove-observation", "remove.tags": "--remove-tag",
    "remove.aliases": "--remove-alias", "remove.attributes": "--remove-attribute",
}  # fmt: skip

_REMOVALS = "To remove tags, aliases, attributes and observations, use --remove-tag and its like."


@contextmanager
def fields_as_options(owner: str, *, corrects: bool = False) -> Iterator[None]:
    """Name the fields of an entity or a relation in errors as the command line does.

    Args:
        owner: What the errors begin with, `entity` or `relation`.
        corrects: Whether the command is `edit`.
    """
    try:
        yield
    except InvalidInput as error:
        path = error.argument.removeprefix(f"{owner}.")
        field, *others = re.sub(r"\[\d+\]", "", path).split(" ", 1)
        if corrects:
            option = _CORRECTIONS.get(field, f"--set {field}")
        else:
            option = _OPTIONS.get(field, f"--{field.replace('_', '-')}")
        argument = " ".join([option, *others])
        if corrects and argument == "--unset" and error.hint:
            raise InvalidInput(argument, error.value, error.expected, hint=_REMOVALS) from error
        raise error.renamed(argument) from error


def as_typed(error: InvalidInput, command: "App") -> InvalidInput:
    """The error with the name that the command has for the argument; as it is if it has none.

    Args:
        error: What the library refused.
        command: The one that was run.
    """
    match = _ARGUMENT.fullmatch(error.argument)
    if match is None:
        return error
    name, place, path = match.groups()
    if name == "names":
        chosen = positional(command)
        chosen = chosen[min(int(place or 0), len(chosen) - 1) :]
    else:
        names = {name, name.removesuffix("s")}
        chosen = [
            argument
            for argument in command.assemble_argument_collection()
            if names & {argument.field_info.name, argument.name.lower()}
        ]
    if not chosen:
        return error
    return error.renamed(" ".join(filter(None, (chosen[0].name, path))))
