"""How a search is done: the constants of the ranking, the filters, and every upper bound."""

from dataclasses import dataclass, field, replace

from graphmem.embedding import DEFAULT_MODEL, Calibration, calibration_of
from graphmem.lucene import DEFAULT_LANGUAGES
from graphmem.model.answer import Mode, Operator, Ranking, Sort
from graphmem.model.language import Language
from graphmem.model.where import Direction, Where


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the ranking; what was tried stands in `benchmarks/tuning.md`.

    Args:
        text: Most evidence the text leg gives.
        saturation: The BM25 score that gives half of it.
        vector: Most evidence the vector leg gives.
        cosine_low: The cosine that gives none; None for that of the model's calibration.
        cosine_high: The cosine that gives all; likewise.
        name: Evidence of a name found whole in the query, divided by how many bear it.
        link: λ, what a link passes on of its seed's evidence.
        damping: d, how much a seed's degree weakens each of its links.
    """

    text: float = 0.95
    saturation: float = 35.0
    vector: float = 0.25
    cosine_low: float | None = None
    cosine_high: float | None = None
    name: float = 0.8
    link: float = 0.85
    damping: float = 0.25

    def calibrated(self, calibration: Calibration) -> "Weights":
        """The same with the cosines of a model where none were chosen."""
        low = calibration.low if self.cosine_low is None else self.cosine_low
        high = calibration.high if self.cosine_high is None else self.cosine_high
        return replace(self, cosine_low=low, cosine_high=high)


@dataclass(frozen=True, slots=True)
class Filters:
    """What an entity must be to be found; an empty tuple asks for nothing.

    `statuses` empty means the living: not forgotten, superseded or deprecated. Kinds, statuses and
    tags compare without case; any of the tags is enough. `where` holds everything else.
    """

    projects: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    where: Where = field(default_factory=Where)


@dataclass(frozen=True, slots=True)
class Follow:
    """Which relations are followed from a seed.

    Args:
        types: Only these; all where it is empty.
        exclude_types: Not these.
        direction: As seen from the seed.
        max_relations: Most relations followed of one seed.
        link_factor: λ, the part of a seed's evidence that a link carries; None for that of the
            ranking.
    """

    types: tuple[str, ...] = ()
    exclude_types: tuple[str, ...] = ()
    direction: Direction = "both"
    max_relations: int = 50
    link_factor: float | None = None


@dataclass(frozen=True, slots=True)
class After:
    """The last hit of the page before: what it was sorted by, and its key.

    `seen` is how many hits came until then, on this page and those before.
    """

    sort_value: float
    sort_name: str
    key: str
    seen: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How a search is done; every count is an upper bound."""

    mode: Mode = "hybrid"
    ranking: Ranking = "evidence"
    expand: bool = True
    follow: Follow = field(default_factory=Follow)
    limit: int = 10
    sort: Sort = "score"
    after: After | None = None
    min_score: float = 0.0
    passages: int = 2
    explain: bool = False
    highlight: bool = False
    operator: Operator = "or"
    prefixes: bool = False
    fuzzy_names: bool = True
    languages: tuple[Language, ...] = DEFAULT_LANGUAGES
    pool: int = 100
    deep_pool: int = 1000
    second_pass_pool: int = 10_000
    second_pass_vector_pool: int = 5000
    rerank_depth: int = 200
    seeds: int = 10
    scan: int = 2000
    exact_limit: int = 2000
    second_pass_exact_limit: int = 20_000
    rrf_k: float = 60.0
    weights: Weights = field(default_factory=Weights)
    calibration: Calibration = field(default_factory=lambda: calibration_of(DEFAULT_MODEL))
