"""What a file of the memory server holds, in the original's lines or as forks write it.

The original writes an object a line. Forks, and people who save what `read_graph` answers, have one
document of JSON: `{"entities": […], "relations": […]}`, or a list of the original's objects.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.importing.json_text import parse, parse_or_refusal, parsed_lines
from graphmem.importing.opening import File
from graphmem.importing.reading import MIB, decode, lines
from graphmem.importing.refusing import Refused

FILE_BYTES = 256 * MIB
SORTS = {"entities": "entity", "relations": "relation"}
# The line by which a fork, mcp-knowledge-graph, knows its files.
MARKER = "_aim"


@dataclass(frozen=True, slots=True)
class ParsedValue:
    """A value of a file.

    Args:
        value: An object with the `type` entity or relation, anything else, or `Refused`.
        line: The line it stands on, from 1; None in a document, or where the whole file is meant.
        label: What a document calls it, such as `entities[2]`; None in a file of lines.
    """

    value: Any
    line: int | None = None
    label: str | None = None


def values_of(file: File) -> Iterator[ParsedValue]:
    """The values of a file, in order; what cannot be read is among them."""
    numbered_lines = list(lines(file, limit=FILE_BYTES))
    contents = [line for _, line in numbered_lines if isinstance(line, bytes)]
    first = next((line for line in contents if line.strip()), None)
    if first is not None and not _is_line(first):
        document = _document(b"\n".join(contents))
        if document is not None:
            yield from document
            return
    for number, value in parsed_lines(numbered_lines):
        if not (isinstance(value, Mapping) and value.get("type") == MARKER):
            yield ParsedValue(value, number or None)


def _is_line(line: bytes) -> bool:
    """Whether a line is an object of the original."""
    value = parse_or_refusal(line.strip())
    return isinstance(value, Mapping) and "type" in value


def _document(content: bytes) -> list[ParsedValue] | None:
    """The values of a document; None for what is none."""
    try:
        value = parse(decode(content).strip())
    except Refused:
        return None
    if isinstance(value, list):
        return [ParsedValue(item, label=f"[{index}]") for index, item in enumerate(value)]
    if not isinstance(value, Mapping) or not SORTS.keys() & value.keys():
        return None
    return [
        ParsedValue(_with_type(item, SORTS[name]), label=f"{name}[{index}]")
        for name in SORTS
        for index, item in enumerate(_items(value.get(name)))
    ]


def _items(value: object) -> list[Any]:
    """The items of a list, or of an object that has them by name."""
    if isinstance(value, Mapping):
        return [
            {"name": name, **item} if isinstance(item, Mapping) else item
            for name, item in value.items()
        ]
    return value if isinstance(value, list) else [] if value is None else [value]


def _with_type(item: object, sort: str) -> object:
    """An object of a document as the original would write it; others call its type `type`."""
    if not isinstance(item, Mapping):
        return item
    name = f"{sort}Type"
    own_type = item.get("type")
    if name not in item and own_type not in (None, sort):
        item = {**item, name: own_type}
    return {**item, "type": sort}
