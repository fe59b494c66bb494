"""The tools' answers, and entities as memcp writes them."""

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from graphmem.adapters.memcp.profile.contexts import id_of
from graphmem.model import Entity, Hit
from graphmem.model.json_object import iso

if TYPE_CHECKING:
    from graphmem.adapters.memcp.upkeep.tracking import Use
    from graphmem.memory import Memory
    from graphmem.model import Via as Link
    from graphmem.read.traversal import Step

# `get_entity` has the whole.
CONTENT_CHARACTERS = 2000


class Described(BaseModel):
    """An entity; `context` is its project."""

    id: str
    name: str
    type: str
    labels: list[str]
    content: str
    confidence: float | None
    source: str | None
    context: str
    created: str | None


class Via(BaseModel):
    """A link that led to an entity; `direction` is seen from `from`."""

    model_config = ConfigDict(serialize_by_alias=True)

    start: str = Field(alias="from")
    relation: str
    direction: Literal["out", "in"]
    weight: float
    note: str | None


class Found(Described):
    """An entity of an answer; `via` where only a link led to it."""

    score: float
    origin: Literal["direct", "expanded"]
    via: list[Via]


class SearchAnswer(BaseModel):
    """What a search found, best first."""

    entities: list[Found]
    count: int
    total: int
    context: str
    degraded: str | None


class Whole(Described):
    """An entity and how it was used."""

    updated: str | None
    accessed: str | None
    access_count: int
    decay_weight: float


class Remembered(Described):
    """An entity as it is now, and what became of it."""

    action: Literal["created", "updated"]


class RememberAnswer(BaseModel):
    """What was written; what was not is told in the errors."""

    entities: list[Remembered]
    created: int
    updated: int
    relations_created: int
    relations_updated: int
    entity_errors: list[str]
    relation_errors: list[str]
    notes: list[str]


class ForgetAnswer(BaseModel):
    """How many entities were forgotten."""

    deleted: int
    message: str


class LabelCount(BaseModel):
    """A label and how many entities have it."""

    label: str
    count: int


class LabelsAnswer(BaseModel):
    """The labels, the commonest first."""

    labels: list[LabelCount]
    count: int


class TypeCount(BaseModel):
    """A type and how many entities are of it."""

    type: str
    count: int


class TypesAnswer(BaseModel):
    """The types, the commonest first."""

    types: list[TypeCount]
    count: int


class Connected(Described):
    """An entity near another, and the link that led to it."""

    depth: int
    via: Via


class TraverseAnswer(Described):
    """An entity and what lies around it; `complete` is false where there may be more."""

    connected: list[Connected]
    count: int
    complete: bool


class PathStep(Via):
    """A link on a path."""

    to: str


class PathAnswer(BaseModel):
    """A shortest path: its entities, and its length in relations."""

    path_found: bool
    path: list[str]
    steps: list[PathStep]
    length: int
    message: str


class Decayed(BaseModel):
    """An entity that lost weight, or would."""

    id: str
    name: str
    old_decay_weight: float
    new_decay_weight: float


class DecayAnswer(BaseModel):
    """How many entities lost weight, or would, and the first hundred of them."""

    affected: int
    dry_run: bool
    entities: list[Decayed]


class Pair(BaseModel):
    """Two entities that mean nearly the same."""

    entity1_id: str
    entity1_name: str
    entity2_id: str
    entity2_name: str
    similarity: float


class SimilarAnswer(BaseModel):
    """Pairs, nearest first; `complete` is false where not all entities were compared."""

    pairs: list[Pair]
    count: int
    complete: bool


class ReflectAnswer(BaseModel):
    """What one kind of upkeep did or found."""

    action: Literal["decay", "similar"]
    decay: DecayAnswer | None = None
    similar: SimilarAnswer | None = None


def entity_fields(memory: "Memory", entity: Entity, *, whole: bool = False) -> dict[str, object]:
    """The fields of `Described`; the content is cut at 2,000 characters unless wanted whole."""
    content = entity.text or "\n".join(observation.text for observation in entity.observations)
    if not whole and len(content) > CONTENT_CHARACTERS:
        content = f"{content[:CONTENT_CHARACTERS]}…"
    return {
        "id": id_of(memory, entity),
        "name": entity.name,
        "type": entity.kind or "",
        "labels": list(entity.tags),
        "content": content,
        "confidence": entity.confidence,
        "source": entity.source,
        "context": entity.project or "",
        "created": iso(entity.created_at),
    }


def hit_of(memory: "Memory", hit: Hit, entity: Entity) -> Found:
    """A hit of a search."""
    via = [Via.model_validate(via_of(link, link.seed)) for link in hit.via]
    search_fields = {"score": hit.score, "origin": hit.origin, "via": via}
    return Found.model_validate(entity_fields(memory, entity) | search_fields)


def whole_of(memory: "Memory", entity: Entity, use: "Use") -> Whole:
    """An entity read by itself."""
    use_fields = {
        "updated": iso(entity.updated_at),
        "accessed": iso(use.accessed),
        "access_count": use.access_count,
        "decay_weight": use.decay_weight,
    }
    return Whole.model_validate(entity_fields(memory, entity, whole=True) | use_fields)


def via_of(link: "Step | Link", name: str) -> dict[str, object]:
    """The fields of `Via` for a step of a path, or a link to a hit, as seen from a name."""
    return {
        "from": name,
        "relation": link.relation,
        "direction": link.direction,
        "weight": link.weight,
        "note": link.note,
    }
