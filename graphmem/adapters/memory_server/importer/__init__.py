"""The file of MCP's reference memory server, `@modelcontextprotocol/server-memory`: JSON lines.

A line is `{type: "entity", name, entityType, observations}` or `{type: "relation", from, to,
relationType}`; other fields are custom attributes. A document of JSON, as forks write it, is read
as well. The file is the whole graph, so what is gone from it is removed. An entity type becomes the
kind, an observation stays one. The server tells `Ana` from `ana`; here they are one entity with the
observations of both.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmem import text
from graphmem.adapters.memory_server.importer.reading import ParsedValue, values_of
from graphmem.errors import InvalidInput
from graphmem.importing.fields import as_json, as_list, is_kind, moment_or_none, own_attribute_name
from graphmem.importing.format import Format
from graphmem.importing.merging import merge_attributes
from graphmem.importing.opening import File
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.walking import files_at, with_progress
from graphmem.model import Entity, Relation, limits
from graphmem.model.accumulated import within_limits
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.relation_fields import RESERVED_RELATION_ATTRIBUTES
from graphmem.progress import SILENT, Progress

ENDINGS = (".jsonl", ".json")
_OF_AN_ENTITY = frozenset({"type", "name", "entityType", "observations"})
_OF_A_RELATION = frozenset({"type", "from", "to", "relationType"})


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one file, or those of a folder that end in `.jsonl`, or `.json` as of older servers."""
    listing = files_at(path, takes=lambda parts: parts[-1].endswith(ENDINGS))
    yield from listing.refusals
    for file in with_progress(listing.files, progress):
        yield from _file(file)


FORMAT = Format(
    rows,
    "the memory.jsonl of MCP's reference memory server",
    whole=True,
    sources_are_files=False,  # entities have none
)

if TYPE_CHECKING:
    from graphmem.model.report import ItemSort


def _file(file: File) -> Iterator[Row]:
    """The rows of a file, those of an entity that several lines name as one at the end."""
    repeated = _repeated(file)
    joined: dict[str, Row] = {}
    for parsed_value in values_of(file):
        row = _row(parsed_value, file.place)
        name = text.normalised(row.value.name) if isinstance(row.value, Entity) else None
        if name is None or hash(name) not in repeated:
            yield row
            continue
        try:
            joined[name] = _join(joined[name], row) if name in joined else row
        except InvalidInput:  # together they are too large, so it is added or refused alone
            yield row
    yield from joined.values()


def _repeated(file: File) -> set[int]:
    """Digests of the names that several lines give an entity.

    Were these written one by one, each import would take from the entity what only a later line
    has, and add it again.
    """
    seen: set[int] = set()
    repeated: set[int] = set()
    for parsed_value in values_of(file):
        value = parsed_value.value
        if isinstance(value, Mapping) and value.get("type") == "entity":
            digest = hash(text.normalised(str(value.get("name"))))
            (repeated if digest in seen else seen).add(digest)
    return repeated


def _join(first: Row, later: Row) -> Row:
    """Two rows of one entity as one: the later type, the observations and attributes of both.

    Raises:
        InvalidInput: It would be too large.
    """
    if not (isinstance(first.value, Entity) and isinstance(later.value, Entity)):
        return later
    entity = replace(
        first.value,
        kind=later.value.kind or first.value.kind,
        observations=(*first.value.observations, *later.value.observations),
        attributes=merge_attributes([later.value.attributes, first.value.attributes]),
    )
    within_limits(entity.holding)
    return replace(first, value=entity)


def _row(parsed_value: ParsedValue, place: str) -> Row:
    value, line = parsed_value.value, parsed_value.line
    try:
        return Row(f"{place}:{line}" if line else place, _entity_or_relation(value))
    except (InvalidInput, Refused) as error:
        is_relation = isinstance(value, Mapping) and value.get("type") == "relation"
        sort: ItemSort = "relation" if is_relation else "entity"
        return refused(place, error, sort=sort, name=parsed_value.label, line=line)


def _entity_or_relation(value: object) -> Entity | Relation:
    if isinstance(value, Refused):
        raise value
    if not isinstance(value, Mapping) or value.get("type") not in ("entity", "relation"):
        raise InvalidInput("line", value, "must be an object whose type is entity or relation")
    return _relation(value) if value["type"] == "relation" else _entity(value)


def _entity(value: Mapping[str, Any]) -> Entity:
    own = {own_attribute_name(k): v for k, v in value.items() if k not in _OF_AN_ENTITY}
    return Entity.from_json(
        fields_of(value.get("name"), value.get("entityType"), value.get("observations"), own)
    )


def fields_of(
    name: object, entity_type: object, observations: object, own: Mapping[str, object]
) -> dict[str, Any]:
    """An entity of the memory server as `Entity.from_json` reads it.

    A type that graphmem spells otherwise, or needs itself, is the custom attribute `entityType`.

    Args:
        name: Its name.
        entity_type: Its type, which becomes the kind where it can.
        observations: Its observations, of which blank ones are left out.
        own: Its custom attributes.
    """
    kind = entity_type if is_kind(entity_type) else None
    if entity_type is not None and not _stays(entity_type):
        own = {**own, "entityType": entity_type}
    return {
        "name": name,
        "kind": kind,
        "observations": _observations(observations or []),
        "attributes": {name: _attribute(item) for name, item in own.items()},
    }


def _stays(entity_type: object) -> bool:
    """Whether a type is spelled the same as a kind, and tells more than that there is none."""
    if not is_kind(entity_type) or entity_type == DEFAULT_KIND:
        return False
    return limits.kind("entityType", entity_type) == entity_type


def _observations(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """A lone text as a list of it, blank ones left out, and those of forks as graphmem has them."""
    observations = as_list(value)
    if not isinstance(observations, list):
        return observations
    return [
        _observation(observation)
        for observation in observations
        if not isinstance(observation, str) or observation.strip()
    ]


def _observation(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """An observation; forks have objects with a `content` and a `timestamp`."""
    if not isinstance(value, Mapping) or not isinstance(value.get("content"), str):
        return value
    return {"text": value["content"], "created_at": moment_or_none(value.get("timestamp"))}


def _attribute(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    return as_json(value) if isinstance(value, dict | list) else value


def _relation(value: Mapping[str, Any]) -> Relation:
    own = {
        own_attribute_name(k, reserved=RESERVED_RELATION_ATTRIBUTES): _attribute(v)
        for k, v in value.items()
        if k not in _OF_A_RELATION and v is not None
    }
    return Relation.from_json({
        "from": value.get("from"),
        "relation": value.get("relationType"),
        "to": value.get("to"),
        "attributes": own,
    })  # fmt: skip
