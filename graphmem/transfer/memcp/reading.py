"""Files of JSON become what they hold: values that seem to be entities or relations."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from graphmem.model import Item
from graphmem.transfer.memcp.fields import ENDS, STARTS
from graphmem.transfer.row import Row

LINES = frozenset({".jsonl", ".ndjson"})
DEPTH = 20

_ENTITIES = ("entities", "entity")
_RELATIONS = ("relations", "relates")
_WITHIN = ("result", "results", "data")


@dataclass(frozen=True, slots=True)
class Found:
    """A value of a file: what it seems to be, or why it cannot be used."""

    sort: str
    value: Any
    place: str
    label: str

    def refused(self, reason: str) -> Row:
        """The row that says why it is not used."""
        what: Literal["entity", "relation"] = "relation" if self.sort == "relation" else "entity"
        return Row(self.place, Item(what, self.label, "refused", reason))


def files(folder: Path) -> list[Path]:
    """The files of JSON in a folder and its subfolders."""
    return [
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in {".json", *LINES} and file.is_file()
    ]


def read(file: Path, place: str) -> list[Found]:
    """Read a file; what cannot be read is a finding, too."""
    try:
        written = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return [Found("refused", f"cannot be read: {error}", place, place)]
    found: list[Found] = []
    for value, at in _documents(written, place, by_line=file.suffix.lower() in LINES):
        if isinstance(value, Found):
            found.append(value)
        else:
            found += _walked(value, at, "", 0)
    return found


def _documents(written: str, place: str, *, by_line: bool) -> Iterator[tuple[Any, str]]:
    """The values of a text and where each stands: the whole, or each line by itself."""
    lines = [(number, line) for number, line in enumerate(written.split("\n"), 1) if line.strip()]
    if not lines:
        return
    if by_line or (len(lines) > 1 and _is_json(lines[0][1])):
        for number, line in lines:
            yield _parsed(line, f"{place}:{number}"), f"{place}:{number}"
    else:
        yield _parsed(written, place), place


def _is_json(line: str) -> bool:
    return not isinstance(_parsed(line, ""), Found)


def _parsed(written: str, place: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return json.loads(written)
    except (ValueError, RecursionError) as error:
        return Found("refused", f"no JSON: {error}", place, place)


def _walked(value: object, place: str, label: str, depth: int) -> list[Found]:
    """The entities and relations of a value, in order."""
    if depth > DEPTH:
        return [Found("refused", f"lists deeper than {DEPTH} are not read", place, label)]
    if isinstance(value, list):
        return [
            found
            for index, one in enumerate(value)
            for found in _walked(one, place, f"{label}[{index}]", depth + 1)
        ]
    if not isinstance(value, dict):
        return [Found("refused", "it must be an object", place, label or "entity")]
    lists = {name: held for name, held in value.items() if isinstance(held, list | dict)}
    if any(name in lists for name in (*_ENTITIES, *_RELATIONS, *_WITHIN)):
        return _within(lists, place, label, depth)
    if any(name in value for name in STARTS) and any(name in value for name in ENDS):
        return [Found("relation", value, place, label or "relation")]
    return [Found("entity", value, place, label or "entity")]


def _within(lists: Mapping[str, Any], place: str, label: str, depth: int) -> list[Found]:
    found: list[Found] = []
    for name, held in lists.items():
        inner = f"{label}.{name}" if label else name
        if name in (*_ENTITIES, *_RELATIONS) and isinstance(held, list):
            sort = "entity" if name in _ENTITIES else "relation"
            found += [Found(sort, one, place, f"{inner}[{i}]") for i, one in enumerate(held)]
        elif name in _WITHIN:
            found += _walked(held, place, inner, depth + 1)
        elif held:
            reason = f"{len(held)} of memcp's {name} stay behind: entities and relations are read"
            found.append(Found("refused", reason, place, inner))
    return found
