"""What the tools answer, typed for their output schemas."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

Direction = Literal["out", "in"]


def _simplify(schema: JsonDict) -> None:
    """Leave out of the schema that more fields may be there, and the class's docstring."""
    for key in ("additionalProperties", "description"):
        schema.pop(key, None)


class _Result(BaseModel):
    model_config = ConfigDict(extra="forbid", serialize_by_alias=True, json_schema_extra=_simplify)


class Via(_Result):
    """A link that led to a hit."""

    seed: str = Field(alias="from")
    relation: str
    direction: Direction = Field(description="Seen from `from`")
    note: str | None
    weight: float
    confidence: float | None = None
    attributes: dict[str, object] = {}
    evidence: float


class Hit(_Result):
    """An artifact that was found."""

    id: str
    kind: str
    status: str
    title: str
    snippet: str
    score: float
    r_eff: float
    via: Annotated[
        list[Via] | None,
        Field(
            default=None,
            exclude_if=lambda via: via is None,
            description="Only where links alone led to it: best first, at most five",
        ),
    ]


class Found(_Result):
    """What a search found; `count` hits are given of the `total` that matched."""

    query: str
    hits: list[Hit]
    count: int
    total: int
    total_exact: bool = Field(description="False: at least so many")
    degraded: str | None
    notes: list[str]


class Link(_Result):
    """A link as seen from the artifact."""

    target: str
    relation: str
    direction: Direction
    note: str | None


class Evidence(_Result):
    """A linked evidence and what it gives to R_eff."""

    id: str
    score: float


class Artifact(_Result):
    """An artifact whole."""

    id: str
    kind: str
    status: str
    title: str
    tags: list[str]
    created_at: str | None
    updated_at: str | None
    attributes: dict[str, object]
    r_eff: float
    evidence: list[Evidence]
    links: list[Link]
    body: str
