"""What one call or file says several times of one thing, as one."""

from dataclasses import replace

from graphmem.model import Entity, Relation
from graphmem.model.correction import ATTRIBUTE
from graphmem.model.entity_fields import FIELD_NAMES as ENTITY_FIELDS
from graphmem.model.relation_fields import FIELD_NAMES

# Of what an entity says twice, the later counts; a text only where it is not empty.
_LATER = (*(name for name in ENTITY_FIELDS if name != "text"), "created_at")


def joined_relation(before: Relation | None, said: Relation) -> Relation:
    """A relation said twice in one call: what is said later is added, as in two calls."""
    if before is None:
        return said
    kept = {
        name: getattr(before if getattr(said, name) is None else said, name)
        for name in FIELD_NAMES
        if name not in said.unset
    }
    attributes = {
        name: value
        for name, value in {**before.attributes, **said.attributes}.items()
        if f"{ATTRIBUTE}{name}" not in said.unset
    }
    given = {name for name in FIELD_NAMES if getattr(said, name) is not None}
    given |= {f"{ATTRIBUTE}{name}" for name in said.attributes}
    unset = dict.fromkeys((*(name for name in before.unset if name not in given), *said.unset))
    return replace(said, **kept, attributes=attributes, unset=tuple(unset))


def joined_entity(before: Entity, said: Entity, *, may_lower_confidence: bool) -> Entity:
    """An entity that one file says twice: what it says later is added, as in two writes."""
    later = {name: value for name in _LATER if (value := getattr(said, name)) is not None}
    if said.text is not None and said.text.strip():
        later["text"] = said.text
    surest = before.confidence
    if not may_lower_confidence and surest is not None and said.confidence is not None:
        later["confidence"] = max(surest, said.confidence)
    return replace(
        before,
        **later,
        observations=(*before.observations, *said.observations),
        aliases=tuple(dict.fromkeys((*before.aliases, *said.aliases))),
        tags=tuple(dict.fromkeys((*before.tags, *said.tags))),
        attributes={**before.attributes, **said.attributes},
    )
