"""The fields of an object become those of an entity or relation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphmem import project as projects
from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.importing.fields import as_list, own_attributes, period_of
from graphmem.importing.merging import merge_attributes, unite_names
from graphmem.model import Entity, Relation, limits
from graphmem.model.period import PERIOD
from graphmem.model.provenance import use_count
from graphmem.model.relation_fields import RESERVED_RELATION_ATTRIBUTES
from graphmem.model.reserved import RESERVED_ATTRIBUTES, USE, ReservedNames

STARTS = ("from", "in", "source", "from_id")
ENDS = ("to", "out", "target", "to_id")

_NOT_KEPT = frozenset({"embedding", "unique_key"})
_TYPES = ("relation_type", "relationType", "rel_type", "relation", "type")
_OF_ENTITY = frozenset(
    {"id", "name", "type", "labels", "content", "confidence", "source", "context", "created",
     "observations", "entityType", "entity_type", *PERIOD}
)  # fmt: skip
_OF_RELATION = frozenset({"id", "weight", "created", "context", *STARTS, *ENDS, *_TYPES, *PERIOD})
# graphmem's names for what memcp calls otherwise.
_WORDS = {"tags": "labels", "kind": "type", "text": "content", "created_at": "created"}


def name_of(identifier: object, context: str | None) -> str | None:
    """The name in an id as memcp or SurrealDB writes it: `entity:x`, `entity:⟨context:x⟩`, `x`."""
    if isinstance(identifier, Mapping):
        identifier = identifier.get("id", identifier.get("ID"))
    if not isinstance(identifier, str):
        return None
    bare_id = identifier.strip().removeprefix("entity:").strip("⟨⟩`")
    return bare_id.removeprefix(f"{context}:") if context else bare_id


def memcp_argument(argument: str) -> str:
    """The name of an argument as memcp has it: `entities[0].tags[1]` is `entities[0].labels[1]`."""
    parent, dot, field = argument.rpartition(".")
    name, bracket, place = field.partition("[")
    return f"{parent.removesuffix('.attributes')}{dot}{_WORDS.get(name, name)}{bracket}{place}"


def members_of(value: object, label: str) -> dict[str, Any]:
    """The fields of an object that are kept.

    Raises:
        InvalidInput: It is no object.
    """
    if not isinstance(value, dict):
        raise InvalidInput(label, value, "must be an object")
    return {name: field_value for name, field_value in value.items() if name not in _NOT_KEPT}


def context(fields: Mapping[str, Any], label: str) -> str | None:
    """The project that is named, or None.

    Raises:
        InvalidInput: The name is not allowed.
    """
    name = fields.get("context")
    if name is None or name == "":
        return None
    return projects.check_project_name(name, argument=f"{label}.context")


def ends(fields: Mapping[str, Any]) -> tuple[object, object]:
    """The two ends of a relation as they are written."""
    return _first_value(fields, STARTS), _first_value(fields, ENDS)


def entity(fields: Mapping[str, Any], label: str) -> Entity:
    """Make an entity; its kind is None where none is said.

    Raises:
        InvalidInput: naming the field that is not allowed.
    """
    own_id = name_of(fields.get("id"), fields.get("context") or None)
    name = fields.get("name") or own_id
    attributes = _attributes(fields, _OF_ENTITY | USE)
    source, labels = fields.get("source"), fields.get("labels") or []
    if isinstance(source, str) and len(source) > limits.LABEL_CHARACTERS:
        attributes["source text"], source = source, None
    new_entity = Entity.from_json(
        {
            "name": name,
            "aliases": [own_id]
            if own_id and text.normalised(own_id) != text.normalised(str(name))
            else [],
            "kind": _kind(fields) or None,
            "tags": as_list(labels),
            "text": fields.get("content"),
            "observations": fields.get("observations") or [],
            "confidence": fields.get("confidence"),
            "source": source or None,
            "created_at": fields.get("created"),
            "attributes": attributes,
            **period_of(fields),
        },
        argument=label,
    )
    return replace(new_entity, attributes={**new_entity.attributes, **_use(fields, label)})


def merge_versions(versions: Sequence[Entity]) -> Entity:
    """An entity said several times: updated by what is said later, the labels of all."""
    if len(versions) == 1:
        return versions[0]
    latest = versions[::-1]
    use = {
        name: max(version.attributes[name] for version in versions if name in version.attributes)
        for name in USE
        if any(name in version.attributes for version in versions)
    }
    return replace(
        versions[0],
        kind=next((version.kind for version in latest if version.kind), None),
        text=next((version.text for version in latest if version.text is not None), None),
        observations=tuple(
            observation for entity in versions for observation in entity.observations
        ),
        aliases=unite_names(version.aliases for version in versions),
        tags=unite_names(version.tags for version in versions),
        confidence=next(
            (version.confidence for version in latest if version.confidence is not None), None
        ),
        source=next((version.source for version in latest if version.source), None),
        created_at=min(
            (version.created_at for version in versions if version.created_at), default=None
        ),
        valid_from=next((version.valid_from for version in latest if version.valid_from), None),
        valid_until=next((version.valid_until for version in latest if version.valid_until), None),
        attributes=merge_attributes([use, *(version.attributes for version in latest)]),
    )


def relation(fields: Mapping[str, Any], start: str | None, end: str | None, label: str) -> Relation:
    """Make a relation between two names.

    Raises:
        InvalidInput: naming the field that is not allowed.
    """
    return Relation.from_json(
        {
            "from": start,
            "relation": _first_value(fields, _TYPES),
            "to": end,
            "weight": fields.get("weight"),
            "created_at": fields.get("created"),
            "attributes": _attributes(fields, _OF_RELATION, RESERVED_RELATION_ATTRIBUTES),
            **period_of(fields),
        },
        argument=label,
    )


def _first_value(fields: Mapping[str, Any], names: tuple[str, ...]) -> object:
    """The first of several fields that says something."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _kind(fields: Mapping[str, Any]) -> object:
    """The type; `{"type": "entity", "entityType": "service"}` says it in the second place."""
    type_name, entity_type = fields.get("type"), _first_value(fields, ("entityType", "entity_type"))
    return (
        entity_type if entity_type is not None and type_name in (None, "", "entity") else type_name
    )


def _attributes(
    fields: Mapping[str, Any],
    without: Iterable[str],
    reserved: ReservedNames = RESERVED_ATTRIBUTES,
) -> dict[str, object]:
    """The other fields; what is neither a value nor a flat list is kept as JSON text."""
    others = {name: value for name, value in fields.items() if name not in without}
    return own_attributes(others, reserved=reserved)


def _use(fields: Mapping[str, Any], label: str) -> dict[str, limits.Attribute]:
    """How the entity was used, which no importer may say in any other way."""
    attributes: dict[str, limits.Attribute] = {}
    if fields.get("accessed") is not None:
        attributes["accessed"] = limits.moment(f"{label}.accessed", fields["accessed"])
    if fields.get("access_count") is not None:
        attributes["access_count"] = use_count(f"{label}.access_count", fields["access_count"])
    if fields.get("decay_weight") is not None:
        attributes["decay_weight"] = limits.share(f"{label}.decay_weight", fields["decay_weight"])
    return attributes
