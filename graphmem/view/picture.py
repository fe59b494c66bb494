"""What a picture holds: entities as nodes, relations as links, and what is said of both."""

from dataclasses import dataclass, field
from typing import Literal

from graphmem.model.answer import EVIDENCE, Explanation, Matched
from graphmem.model.json_object import OPTIONAL, JsonField, JsonObject, as_json

# hit: an index found it; neighbour: a link led to it; seed: it leads to a hit and is on no page of
# this answer; centre: the entity that was asked for.
Role = Literal["hit", "neighbour", "seed", "centre"]


# Start, end, type and validity, so that relations of one type with other periods stay apart.
ShownIdentity = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class ShownRelation:
    """A relation between two entities that are shown.

    Args:
        start: Key of the entity where it begins.
        end: Key of the entity where it ends.
        relation: Its type.
        weight: In [0, 1].
        note: Why the two are linked, or None.
        validity: When the relation is valid, or a blank text.
    """

    start: str
    end: str
    relation: str
    weight: float = 1.0
    note: str | None = None
    validity: str = ""

    @property
    def identity(self) -> ShownIdentity:
        """What no other relation between shown entities has."""
        return (self.start, self.end, self.relation, self.validity)


@dataclass(frozen=True, slots=True)
class Node(JsonObject):
    """An entity in a picture.

    Args:
        key: Unique in the store; links name it.
        name: As people call it.
        kind: What it is; its colour.
        project: The project or layer that holds it.
        status: active, or another.
        role: What it has to do with what was asked.
        title: A longer name, or None.
        place: Its place among the hits from 1, or None.
        score: Its score, or None where nothing was searched.
        tags: Its tags.
        matched: The evidence of each leg and of the links.
        explanation: How the score was computed.
        texts: What it says, the best first, each shortened.
        validity: When it is valid, or None if it is always valid.
    """

    key: str
    name: str
    kind: str
    project: str
    status: str
    role: Role
    title: str | None = field(default=None, metadata=OPTIONAL)
    place: int | None = field(default=None, metadata=OPTIONAL)
    score: float | None = field(default=None, metadata=as_json(JsonField(is_optional=True)))
    tags: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    matched: Matched | None = field(default=None, metadata=OPTIONAL)
    explanation: Explanation | None = field(
        default=None, metadata=as_json(JsonField(name="explain", is_optional=True))
    )
    texts: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    validity: str | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class Link(JsonObject):
    """A relation in a picture.

    Args:
        start: Key of the node where it begins.
        end: Key of the node where it ends.
        relation: Its type.
        weight: What it passes on, in [0, 1].
        evidence: What it gave the score of the node it led to; 0 where it led to none.
        led_to: Key of that node, or None.
        note: Why the two are linked, or None.
        validity: When the relation is valid, or None if it always is.
    """

    start: str = field(metadata=as_json(JsonField(name="from")))
    end: str = field(metadata=as_json(JsonField(name="to")))
    relation: str
    weight: float
    evidence: float = field(default=0.0, metadata=EVIDENCE)
    led_to: str | None = field(default=None, metadata=OPTIONAL)
    note: str | None = field(default=None, metadata=OPTIONAL)
    validity: str | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture(JsonObject):
    """A search or an entity as a picture; `graphmem view --json` prints it.

    Args:
        title: The query, or the name of the entity.
        about: search or entity.
        project: The project that was asked.
        mode: That of the search, or None.
        total: How many entities matched, or how many relations the entity has.
        total_exact: Whether no more than `total` can have matched.
        notes: What was cut or left out, a sentence each.
        nodes: Hits first, in their order; then what leads to them.
        links: By their ends, then by type and period.
    """

    title: str
    about: Literal["search", "entity"]
    project: str
    mode: str | None = field(default=None, metadata=OPTIONAL)
    total: int
    total_exact: bool = True
    notes: tuple[str, ...] = ()
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
