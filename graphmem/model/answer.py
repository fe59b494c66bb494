"""A search's answer: ranked hits, what matched in each, and the links that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphmem.model import limits
from graphmem.model.entity import iso, plain

Mode = Literal["hybrid", "keyword", "semantic"]
Ranking = Literal["evidence", "rrf"]
Operator = Literal["or", "and"]
Origin = Literal["direct", "expanded"]
Leg = Literal["text", "vector", "name"]
Sort = Literal["score", "date", "name"]
Detail = Literal["names", "passages", "full"]
SORTS: tuple[Sort, ...] = ("score", "date", "name")
MODES: tuple[Mode, ...] = ("hybrid", "keyword", "semantic")
RANKINGS: tuple[Ranking, ...] = ("evidence", "rrf")


@dataclass(frozen=True, slots=True)
class Matched:
    """Each leg's and the links' evidence for one hit, in [0, 1)."""

    text: float
    vector: float
    name: float
    link: float

    def to_json(self) -> dict[str, float]:
        """Write the four parts, rounded to four places for reading."""
        return {
            "text": round(self.text, 4),
            "vector": round(self.vector, 4),
            "name": round(self.name, 4),
            "link": round(self.link, 4),
        }


@dataclass(frozen=True, slots=True)
class Via:
    """A link that led to a hit; `direction` is `out` when the seed is the relation's start.

    `confidence` and `attributes` are what the relation says of itself beside note and weight.
    """

    seed: str
    relation: str
    direction: Literal["out", "in"]
    note: str | None
    weight: float
    evidence: float
    confidence: float | None = None
    attributes: Mapping[str, limits.Attribute] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Write the link as it stands in an answer; what a relation may say only where it does."""
        written: dict[str, object] = {
            "from": self.seed,
            "relation": self.relation,
            "direction": self.direction,
            "note": self.note,
            "weight": self.weight,
            "evidence": round(self.evidence, 4),
        }
        if self.confidence is not None:
            written["confidence"] = self.confidence
        if self.attributes:
            written["attributes"] = {name: plain(one) for name, one in self.attributes.items()}
        return written


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text a hit carries.

    Args:
        text: As it is stored.
        created_at: When it was said.
        source: Where it is from.
        snippet: Its part that matched best, or its beginning; marked where the search highlights.
        marked: The whole text with the words that matched between `**`, where the search
            highlights; not written to JSON.
    """

    text: str
    created_at: datetime | None
    source: str | None
    snippet: str = ""
    marked: str = ""

    def to_json(self) -> dict[str, object]:
        """Write the passage as it stands in an answer; `snippet` only where it is not the text."""
        written: dict[str, object] = {
            "text": self.text,
            "created_at": iso(self.created_at),
            "source": self.source,
        }
        if self.snippet and self.snippet != " ".join(self.text.split()):
            written["snippet"] = self.snippet
        return written


@dataclass(frozen=True, slots=True)
class LegPart:
    """How one leg found a hit: its rank there from 1, its raw score and the evidence made of it.

    Args:
        leg: text, vector or name.
        rank: 1 for the leg's best entity.
        raw: BM25 score, cosine, or for a name 1 divided by how many entities bear it.
        evidence: In [0, 1).
        found: The passage's beginning, or the name that was found in the query; empty where the
            find is of an entity's whole text and `detail="names"` asks for no passage.
    """

    leg: Leg
    rank: int
    raw: float
    evidence: float
    found: str


@dataclass(frozen=True, slots=True)
class LinkPart:
    """What links gave: link = min(1 - Π(1 - share), ceiling).

    Args:
        via: The best link; its evidence is λ · weight · direct(seed) / degree(seed)^d.
        link_factor: λ.
        damping: d.
        degree: The relations of that link's seed.
        seed_direct: The direct evidence of that seed.
        shares: The best evidence of each seed, best first.
        ceiling: λ times the direct evidence of the best seed: a neighbour stays below it.
    """

    via: Via
    link_factor: float
    damping: float
    degree: int
    seed_direct: float
    shares: tuple[float, ...]
    ceiling: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of a hit's score.

    With `ranking="evidence"`: score = 1 - (1 - direct)(1 - link), where direct is the noisy-or of
    the legs' evidence. With `ranking="rrf"`: direct is the sum of 1 / (k + rank) over the legs, and
    what a leg found gets nothing from links.
    """

    legs: tuple[LegPart, ...]
    link: LinkPart | None
    direct: float
    formula: str
    rrf_k: float | None = None

    def to_json(self) -> dict[str, object]:
        """Write the parts unrounded, so that they reproduce the score."""
        return {
            "direct": self.direct,
            "formula": self.formula,
            "rrf_k": self.rrf_k,
            "legs": [
                {
                    "leg": part.leg,
                    "rank": part.rank,
                    "raw": part.raw,
                    "evidence": part.evidence,
                    "found": part.found,
                }
                for part in self.legs
            ],
            "link": None
            if self.link is None
            else self.link.via.to_json()
            | {
                "evidence": self.link.via.evidence,
                "link_factor": self.link.link_factor,
                "damping": self.link.damping,
                "degree": self.link.degree,
                "seed_direct": self.link.seed_direct,
                "shares": list(self.link.shares),
                "ceiling": self.link.ceiling,
            },
        }


@dataclass(frozen=True, slots=True)
class Hit:
    """One entity in an answer: `direct` if a leg found it, `expanded` if only a link did."""

    key: str
    name: str
    title: str | None
    kind: str
    project: str
    status: str
    tags: tuple[str, ...]
    score: float
    origin: Origin
    matched: Matched
    via: tuple[Via, ...]
    passages: tuple[Passage, ...]
    created_at: datetime | None
    updated_at: datetime | None
    explanation: Explanation | None = None

    def to_json(self) -> dict[str, object]:
        """Write the hit as it stands in an answer; `explain` only where it was asked for."""
        written: dict[str, object] = {
            "key": self.key,
            "name": self.name,
            "title": self.title,
            "kind": self.kind,
            "project": self.project,
            "status": self.status,
            "tags": list(self.tags),
            "score": self.score,
            "origin": self.origin,
            "matched": self.matched.to_json(),
            "via": [link.to_json() for link in self.via],
            "passages": [passage.to_json() for passage in self.passages],
            "created_at": iso(self.created_at),
            "updated_at": iso(self.updated_at),
        }
        if self.explanation is not None:
            written["explain"] = self.explanation.to_json()
        return written


@dataclass(frozen=True, slots=True)
class Answer:
    """What one search found.

    Args:
        query: As it was given.
        project: The project that was searched.
        mode: hybrid, keyword or semantic.
        hits: Best first; ties by key.
        total: How many entities matched before the cut, among the candidates of the legs and links:
            100 passages a leg, or twice the limit where that is more; 1,000 where operators decide
            what matches or another order than by score is asked for; up to 10,000 (5,000 of the
            vector leg) where the search asked again because filters left too little.
        total_exact: Whether that is all there are; False means "at least".
        degraded: Why the answer is less than it could be, or None.
        took_ms: Milliseconds of `embed`, `database` (and of waiting while eight others search)
            and `total`.
        notes: What was cut or ignored, a sentence each.
        cursor: What to hand back for the next page; None on the last.
    """

    query: str
    project: str
    mode: Mode
    hits: tuple[Hit, ...]
    total: int
    degraded: str | None
    took_ms: dict[str, float]
    notes: tuple[str, ...] = ()
    cursor: str | None = None
    total_exact: bool = True

    @property
    def count(self) -> int:
        """The number of hits in this answer."""
        return len(self.hits)

    def to_json(self) -> dict[str, object]:
        """Write the answer in the fixed format."""
        return {
            "query": self.query,
            "project": self.project,
            "mode": self.mode,
            "count": self.count,
            "total": self.total,
            "total_exact": self.total_exact,
            "degraded": self.degraded,
            "cursor": self.cursor,
            "notes": list(self.notes),
            "took_ms": {name: round(value, 1) for name, value in self.took_ms.items()},
            "hits": [hit.to_json() for hit in self.hits],
        }
