"""The answer of a search: ranked hits, what matched in each, and the links that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from graphmem.model import limits
from graphmem.model.json_object import (
    ATTRIBUTES,
    HIDDEN,
    OPTIONAL,
    JsonField,
    JsonObject,
    as_json,
    rounded,
)
from graphmem.model.period import Day
from graphmem.model.relation_fields import RelationDirection

Mode = Literal["hybrid", "keyword", "semantic"]
Ranking = Literal["evidence", "rrf"]
Operator = Literal["or", "and"]
Origin = Literal["direct", "expanded"]
Leg = Literal["text", "vector", "name"]
Sort = Literal["score", "date", "name"]
Detail = Literal["names", "passages", "full"]
SORTS: tuple[Sort, ...] = get_args(Sort)
MODES: tuple[Mode, ...] = get_args(Mode)
RANKINGS: tuple[Ranking, ...] = get_args(Ranking)
OPERATORS: tuple[Operator, ...] = get_args(Operator)
# The most hits of a page.
MOST_HITS = 200
EVIDENCE = as_json(JsonField(write=rounded(4)))


@dataclass(frozen=True, slots=True)
class Matched(JsonObject):
    """The evidence of each leg and of the links for one hit, in [0, 1); 0 without a match.

    Args:
        text: Evidence from the words.
        vector: Evidence from the meaning.
        name: Evidence from a name in the query.
        link: Evidence from all links together.
    """

    text: float = field(metadata=EVIDENCE)
    vector: float = field(metadata=EVIDENCE)
    name: float = field(metadata=EVIDENCE)
    link: float = field(metadata=EVIDENCE)


@dataclass(frozen=True, slots=True)
class Via(JsonObject):
    """A link that led to a hit.

    Args:
        seed: Name of the entity whose links were followed; `from` in JSON.
        relation: The type of the relation.
        direction: `out` if the relation starts at the seed, `in` if it ends there.
        note: Why the two are linked, or None.
        weight: The share of the seed's evidence that the relation passes on, 0 to 1.
        evidence: The evidence that the link gives the hit, in [0, 1).
        confidence: How certain the relation is, 0 to 1, or None.
        valid_from: The day or moment from which the relation is valid, or None.
        valid_until: The last day, or the moment, until which it is valid, or None.
        attributes: The relation's custom attributes.
        seed_key: Key of the entity whose links were followed; not written to JSON.
    """

    seed: str = field(metadata=as_json(JsonField(name="from")))
    relation: str
    direction: RelationDirection = field(
        metadata=as_json(JsonField(description="Seen from `from`"))
    )
    note: str | None
    weight: float
    evidence: float = field(metadata=EVIDENCE)
    confidence: float | None = field(default=None, metadata=OPTIONAL)
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)
    attributes: Mapping[str, limits.Attribute] = field(default_factory=dict, metadata=ATTRIBUTES)
    seed_key: str = field(default="", metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class Passage(JsonObject):
    """A piece of text of a hit: an observation or a part of its text.

    Args:
        text: As it is stored.
        created_at: When it was said.
        source: Where it comes from.
        valid_from: The day or moment from which it is valid.
        valid_until: The last day, or the moment, until which it is valid.
        snippet: The part that matched best, or the beginning; with `highlight`, matched words are
            between `**`. Left out of JSON if it is the whole text.
        marked: With `highlight`, the whole text with matched words between `**`; not written to
            JSON.
    """

    text: str
    created_at: datetime | None
    source: str | None
    snippet: str = field(default="", metadata=OPTIONAL)
    marked: str = field(default="", metadata=HIDDEN)
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)

    def to_json(self) -> dict[str, object]:
        """Write the passage as an answer has it."""
        written = JsonObject.to_json(self)
        if self.snippet in {"", " ".join(self.text.split())}:
            del written["snippet"]
        return written


@dataclass(frozen=True, slots=True)
class LegPart(JsonObject):
    """How one leg found a hit: its rank, raw score and evidence.

    Args:
        leg: text, vector or name.
        rank: 1 for the leg's best entity.
        raw: BM25 score, cosine, or for a name 1 divided by the number of entities that have it.
        evidence: In [0, 1).
        excerpt: The first 160 characters of the passage, or the name that is in the query; empty
            with `detail="names"` if the leg matched the entity as a whole.
    """

    leg: Leg
    rank: int
    raw: float
    evidence: float
    excerpt: str


@dataclass(frozen=True, slots=True)
class LinkPart(JsonObject):
    """The evidence from links: link = min(1 - Π(1 - share), ceiling).

    Args:
        via: The best link; its evidence is λ · weight · confidence · direct^p / (a^c · b^d), with
            the relation's own weight and confidence, 1 if it has none.
        link_factor: λ.
        seed_direct: The direct evidence of that link's seed.
        seed_exponent: p.
        seed_relations: a, the number of the seed's relations with that link's type and direction,
            at most 50.
        seed_damping: c.
        neighbour_relations: b, the same number at the hit.
        neighbour_damping: d.
        shares: The best evidence from each seed, best first.
        ceiling: λ times direct^p of the best seed: a neighbour stays below its seed.
    """

    via: Via = field(metadata=HIDDEN)
    link_factor: float
    seed_direct: float
    seed_exponent: float
    seed_relations: int
    seed_damping: float
    neighbour_relations: int
    neighbour_damping: float
    shares: tuple[float, ...]
    ceiling: float

    def to_json(self) -> dict[str, object]:
        """Write the best link and the rest, unrounded, so that they reproduce the score."""
        return self.via.to_json() | {"evidence": self.via.evidence} | JsonObject.to_json(self)


@dataclass(frozen=True, slots=True)
class Explanation(JsonObject):
    """The parts of a hit's score.

    With `ranking="evidence"`: score = 1 - (1 - direct)(1 - link), where direct is the noisy-or of
    the legs' evidence. With `ranking="rrf"`: direct is the sum of 1 / (k + rank) over the legs, and
    a hit that a leg found gets nothing from links.

    Args:
        legs: The evidence of each leg.
        link: The evidence from links, or None.
        direct: The noisy-or of the legs, or the sum of reciprocal ranks.
        formula: How the score is made of the parts.
        rrf_k: k of reciprocal rank fusion, or None.
        cosines: The cosine up to which there is no evidence and the one above which evidence hardly
            grows: 2 and 7 standard deviations above the mean cosine of the query with a sample of
            passages; None if the vector leg did not find the hit.
        word_weights: Words of the query that count less in the BM25 scores because the searched
            projects repeat them more than the store does, each with its weight below 1; empty if
            there are none.
        reranked: The reranker's score if it reordered the hit; not a part of the score.
    """

    legs: tuple[LegPart, ...]
    link: LinkPart | None
    direct: float
    formula: str
    rrf_k: float | None = None
    cosines: tuple[float, float] | None = None
    word_weights: Mapping[str, float] = field(
        default_factory=dict, metadata=as_json(JsonField(write=rounded(3), is_optional=True))
    )
    reranked: float | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class Hit(JsonObject):
    """One entity in an answer.

    Args:
        key: Its project and folded name; it stays when the entity is renamed.
        name: What it is called.
        title: Its title, or None.
        kind: What it is.
        project: The project or layer that holds it.
        status: Such as `active` or `superseded`.
        tags: Its tags.
        score: From 0 to 1; see `Explanation`.
        origin: `direct` if a leg found it, `expanded` if only a link did.
        matched: The evidence of each leg and of the links.
        via: The links that led to it, best first; of a direct hit the best one, if its evidence is
            greater than that of all legs together.
        passages: Its best passages, as many as `detail` asks for.
        created_at: When it was said; by default when it was written.
        updated_at: When it changed last.
        valid_from: The day or moment from which it is valid, or None.
        valid_until: The last day, or the moment, until which it is valid, or None.
        lines: Of code, the first and the last line of its file, such as `42-58`, or None.
        explanation: The parts of the score, if the search had `explain`; `explain` in JSON.
    """

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
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)
    lines: str | None = field(default=None, metadata=OPTIONAL)
    explanation: Explanation | None = field(
        default=None, metadata=as_json(JsonField(name="explain", is_optional=True))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(JsonObject):
    """The answer of a search: a page of hits, and how complete it is.

    Args:
        query: The query, without the dates that were read as filters.
        project: The project that was searched; the first of several.
        projects: All projects that were searched, without the layers; empty if it was only one.
        mode: hybrid, keyword or semantic.
        count: The number of hits in this answer.
        total: The number of hits on all pages, among the candidates of the legs and links: a leg
            returns 100 passages, or twice the limit if that is more; 1,000 with operators or an
            order other than by score; up to 10,000 (the vector leg 5,000) if filters left too few.
        total_exact: Whether `total` is complete; False means "at least".
        degraded: Why the answer is less complete than usual, or None.
        cursor: Gives the next page; None on the last one.
        notes: What was cut or ignored, a sentence each.
        took_ms: Milliseconds for `embed`, `database` (including waiting while eight other searches
            run) and `total`.
        hits: Best first; ties by key.
    """

    query: str
    project: str
    mode: Mode
    count: int = field(init=False)
    total: int
    total_exact: bool = True
    degraded: str | None
    cursor: str | None = None
    notes: tuple[str, ...] = ()
    took_ms: dict[str, float] = field(metadata=as_json(JsonField(write=rounded(1))))
    projects: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    hits: tuple[Hit, ...]

    def __post_init__(self) -> None:
        """Count the hits."""
        object.__setattr__(self, "count", len(self.hits))
