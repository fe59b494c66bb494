"""Checks of a caller's arguments: each error names the argument, the value and what is allowed.

Agents may send JSON text, a single value or null where a list or an object is meant; `as_list`,
`as_texts` and `as_object` read them before they are checked.
"""

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import FunctionType, NoneType, UnionType
from typing import TypeVar

from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.model import limits
from graphmem.model.intended_names import intended_name
from graphmem.ownership import link_of_another_user, replacement_obstacle
from graphmem.settings.setting import path as setting_path

Value = TypeVar("Value")

QUERY_CHARACTERS = 10_000
FILTER_VALUES = 20
# What readers call some classes.
_WORDS = {str: "text", PathLike: "a path", NoneType: "None"}


def query(value: object) -> str:
    """A query: 1 to 10,000 characters, not blank."""
    if not isinstance(value, str):
        raise InvalidInput("query", value, "must be text")
    if not value.strip():
        raise InvalidInput("query", value, "must not be blank")
    if len(value) > QUERY_CHARACTERS:
        raise InvalidInput("query", value, f"must have at most {QUERY_CHARACTERS:,} characters")
    return value


def choice(argument: str, value: object, choices: Sequence[str]) -> None:
    """One of a few words."""
    if value not in choices:
        raise InvalidInput(argument, value, f"must be one of {', '.join(choices)}")


def flag(argument: str, value: object) -> None:
    """True or False, nothing that merely counts as one of them."""
    if not isinstance(value, bool):
        raise InvalidInput(argument, value, "must be true or false")


def flags(**values: object) -> None:
    """Several arguments of True or False."""
    for argument, value in values.items():
        flag(argument, value)


def instance(argument: str, value: object, expected: type | UnionType) -> None:
    """A value of a class, or of one of several."""
    if not isinstance(value, expected):
        classes = expected.__args__ if isinstance(expected, UnionType) else (expected,)
        *others, last = (
            _WORDS.get(allowed) or f"an instance of {allowed.__name__}" for allowed in classes
        )
        named = f"{', '.join(others)} or {last}" if others else last
        raise InvalidInput(argument, value, f"must be {named}")


def methods(argument: str, value: object, protocol: type) -> None:
    """An object of the caller's own that has the methods of a protocol; None is allowed."""
    names = [name for name, member in vars(protocol).items() if _is_method(name, member)]
    if value is not None and not all(hasattr(value, name) for name in names):
        hint = f"See `graphmem.{protocol.__name__}`."
        raise InvalidInput(argument, value, f"must have {', '.join(names)}", hint=hint)


def _is_method(name: str, member: object) -> bool:
    return not name.startswith("_") and isinstance(member, FunctionType | property)


def names(value: object) -> list[str]:
    """A name, or a list of names, none of them blank."""
    name_list = [value] if isinstance(value, str) else value
    if not isinstance(name_list, list | tuple):
        hint = _name_of(value)
        raise InvalidInput("names", value, "must be a name or a list of names", hint=hint)
    for index, name in enumerate(name_list):
        name_given(f"names[{index}]", name)
    return list(name_list)


def name_given(argument: str, value: object) -> str:
    """A name to look up: any text that the store can hold and that is not blank."""
    if not isinstance(value, str) or not value.strip():
        hint = _name_of(value)
        raise InvalidInput(argument, value, "must be a name that is not blank", hint=hint)
    return limits.unicode_text(argument, value)


def _name_of(value: object) -> str | None:
    """Where an answer that was given for a name has that name."""
    return "Give its `name`." if hasattr(value, "name") else None


def note(value: str | None) -> str | None:
    """Why something is changed, or None."""
    return None if value is None else limits.text("note", value)


def count(argument: str, value: int, *, most: int) -> int:
    """How many are asked for: a whole number from 1."""
    number(argument, value, 1, most)
    return value


def number(argument: str, value: object, low: float, high: float) -> None:
    """A number between two bounds, both included; whole where both bounds are whole numbers."""
    is_whole = isinstance(low, int) and isinstance(high, int)
    kinds: tuple[type, ...] = (int,) if is_whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise InvalidInput(argument, value, f"must be a {'whole ' if is_whole else ''}number")
    if not low <= value <= high:  # type: ignore[operator]  # narrowed just above
        raise InvalidInput(argument, value, f"must be from {low:g} to {high:g}")


def labels(argument: str, value: object) -> tuple[str, ...]:
    """The values of a filter: at most 20, each a label."""
    filter_values = limits.labels(argument, value)
    if len(filter_values) > FILTER_VALUES:
        raise InvalidInput(
            argument, len(filter_values), f"must have at most {FILTER_VALUES} values"
        )
    return filter_values


def several(argument: str, values: Iterable[Value]) -> Iterable[Value]:
    """Several values: an object would be taken for its keys, and a text for its letters."""
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping):
        hint = "Put a single object into a list, too."
        raise InvalidInput(argument, values, "must be a list", hint=hint)
    return values


def options_of(method: str, options: Mapping[str, object], allowed: Collection[str]) -> None:
    """The options of a method of `Memory`.

    Raises:
        TypeError: There is no such option.
    """
    for name in sorted(options.keys() - set(allowed)):
        meant = intended_name(name, allowed)
        advice = f"did you mean {meant}?" if meant else f"see `help(Memory.{method})`"
        raise TypeError(f"{method} has no option {name}; {advice}")


def refuse_beside(argument: str, other_arguments: Mapping[str, object]) -> None:
    """Refuse what has no meaning beside another argument.

    Raises:
        InvalidInput: One of them is given.
    """
    for name, value in other_arguments.items():
        if value is not None and value != ():
            raise InvalidInput(name, value, f"cannot be combined with `{argument}`")


def require_any(**values: object) -> None:
    """Refuse a call that would do nothing, since none of some arguments has a value.

    Raises:
        InvalidInput: All of them are empty or not given.
    """
    if not any(values.values()):
        raise InvalidInput(" or ".join(values), NOT_SHOWN, "must be given")


@contextmanager
def renaming_arguments(**names: str) -> Iterator[None]:
    """Name the arguments in errors as an interface does, where it calls them otherwise."""
    try:
        yield
    except InvalidInput as error:
        if error.argument not in names:
            raise
        raise error.renamed(names[error.argument]) from error


def json_or_text(text: str) -> object:
    """The list or object of a JSON text, also of one written twice; any other text as it is."""
    if not text.lstrip().startswith(("[", "{", '"[', '"{')):
        return text
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):  # a name may start with a bracket
        return text
    parsed_value = json_or_text(value) if isinstance(value, str) else value
    return text if isinstance(parsed_value, str) else parsed_value


def expanded_path(argument: str, value: Path) -> Path:
    """A path with the home directory that a `~` at its beginning stands for.

    Raises:
        InvalidInput: No such home directory is known.
    """
    try:
        return setting_path(value)
    except ValueError as error:
        raise InvalidInput(argument, str(value), str(error)) from None


def refuse_link_of_another_user(argument: str, path: Path) -> None:
    """Refuse a path to write to that a link of another user could lead to any file of this user.

    Linux follows no such link in folders such as `/tmp`; who resolves a path themselves does.

    Raises:
        InvalidInput: Naming the link.
    """
    link = link_of_another_user(path)
    if link is not None:
        requirement = f"must not lead through {link}, a symbolic link that another user made"
        hint = f"Name the place itself ({os.path.realpath(path)}) if that is what you mean."
        raise InvalidInput(argument, str(path), requirement, hint=hint)


def refuse_what_cannot_be_replaced(argument: str, path: Path) -> None:
    """Refuse a path to write to where a file that is written beside it could not get its name.

    Args:
        argument: The argument's name.
        path: A file, which need not be there, in a folder that is.

    Raises:
        InvalidInput: Naming what does not allow it.
    """
    reason = replacement_obstacle(Path(os.path.realpath(path)))
    if reason is not None:
        requirement = "must be a file that this user may write or replace"
        hint = f"Name another file, since {reason}."
        raise InvalidInput(argument, str(path), requirement, hint=hint)


def as_list(value: object) -> object:
    """A list of texts or objects; what can be made no list is given as it is."""
    if value is None:
        return []
    if isinstance(value, str):
        value = json_or_text(value)
    return [value] if isinstance(value, str | dict) else value


def as_texts(value: object) -> object:
    """A list of texts, of which one may look like an object in JSON."""
    if isinstance(value, str):
        parsed_value = json_or_text(value)
        return parsed_value if isinstance(parsed_value, list) else [value]
    return [] if value is None else value


def as_object(value: object) -> object:
    """An object; what can be made none is given as it is."""
    if isinstance(value, str):
        parsed_value = json_or_text(value)
        return parsed_value if isinstance(parsed_value, dict) else value
    return {} if value is None else value
