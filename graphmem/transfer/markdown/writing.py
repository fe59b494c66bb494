"""Entities as Markdown notes, which an import reads back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from graphmem.importing.yaml_dumping import front_matter
from graphmem.model import Entity, Observation, Relation
from graphmem.model.entity import DEFAULT_KIND
from graphmem.transfer.markdown.decision_records import is_replacement_field
from graphmem.transfer.markdown.entity import ENTITY_FIELDS, OF_A_NOTE, READ_OTHERWISE
from graphmem.transfer.markdown.link_list import link_list, without_link_list
from graphmem.transfer.markdown.relations import is_wiki_link

# These stand beside `kind` and `title`; others of the names that an import takes otherwise do not.
_NESTED = frozenset({*ENTITY_FIELDS, *OF_A_NOTE, *READ_OTHERWISE})

Values = dict[str, Any]


def note_of(
    entity: Entity, relations: Sequence[Relation], link_to: Callable[[str], str | None]
) -> str:
    """The note of an entity: its fields and relations as front matter, its text, and links.

    What has no order of its own is in that of its names, so that what is alike is written alike.

    Args:
        entity: The entity.
        relations: Those that start at it.
        link_to: Makes a link to the note of another entity; None where it has none, and relations
            to it are left out.
    """
    in_order = sorted(relations, key=lambda relation: (relation.relation, relation.end))
    links = [(relation, link_to(relation.end)) for relation in in_order]
    kept_links = [(relation, link) for relation, link in links if link is not None]
    head = front_matter(_front_matter_fields(entity, kept_links))
    parts = [head, (entity.text or "").strip()]
    note = _joined(parts)
    # An import would take a list in the text for that of the export, if there were no other.
    if not kept_links and without_link_list(note) == note:
        return note
    return _joined([*parts, link_list(_line(relation, link) for relation, link in kept_links)])


def _joined(parts: Sequence[str]) -> str:
    """A note of its front matter and what follows, which blank lines divide."""
    head, *others = parts
    return "\n".join([head, *(f"{part}\n" for part in others if part)])


def _front_matter_fields(entity: Entity, links: Sequence[tuple[Relation, str]]) -> Values:
    names = [field.name for field in fields(entity) if field.name in {"name", *ENTITY_FIELDS}]
    own = _given(replace(entity, kind=entity.kind or DEFAULT_KIND), names)
    if "tags" in own:  # an import takes the first `#` of a tag for a mark
        own["tags"] = [f"#{tag}" if tag.startswith("#") else tag for tag in entity.tags]
    attributes = sorted(entity.attributes.items())
    # An empty list beside `kind` is a field without a value.
    nested = {
        name: value
        for name, value in attributes
        if name in _NESTED or is_replacement_field(name) or value == []
    }
    plain = {name: value for name, value in attributes if name not in nested}
    others = {
        "attributes": nested,
        "observations": [_observation(observation) for observation in entity.observations],
        "relations": [_relation(relation, link) for relation, link in links],
    }
    return own | plain | {name: value for name, value in others.items() if value}


def _observation(observation: Observation) -> Values:
    names = [field.name for field in fields(observation) if field.name not in {"id", "unset"}]
    return _given(observation, names)


def _relation(relation: Relation, link: str) -> Values:
    names = [
        field.name
        for field in fields(relation)
        if field.name not in {"start", "relation", "end", "provenance", "unset", "replaces"}
    ]
    # A name that looks like a link would be read as one, so it stands as a link to its note.
    end = link if is_wiki_link(relation.end) else relation.end
    return {"relation": relation.relation, "to": end} | _given(relation, names)


def _given(value: object, names: Sequence[str]) -> Values:
    """The fields that a value has."""
    values = {name: getattr(value, name) for name in names}
    return {
        name: dict(value) if isinstance(value, Mapping) else value
        for name, value in values.items()
        if value not in (None, (), {})
    }


def _line(relation: Relation, link: str) -> str:
    note = " ".join((relation.note or "").split())
    return f"- {relation.relation} {link}" + (f": {note}" if note else "")
