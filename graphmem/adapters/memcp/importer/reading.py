"""Files of JSON become what they hold: values that seem to be entities or relations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from graphmem.adapters.memcp.importer.fields import ENDS, STARTS
from graphmem.importing.json_text import parse_or_refusal, parsed_lines
from graphmem.importing.opening import File
from graphmem.importing.reading import MIB, streamed_lines, text_of
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row

if TYPE_CHECKING:
    from graphmem.model.report import ItemSort

LINES = frozenset({".jsonl", ".ndjson"})
DEPTH = 20
# Parsed, it takes several times the room; lines may be as many as there are.
DOCUMENT_BYTES = 128 * MIB

_ENTITIES = ("entities", "entity")
_RELATIONS = ("relations", "relates")
_WITHIN = ("result", "results", "data")


@dataclass(frozen=True, slots=True)
class ParsedValue:
    """A value of a file: what it seems to be, or why it cannot be used."""

    sort: str
    value: Any
    place: str
    label: str

    def refused(self, reason: str) -> Row:
        """The row that says why it is not used."""
        row_sort: ItemSort = "relation" if self.sort == "relation" else "entity"
        return refused(self.place, reason, sort=row_sort, name=self.label)


def is_wanted(name: str) -> bool:
    """Whether a file of that name holds JSON."""
    return PurePosixPath(name).suffix.lower() in {".json", *LINES}


def read(file: File) -> Iterator[ParsedValue]:
    """Read a file, value by value; what cannot be read is a finding, too."""
    is_lines = file.path.suffix.lower() in LINES
    values = parsed_lines(streamed_lines(file)) if is_lines else _documents(file)
    for number, value in values:
        place = file.place_of(number)
        if isinstance(value, Refused):
            yield ParsedValue("refused", str(value), place, place)
        else:
            yield from _walk(value, place, "", 0)


def _documents(file: File) -> Iterator[tuple[int, Any]]:
    """The values of a file: the whole under the number 0, or each line where the first is JSON."""
    try:
        content = text_of(file, limit=DOCUMENT_BYTES)
    except Refused as error:
        yield 0, error
        return
    lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and not isinstance(parse_or_refusal(lines[0][1]), Refused):
        yield from ((number, parse_or_refusal(line)) for number, line in lines)
    elif lines:
        yield 0, parse_or_refusal(content)


def _walk(value: object, place: str, label: str, depth: int) -> Iterator[ParsedValue]:
    """The entities and relations of a value, in order."""
    if depth > DEPTH:
        yield ParsedValue("refused", f"lists deeper than {DEPTH} are not read", place, label)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, place, f"{label}[{index}]", depth + 1)
    elif not isinstance(value, dict):
        yield ParsedValue("refused", "it must be an object", place, label or "entity")
    else:
        lists = {name: member for name, member in value.items() if isinstance(member, list | dict)}
        if any(name in lists for name in (*_ENTITIES, *_RELATIONS, *_WITHIN)):
            yield from _within(lists, place, label, depth)
        elif any(name in value for name in STARTS) and any(name in value for name in ENDS):
            yield ParsedValue("relation", value, place, label or "relation")
        else:
            yield ParsedValue("entity", value, place, label or "entity")


def _within(lists: Mapping[str, Any], place: str, label: str, depth: int) -> Iterator[ParsedValue]:
    for name, members in lists.items():
        path = f"{label}.{name}" if label else name
        if name in (*_ENTITIES, *_RELATIONS) and isinstance(members, list):
            sort = "entity" if name in _ENTITIES else "relation"
            yield from (
                ParsedValue(sort, item, place, f"{path}[{i}]") for i, item in enumerate(members)
            )
        elif name in _WITHIN:
            yield from _walk(members, place, path, depth + 1)
        elif members:
            reason = (
                f"{len(members)} of memcp's {name} were skipped: "
                "only entities and relations are read"
            )
            yield ParsedValue("refused", reason, place, path)
