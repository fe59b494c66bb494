"""memcp's entities and relations as JSON: a file or a folder of them.

A file is one document or JSON lines. In it stand objects `{entities: […], relations: […]}`, what a
query of SurrealDB gives (`[{result: […]}]`), entities and relations by themselves, or lists of all
of these. An entity is `{id | name, type, labels, content, confidence, source, context, created}`, a
relation `{from | in, to | out, type | rel_type, weight}`; their other fields are own attributes.

A context is a project; what has none belongs to the one imported into. How an entity was used
(`accessed`, `access_count`, `decay_weight`) is kept; its embedding is not, since graphmem makes its
own.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from graphmem import project as projects
from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.model import Entity, Item, Relation, limits
from graphmem.model.entity import USE
from graphmem.progress import SILENT, Progress
from graphmem.transfer.row import Row

KIND = "concept"
LINES = frozenset({".jsonl", ".ndjson"})
DEPTH = 20

_ENTITIES = ("entities", "entity")
_RELATIONS = ("relations", "relates")
_WITHIN = ("result", "results", "data")
_NOT_KEPT = frozenset({"embedding", "unique_key"})
_OF_ENTITY = frozenset(
    {"id", "name", "type", "labels", "content", "confidence", "source", "context", "created"}
)
_STARTS = ("from", "in", "source", "from_id")
_ENDS = ("to", "out", "target", "to_id")
_TYPES = ("type", "rel_type", "relation", "relation_type")
_OF_RELATION = frozenset({"id", "weight", "created", "context", *_STARTS, *_ENDS, *_TYPES})


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read a file, or every `*.json`, `*.jsonl` and `*.ndjson` of a folder and its subfolders."""
    root = path if path.is_dir() else path.parent
    files = sorted(_files(path)) if path.is_dir() else [path]
    found: list[_Found] = []
    for done, file in enumerate(files, 1):
        found += _read(file, file.relative_to(root).as_posix())
        progress.advance("Reading files", done, len(files))
    known = _Known()
    for one in found:
        if one.sort == "entity":
            yield _entity_row(one, known)
        elif one.sort == "refused":
            yield one.refused(str(one.value))
    for one in found:
        if one.sort == "relation":
            yield _relation_row(one, known)


def name_of(written: object, context: str | None) -> str | None:
    """The name in an id as memcp or SurrealDB writes it: `entity:x`, `entity:⟨context:x⟩`, `x`."""
    if isinstance(written, Mapping):
        written = written.get("id", written.get("ID"))
    if not isinstance(written, str):
        return None
    plain = written.strip().removeprefix("entity:").strip("⟨⟩`")
    return plain.removeprefix(f"{context}:") if context else plain


@dataclass(frozen=True, slots=True)
class _Found:
    """A value of a file: what it seems to be, or why it cannot be used."""

    sort: str
    value: Any
    place: str
    label: str

    @property
    def at(self) -> str:
        """Where it stands, for a person."""
        return f"{self.place} {self.label}" if "[" in self.label else self.place

    def refused(self, reason: str) -> Row:
        """The row that says why it is not used."""
        what: Literal["entity", "relation"] = "relation" if self.sort == "relation" else "entity"
        return Row(self.place, Item(what, self.label, "refused", reason))


@dataclass(slots=True)
class _Known:
    """The entities of an import: by id, by name, and where each was said first."""

    by_id: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    by_name: dict[str, set[str | None]] = field(default_factory=dict)
    places: dict[tuple[str, str | None], str] = field(default_factory=dict)

    def add(self, written: object, name: str, project: str | None, at: str) -> str:
        """Note an entity; gives where its name was said first in its context."""
        first = self.places.setdefault((text.normalised(name), project), at)
        self.by_name.setdefault(text.normalised(name), set()).add(project)
        own = name_of(written, None)
        if own is not None and first == at:
            self.by_id.setdefault(own, (name, project))
        return first

    def end(self, written: object, context: str | None) -> tuple[str | None, str | None]:
        """The entity that an end of a relation means: its name and project."""
        whole = name_of(written, None)
        if whole is None:
            return None, context
        named = self.by_id.get(whole)
        if named is not None and context in {None, named[1]}:
            return named
        name = name_of(written, context) or whole
        contexts = self.by_name.get(text.normalised(name), set())
        return name, next(iter(contexts)) if context is None and len(contexts) == 1 else context


def _files(folder: Path) -> list[Path]:
    return [
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in {".json", *LINES} and file.is_file()
    ]


def _read(file: Path, place: str) -> list[_Found]:
    try:
        written = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return [_Found("refused", f"cannot be read: {error}", place, place)]
    found: list[_Found] = []
    for value, at in _documents(written, place, by_line=file.suffix.lower() in LINES):
        if isinstance(value, _Found):
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
    return not isinstance(_parsed(line, ""), _Found)


def _parsed(written: str, place: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return json.loads(written)
    except (ValueError, RecursionError) as error:
        return _Found("refused", f"no JSON: {error}", place, place)


def _walked(value: object, place: str, label: str, depth: int) -> list[_Found]:
    """The entities and relations of a value, in order."""
    if depth > DEPTH:
        return [_Found("refused", f"lists deeper than {DEPTH} are not read", place, label)]
    if isinstance(value, list):
        return [
            found
            for index, one in enumerate(value)
            for found in _walked(one, place, f"{label}[{index}]", depth + 1)
        ]
    if not isinstance(value, dict):
        return [_Found("refused", "it must be an object", place, label or "entity")]
    lists = {name: held for name, held in value.items() if isinstance(held, list | dict)}
    if any(name in lists for name in (*_ENTITIES, *_RELATIONS, *_WITHIN)):
        return _within(lists, place, label, depth)
    if any(name in value for name in _STARTS) and any(name in value for name in _ENDS):
        return [_Found("relation", value, place, label or "relation")]
    return [_Found("entity", value, place, label or "entity")]


def _within(lists: Mapping[str, Any], place: str, label: str, depth: int) -> list[_Found]:
    found: list[_Found] = []
    for name, held in lists.items():
        inner = f"{label}.{name}" if label else name
        if name in (*_ENTITIES, *_RELATIONS) and isinstance(held, list):
            sort = "entity" if name in _ENTITIES else "relation"
            found += [_Found(sort, one, place, f"{inner}[{i}]") for i, one in enumerate(held)]
        elif name in _WITHIN:
            found += _walked(held, place, inner, depth + 1)
        elif held:
            reason = f"{len(held)} of memcp's {name} stay behind: entities and relations are read"
            found.append(_Found("refused", reason, place, inner))
    return found


def _entity_row(found: _Found, known: _Known) -> Row:
    try:
        fields = _object(found)
        project = _context(fields, found.label)
        entity = _entity(fields, found.label)
    except InvalidInput as error:
        return found.refused(str(error))
    first = known.add(fields.get("id"), entity.name, project, found.at)
    if first != found.at:
        return found.refused(f"{first} has the same name and context")
    return Row(found.place, entity, project)


def _object(found: _Found) -> dict[str, Any]:
    if not isinstance(found.value, dict):
        raise InvalidInput(found.label, found.value, "it must be an object")
    return {name: value for name, value in found.value.items() if name not in _NOT_KEPT}


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> object:
    """The first of several fields that says something."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _context(fields: Mapping[str, Any], label: str) -> str | None:
    written = fields.get("context")
    if written is None or written == "":
        return None
    return projects.check_project_name(written, argument=f"{label}.context")


def _entity(fields: Mapping[str, Any], label: str) -> Entity:
    own = name_of(fields.get("id"), fields.get("context") or None)
    name = fields.get("name") or own
    more = {key: value for key, value in fields.items() if key not in _OF_ENTITY | USE}
    source = fields.get("source")
    if isinstance(source, str) and len(source) > limits.LABEL_CHARACTERS:
        more["source text"], source = source, None
    entity = Entity.from_json(
        {
            "name": name,
            "aliases": [own] if own and text.normalised(own) != text.normalised(str(name)) else [],
            "kind": fields.get("type") or KIND,
            "tags": fields.get("labels") or [],
            "text": fields.get("content"),
            "confidence": fields.get("confidence"),
            "source": source or None,
            "created_at": fields.get("created"),
            "attributes": more,
        },
        argument=label,
    )
    return replace(entity, attributes={**entity.attributes, **_use(fields, label)})


def _use(fields: Mapping[str, Any], label: str) -> dict[str, limits.Attribute]:
    """How the entity was used, which no importer may say in any other way."""
    found: dict[str, limits.Attribute] = {}
    if fields.get("accessed") is not None:
        found["accessed"] = limits.moment(f"{label}.accessed", fields["accessed"])
    count = fields.get("access_count")
    if count is not None:
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < 2**31:
            raise InvalidInput(f"{label}.access_count", count, "a whole number from 0")
        found["access_count"] = count
    if fields.get("decay_weight") is not None:
        found["decay_weight"] = limits.share(f"{label}.decay_weight", fields["decay_weight"])
    return found


def _relation_row(found: _Found, known: _Known) -> Row:
    try:
        fields = _object(found)
        context = _context(fields, found.label)
        start, of_start = known.end(_first(fields, _STARTS), context)
        end, of_end = known.end(_first(fields, _ENDS), context)
        more = {key: value for key, value in fields.items() if key not in _OF_RELATION}
        relation = Relation.from_json(
            {
                "from": start,
                "relation": _first(fields, _TYPES),
                "to": end,
                "weight": fields.get("weight"),
                "created_at": fields.get("created"),
                "attributes": more,
            },
            argument=found.label,
        )
    except InvalidInput as error:
        return found.refused(str(error))
    if of_start != of_end:
        both = " and ".join(one or "none" for one in (of_start, of_end))
        return found.refused(f"its ends are in two contexts: {both}")
    return Row(found.place, relation, of_start)
