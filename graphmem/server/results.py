"""The tools' results, typed for their output schemas; the fields are those of `to_json`.

Fields may be added to the formats, so every model lets through what it does not name.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.config import JsonDict

Optional = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
Counts = Annotated[dict[str, int], WithJsonSchema({"type": "object"})]
Outcome = Literal["created", "updated", "unchanged", "removed", "refused"]


def _plain(schema: JsonDict) -> None:
    """Leave out what an agent need not read: that all fields are there, and more may be."""
    for said in ("required", "additionalProperties", "description"):
        schema.pop(said, None)


class _Result(BaseModel):
    model_config = ConfigDict(extra="allow", serialize_by_alias=True, json_schema_extra=_plain)


class Matched(_Result):
    """Each leg's and the links' evidence."""

    text: float
    vector: float
    name: float
    link: float


class Via(_Result):
    """A link that led to a hit."""

    seed: str = Field(alias="from")
    relation: str
    direction: Literal["out", "in"] = Field(description="Seen from `from`")
    note: Optional
    weight: float
    evidence: float


class Passage(_Result):
    """A piece of text of a hit."""

    text: str
    created_at: Optional
    source: Optional


class Hit(_Result):
    """One entity of an answer."""

    key: str
    name: str
    title: Optional
    kind: str
    project: str
    status: str
    tags: list[str]
    score: float
    origin: Literal["direct", "expanded"]
    matched: Matched
    via: list[Via]
    passages: list[Passage]
    created_at: Optional
    updated_at: Optional


class Answer(_Result):
    """What one search found."""

    query: str
    project: str
    mode: str
    count: int
    total: int
    total_exact: bool
    degraded: Optional
    cursor: Optional
    notes: list[str]
    took_ms: dict[str, float]
    hits: list[Hit]


class Context(_Result):
    """The best of a search as one text; `text` alone is the tool's content for the agent."""

    text: str
    tokens: int
    hits: int
    omitted: int
    cut: int
    degraded: Optional
    notes: list[str]


class Neighbour(_Result):
    """A relation as seen from an entity."""

    relation: str
    direction: Literal["out", "in"]
    name: str
    kind: str
    note: Optional
    weight: float


class Page(_Result):
    """An entity whole, in the shape of a JSON line; fields without a value are absent."""

    key: str
    name: str
    kind: str
    status: str
    project: str
    updated_at: Optional
    relations: list[Neighbour]


class Pages(_Result):
    """The entities asked for, in order."""

    entities: list[Page]


class Item(_Result):
    """What became of one thing; `reason` where it was refused."""

    what: Literal["entity", "relation"]
    name: str
    outcome: Outcome


class Report(_Result):
    """What a write did, item by item."""

    project: str
    dry_run: bool
    entities: Counts
    relations: Counts
    items: list[Item]
    notes: list[str]


class Stats(_Result):
    """What a project holds."""

    project: str
    entities: int
    relations: int
    passages: int
    pending: int
    kinds: Counts
    statuses: Counts
    tags: Counts
    relation_types: Counts
