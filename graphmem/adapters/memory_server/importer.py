"""The file of MCP's reference memory server, `@modelcontextprotocol/server-memory`: JSON lines.

A line is `{type: "entity", name, entityType, observations}` or `{type: "relation", from, to,
relationType}`; other fields of an entity are custom attributes. The file is the whole graph, so
what is gone from it is removed. An entity type becomes the kind, an observation stays one.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.importing.fields import as_json, is_kind, own_attribute_name
from graphmem.importing.format import Format
from graphmem.importing.json_text import parsed_lines
from graphmem.importing.reading import MIB, lines
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.walking import files_at, with_progress
from graphmem.model import Entity, Relation
from graphmem.progress import SILENT, Progress

ENDINGS = (".jsonl", ".json")
FILE_BYTES = 256 * MIB
_OF_AN_ENTITY = frozenset({"type", "name", "entityType", "observations"})


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one file, or those of a folder that end in `.jsonl`, or `.json` as of older servers."""
    listing = files_at(path, takes=lambda parts: parts[-1].endswith(ENDINGS))
    yield from listing.refusals
    for file in with_progress(listing.files, progress):
        for number, value in parsed_lines(lines(file, limit=FILE_BYTES)):
            yield _row(value, file.place, number)


FORMAT = Format(
    rows,
    "the memory.jsonl of MCP's reference memory server",
    whole=True,
    sources_are_files=False,  # entities have none
)


def _row(value: object, place: str, line: int) -> Row:
    is_relation = isinstance(value, Mapping) and value.get("type") == "relation"
    try:
        return Row(f"{place}:{line}", _entity_or_relation(value))
    except (InvalidInput, Refused) as error:
        return refused(
            place, error, sort="relation" if is_relation else "entity", line=line or None
        )


def _entity_or_relation(value: object) -> Entity | Relation:
    if isinstance(value, Refused):
        raise value
    if not isinstance(value, Mapping) or value.get("type") not in ("entity", "relation"):
        raise InvalidInput("line", value, "must be an object whose type is entity or relation")
    return _relation(value) if value["type"] == "relation" else _entity(value)


def _entity(value: Mapping[str, Any]) -> Entity:
    kind, observations = value.get("entityType"), value.get("observations")
    attributes = {own_attribute_name(k): v for k, v in value.items() if k not in _OF_AN_ENTITY}
    if kind and not is_kind(kind):  # such as `Entity`, which is graphmem's own
        attributes["entityType"] = kind
    return Entity.from_json({
        "name": value.get("name"),
        "kind": kind if is_kind(kind) else None,
        "observations": _without_blanks(observations or []),
        "attributes": {name: _attribute(item) for name, item in attributes.items()},
    })  # fmt: skip


def _without_blanks(observations: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(observations, list):
        return observations
    return [
        observation
        for observation in observations
        if not isinstance(observation, str) or observation.strip()
    ]


def _attribute(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    return as_json(value) if isinstance(value, dict | list) else value


def _relation(value: Mapping[str, Any]) -> Relation:
    return Relation.from_json({
        "from": value.get("from"),
        "relation": value.get("relationType"),
        "to": value.get("to"),
    })  # fmt: skip
