"""JSON that others wrote, read within bounds: a document, or one value a line."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from graphmem.errors import shortened
from graphmem.importing.reading import decode
from graphmem.importing.refusing import Refused

# What is nested deeper cannot be compared or written out again within Python's own stack.
DEPTH = 100
# Where so many lines are no JSON before the first that is, the file is something else.
BROKEN_LINES = 100

_TOO_DEEP = f"not JSON: lists and objects deeper than {DEPTH} levels are not read"


def parse(content: bytes | str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The value of a JSON text; `NaN` is left to the check of the field it is for.

    Raises:
        Refused: It is no JSON in UTF-8, an object has a name twice, a number has more than 4,300
            digits, or lists and objects are more than 100 deep.
    """
    text = decode(content) if isinstance(content, bytes) else content
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise Refused(_TOO_DEEP) from error
    except ValueError as error:
        raise Refused(_reason(error)) from error
    if text.count("[") + text.count("{") > DEPTH and is_deep(value):
        raise Refused(_TOO_DEEP)
    return value


def parse_or_refusal(content: bytes | str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The value of a JSON text, or the `Refused` that says why it has none."""
    try:
        return parse(content)
    except Refused as error:
        return error


def parsed_lines(lines: Iterable[tuple[int, bytes | Refused]]) -> Iterator[tuple[int, Any]]:
    """The value of each line that is not blank, or `Refused`, with the number of the line.

    A file whose first 100 lines all are no JSON is refused once, under the number 0.

    Args:
        lines: The lines of a file as `reading` gives them.
    """
    broken: list[tuple[int, Refused]] | None = []
    for number, line in lines:
        if not isinstance(line, Refused) and not line.strip():
            continue
        value = line if isinstance(line, Refused) else parse_or_refusal(line.rstrip())
        if broken is None:
            yield number, value
        elif number == 0 or not isinstance(value, Refused):
            yield from broken
            broken = None
            yield number, value
        else:
            broken.append((number, value))
            if len(broken) == BROKEN_LINES:
                reason = f"its first {BROKEN_LINES} lines are not JSON, so the rest is not read"
                yield 0, Refused(reason)
                return
    yield from broken or ()


def parsed_items(text: str) -> Iterator[tuple[int, Any]]:
    """The values of a list in JSON, one at a time, or `Refused`, with the line where each begins.

    A value that stands alone is a list of it. After what is no JSON nothing more is read.

    Args:
        text: The whole text.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_object)
    place = _after_space(text, 0)
    is_list = text.startswith("[", place)
    place = _after_space(text, place + 1) if is_list else place
    counted_end, line = 0, 1
    if is_list and text.startswith("]", place):
        return
    while True:
        line += text.count("\n", counted_end, place)
        counted_end = place
        try:
            value, end = decoder.raw_decode(text, place)
        except RecursionError:
            yield line, Refused(_TOO_DEEP)
            return
        except ValueError as error:
            yield line, Refused(_reason(error))
            return
        yield line, Refused(_TOO_DEEP) if is_deep(value) else value
        place = _after_space(text, end)
        if not (is_list and text.startswith(",", place)):
            break
        place = _after_space(text, place + 1)
    line += text.count("\n", counted_end, place)
    if is_list and not text.startswith("]", place):
        yield line, Refused("not JSON: the list goes on without a comma or has no end")
    elif _after_space(text, place + is_list) < len(text):
        yield line, Refused("not JSON: there is more after its end")


def _reason(error: ValueError) -> str:
    """Why a text is no JSON, and where; of a single line the column, since its number is known."""
    if not isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error}"
    line = f"line {error.lineno}, " if "\n" in error.doc else ""
    return f"not JSON: {error.msg} at {line}column {error.colno}"


def _after_space(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\n\r":
        place += 1
    return place


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise ValueError(f"an object has the name {shortened(name)} twice")
            names.add(name)
    return members


def is_deep(value: object) -> bool:
    """Whether lists and objects in a value are more than 100 deep."""
    level: list[Any] = [[value]]
    for _ in range(DEPTH + 1):
        level = [
            item
            for container in level
            for item in (container.values() if isinstance(container, dict) else container)
            if isinstance(item, list | dict)
        ]
        if not level:
            return False
    return True
