"""The options that several commands share, each documented once."""

import codecs
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from graphmem import project as projects
from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.model import limits

Project = Annotated[
    str | None,
    Parameter(help="Project; by default GRAPHMEM_PROJECT, the git remote or the folder."),
]
# An entity that a command reads.
Name = Annotated[str, Parameter(help="A name, alias, title or key; also app/store.py:12.")]
Json = Annotated[
    bool, Parameter(name="--json", help="Print one JSON document and nothing else to stdout.")
]
# Any text, for which shells offer these.
LayerNames = Literal["user", "system", "user,system"] | str  # noqa: PYI051
Status = Literal["active", "forgotten", "superseded", "deprecated", "removed"] | str  # noqa: PYI051
# Beside another Parameter: the help shows a text, as it is.
AS_TEXT = Parameter(show_choices=False, metavar="STR")
AS_TEXTS = Parameter(show_choices=False, metavar="STR...")
Layers = Annotated[
    LayerNames | None,
    Parameter(help="Shared layers that may be written: user, system, or user,system."),
    AS_TEXT,
]
# An option that may be repeated.
Values = tuple[str, ...]
# What `place` reads: always a text, but shells complete the names of files for a Path.
Place = str | Path
# Beside another Parameter: the help shows the default.
WITH_DEFAULT = Parameter(show_default=True)


def json_option(option: str, text: str | None) -> dict[str, object]:
    """Read an option that holds a JSON object; an absent one is empty.

    Raises:
        InvalidInput: It is no JSON object.
    """
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        hint = (
            "Its fields and texts stand in double quotes; put single quotes around all of it, or "
            "the shell takes it apart."
        )
        raise InvalidInput(option, text, "must be a JSON object", hint=hint) from None
    if not isinstance(value, dict):
        raise InvalidInput(option, text, "must be a JSON object")
    return value


def place(option: str, text: Place) -> Path:
    """Read an option that names a file or folder; an unset variable of a shell names none.

    Raises:
        InvalidInput: It is empty, which Python would take for the current folder.
    """
    if not text:
        raise InvalidInput(option, text, "must name a file or folder; `.` is the current folder")
    return Path(text)


def standard_input(option: str) -> str:
    """The text on standard input, for an option that is `-`; a byte order mark is no part of it.

    Raises:
        InvalidInput: It is not UTF-8, or too large for a text.
    """
    mark = codecs.BOM_UTF8
    content = sys.stdin.buffer.read(limits.TEXT_BYTES + len(mark) + 1).removeprefix(mark)
    if len(content) > limits.TEXT_BYTES:
        hint = "Standard input has more: split it into several entities."
        raise InvalidInput(option, NOT_SHOWN, "must have at most 1 MiB", hint=hint)
    try:
        return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8").read()
    except UnicodeDecodeError as error:
        hint = (
            f"Standard input is not from its byte {error.start + 1:,} on; convert it, for example "
            "with `iconv -f latin1 -t utf-8`."
        )
        raise InvalidInput(option, NOT_SHOWN, "must be UTF-8", hint=hint) from None


Attributes = Annotated[
    tuple[str, ...],
    Parameter(
        help="NAME=TEXT, or NAME:=JSON for a number, true, false or a list: a custom attribute; "
        "may be repeated."
    ),
]


def attributes(option: str, assignments: Sequence[str]) -> dict[str, object]:
    """Read an option of the forms NAME=TEXT and NAME:=JSON that may be repeated.

    Raises:
        InvalidInput: One is of neither form, or what follows `:=` is not JSON.
    """
    return {
        name.removesuffix(":"): _json(option, name, value) if name.endswith(":") else value
        for name, value in pairs(option, assignments, form="NAME=TEXT or NAME:=JSON").items()
    }


def _json(option: str, name: str, value: str) -> object:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise InvalidInput(
            option, f"{name}={value}", "must have JSON after `:=`",
            hint=f"For a text, write {name.removesuffix(':')}={value}.",
        ) from None  # fmt: skip


def pairs(option: str, assignments: Sequence[str], *, form: str) -> dict[str, str]:
    """Read an option such as NAME=VALUE that may be repeated.

    Args:
        option: Its name.
        assignments: What was given.
        form: How errors call its form.

    Raises:
        InvalidInput: One has no name or no `=`.
    """
    parts = [assignment.partition("=") for assignment in assignments]
    for name, mark, value in parts:
        if not (name and mark):
            raise InvalidInput(option, f"{name}{mark}{value}", f"must be {form}")
    return {name: value for name, _, value in parts}


def writable_layers(text: str | None, project: str | None) -> frozenset[str]:
    """The layers that may be written: those of `--layers`, and one that `--project` names.

    Raises:
        InvalidInput: There is no such layer, or the project's name is not allowed.
    """
    names = [] if text is None else text.replace(",", " ").split()
    requested = frozenset(f"@{name.removeprefix('@')}" for name in names)
    if not requested <= set(projects.LAYERS) or (text is not None and not requested):
        raise InvalidInput("--layers", text, "must be user, system, or user,system")
    project_name = None if project is None else projects.check_project_name(project)
    return requested | ({project_name} & set(projects.LAYERS) if project_name else set())
