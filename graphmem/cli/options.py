"""The options that several commands share, each documented once."""

import json
from typing import Annotated

from cyclopts import Parameter

from graphmem.errors import InvalidInput

Project = Annotated[
    str | None,
    Parameter(help="Project to use; by default GRAPHMEM_PROJECT, the git remote or the folder."),
]
Json = Annotated[
    bool, Parameter(name="--json", help="Print one JSON document to stdout and nothing else.")
]
# Beside another Parameter: the help shows the default.
WITH_DEFAULT = Parameter(show_default=True)


def parsed(option: str, written: str | None) -> dict[str, object]:
    """Read an option that holds a JSON object; an absent one is empty.

    Raises:
        InvalidInput: It is no JSON object.
    """
    if written is None:
        return {}
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InvalidInput(option, written, "it must be a JSON object")
    return found
