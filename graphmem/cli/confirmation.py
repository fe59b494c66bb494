"""The question before something that cannot be taken back, or that changes much."""

import sys
from typing import Annotated

from cyclopts import Parameter

from graphmem.errors import NOT_SHOWN, GraphmemError, InvalidInput

Yes = Annotated[bool, Parameter(name=["--yes", "-y"], help="Do it without asking.")]


def check_answerable(*, yes: bool) -> None:
    """Refuse a command that will ask where nobody can answer, before it does anything.

    Raises:
        InvalidInput: There is neither a terminal nor `--yes`.
    """
    if not yes and not sys.stdin.isatty():
        raise InvalidInput("--yes", NOT_SHOWN, "is required when stdin is not a terminal")


def confirm(question: str, *, yes: bool) -> None:
    """Ask on a terminal; without one only `--yes` allows it.

    Raises:
        GraphmemError: The answer is no.
        InvalidInput: Nobody can be asked.
    """
    check_answerable(yes=yes)
    if yes:
        return
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().casefold() not in {"y", "yes"}:
        raise GraphmemError("cancelled; nothing was changed")
