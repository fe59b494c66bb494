"""How a setting is declared, and how each sort of value is read.

What reads a value raises a ValueError that says what it must be, and never shows it: it may be a
secret in the wrong place.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from graphmem.errors import ConfigurationError
from graphmem.model.language import MOST_LANGUAGES, NAMES
from graphmem.model.secret import Secret

_HOST = re.compile(r"[\w.-]+|\[[0-9a-fA-F:.]+\]", re.ASCII)
_SIZE = re.compile(r"[0-9]+[mg]")

# Makes the value of a setting of a variable's text, or of a value that Python gives.
Read = Callable[[Any], Any]


def setting(*variables: str, says: str, read: Read, default: object = None) -> Any:  # noqa: ANN401 - as attrs.field
    """Declare a setting.

    Args:
        variables: The variables it is read from; the first that is set wins.
        says: What it means, as `.env.example` has it.
        read: Checks and converts it; a ValueError says what it must be, and never shows the value.
        default: What it is without a variable, or what makes that.
    """

    def convert(value: object) -> object:
        try:
            return None if value is None else read(value)
        except (TypeError, ValueError) as error:
            reason = f"settings: {variables[0]} {error}"
        raise ConfigurationError(reason)  # here, as the cause may show the value

    return attrs.field(
        factory=partial(_of_environment, variables, default),
        converter=convert,
        metadata={"variables": variables, "says": says, "default": default, "read": read},
    )


def _of_environment(variables: Iterable[str], default: object) -> object:
    values = by_name(os.environ)
    for name in variables:
        if name in values:
            return values[name]
    return default() if callable(default) else default


def by_name(values: Mapping[str, str | None]) -> dict[str, str]:
    """Variables that are not empty, by their names in capital letters."""
    return {name.upper(): value for name, value in values.items() if value}


def path(value: str | Path) -> Path:
    """Read the path of a folder or file; `~` is expanded: a client's configuration is no shell."""
    written_path = Path(value)
    if not str(written_path).startswith("~"):
        return written_path
    is_own = written_path.parts[0] == "~"
    with suppress(RuntimeError):  # a container may know neither HOME nor its user
        expanded_path = written_path.expanduser()
        # Python takes an empty HOME for the root of all files.
        if expanded_path.is_absolute() and (os.environ.get("HOME") != "" or not is_own):
            return expanded_path
    if is_own:
        reason = "must not begin with `~`, since HOME is no absolute path: set HOME, or write the "
    else:
        reason = "must not begin with `~` and the name of a user who is not known here: write the "
    raise ValueError(f"{reason}whole path")


def model_name(value: str) -> str:
    """Read a name at the model hub or the path of a folder, whose `~` can be expanded later."""
    if Path(value).parts[:1] == ("~",):
        path(value)
    return str(value)


def secret(value: str | Secret) -> Secret:
    """Read what nothing shows."""
    if not isinstance(value, str | Secret):
        raise TypeError("must be a text")
    return value if isinstance(value, Secret) else Secret(value)


def size(value: str) -> str:
    """Read an amount of memory as Java takes it."""
    if not _SIZE.fullmatch(value):
        raise ValueError("must be a number of mebibytes or gibibytes, such as 512m or 2g")
    return value


def number(*, at_most: float | None = None) -> Read:
    """Give what reads a number above 0."""

    def read(value: str | float) -> float:
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if 0 < number <= (sys.float_info.max if at_most is None else at_most):
            return number
        bound = ", and not infinite" if at_most is None else f" and at most {at_most:g}"
        raise ValueError(f"must be a number above 0{bound}")

    return read


def whole_number(*, at_most: int) -> Read:
    """Give what reads a whole number above 0."""

    def read(value: str | int) -> int:
        text = str(value).strip()
        if text.isascii() and text.isdigit() and 1 <= int(text) <= at_most:
            return int(text)
        raise ValueError(f"must be a whole number from 1 to {at_most}")

    return read


def switch(value: str | bool) -> bool:  # noqa: FBT001 - a setting
    """Read yes or no, in the usual words."""
    try:
        return attrs.converters.to_bool(value.strip() if isinstance(value, str) else value)
    except ValueError:
        reason = "must be true or false"  # the library's sentence shows the value
    raise ValueError(reason)


def one_of(*allowed: str) -> Read:
    """Give what reads one of some words, in letters of any case."""
    words = {word.lower(): word for word in allowed}

    def read(value: str) -> str:
        word = words.get(value.strip().lower()) if isinstance(value, str) else None
        if word is None:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return word

    return read


def host_names(value: str | Iterable[str]) -> tuple[str, ...]:
    """Cut `memory.example.org, graphmem` into names."""
    words = value.replace(",", " ").split() if isinstance(value, str) else value
    names = tuple(dict.fromkeys(words))
    if not names or not all(_HOST.fullmatch(name) for name in names):
        raise ValueError("must be host names, separated by commas, without scheme, port and path")
    return names


def language_names(value: str | Iterable[str]) -> tuple[str, ...]:
    """Cut `English, german` into names; the default stays the very same value."""
    words = value.lower().replace(",", " ").split() if isinstance(value, str) else value
    names = words if isinstance(words, tuple) else tuple(dict.fromkeys(words))
    if not 1 <= len(names) <= MOST_LANGUAGES or not set(names) <= set(NAMES):
        raise ValueError(
            f"must be 1 to {MOST_LANGUAGES} of {', '.join(NAMES)}, separated by commas"
        )
    return names
