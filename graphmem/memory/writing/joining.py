"""Joins several statements of one call or file on the same entity or relation."""

from collections.abc import Sequence
from dataclasses import replace

from graphmem.model import Entity, Observation, Relation
from graphmem.model.accumulated import within_limits
from graphmem.model.correction import ATTRIBUTE
from graphmem.model.entity_fields import FIELD_NAMES as ENTITY_FIELDS
from graphmem.model.period import PERIOD, check_period
from graphmem.model.relation_fields import FIELD_NAMES
from graphmem.write.assertions.passages import distinct_observations

# Of what an entity says twice, the later counts; a text only where it is not empty.
_LATER = (*(name for name in ENTITY_FIELDS if name != "text"), "created_at")


def joined_relation(earlier: Relation | None, later: Relation) -> Relation:
    """Join two statements of a relation in one call: the later one is added, as in two calls."""
    if earlier is None:
        return later
    fields = {
        name: getattr(earlier if getattr(later, name) is None else later, name)
        for name in FIELD_NAMES
        if name not in later.unset
    }
    attributes = {
        name: value
        for name, value in {**earlier.attributes, **later.attributes}.items()
        if f"{ATTRIBUTE}{name}" not in later.unset
    }
    later_names = {name for name in FIELD_NAMES if getattr(later, name) is not None}
    later_names |= {f"{ATTRIBUTE}{name}" for name in later.attributes}
    unset = dict.fromkeys(
        (*(name for name in earlier.unset if name not in later_names), *later.unset)
    )
    return replace(later, **fields, attributes=attributes, unset=tuple(unset))


def joined_entity(earlier: Entity, later: Entity, *, may_lower_confidence: bool) -> Entity:
    """Join two rows of an entity in one file: the later one is added, as in two writes."""
    changes = {name: value for name in _LATER if (value := getattr(later, name)) is not None}
    if later.text is not None and later.text.strip():
        changes["text"] = later.text
    earlier_confidence = earlier.confidence
    if not may_lower_confidence and earlier_confidence is not None and later.confidence is not None:
        changes["confidence"] = max(earlier_confidence, later.confidence)
    return replace(
        earlier,
        **changes,
        observations=(*earlier.observations, *later.observations),
        aliases=tuple(dict.fromkeys((*earlier.aliases, *later.aliases))),
        tags=tuple(dict.fromkeys((*earlier.tags, *later.tags))),
        attributes={**earlier.attributes, **later.attributes},
    )


def joined_entities(entities: Sequence[Entity], *, may_lower_confidence: bool) -> Entity:
    """Join all rows of an entity in one file, in order.

    Raises:
        InvalidInput: It would be too large, or it or an observation would end before it begins.
    """
    joined = entities[0]
    for later in entities[1:]:
        joined = joined_entity(joined, later, may_lower_confidence=may_lower_confidence)
    joined = replace(joined, observations=distinct_observations(joined.observations))
    within_limits(joined.holding)
    _check_period("entity", joined)
    for observation in joined.observations:
        _check_period("observation", observation)
    return joined


def _check_period(argument: str, value: Entity | Observation) -> None:
    check_period(argument, {name: getattr(value, name) for name in PERIOD})
