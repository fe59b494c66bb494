"""How a search is done: the constants of the ranking, and every upper bound."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from graphmem.embedding import DEFAULT_MODEL, Calibration, CosineDistribution, calibration_of
from graphmem.lucene import DEFAULT_LANGUAGES
from graphmem.model.answer import Mode, Operator, Ranking, Sort
from graphmem.model.language import Language
from graphmem.model.period import NOW, Day
from graphmem.model.where import Direction

# Between the cosine that gives no evidence and the one that gives all, whatever was chosen.
LEAST_SPREAD = 0.05
LONG_QUERY_EXPONENT = 2.0
# Candidates of a leg where operators or another order than the score decide.
DEEP_POOL = 1000

Seeds = Literal["all", "filtered"]
SEEDS: tuple[Seeds, ...] = ("all", "filtered")


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the ranking; `docs/ranking.md` gives the formula and a reason for each.

    Args:
        text: Most evidence the text leg gives.
        saturation: The BM25 score that gives half of it, in a query of usual length.
        long_query: A query of more words than these is a long one: the saturation grows with the
            square of how many times as long it is.
        vector: Evidence of a cosine that stands out as far as `deviations_high` says.
        vector_excess: What a cosine above that adds for each unit that it is larger, so that of two
            such passages the nearer one has more evidence.
        deviations_low: How many standard deviations above the mean of the background a cosine is
            that gives none.
        deviations_high: How many a cosine is above it that gives `vector`.
        cosine_low: The cosine that gives none, whatever the background; None for the background's.
        cosine_high: The cosine that gives `vector`, or None for the background's.
        name: Evidence of a name found whole in the query, divided by how many bear it.
        name_share: A name gives all of that if its words are at least one in so many of the
            query's; in a longer query it gives less.
        link: λ, what a link passes on of its seed's evidence.
        seed_exponent: The power of a seed's evidence that is passed on; above 1, so that middling
            seeds pass on little.
        seed_damping: The exponent by which relations at the seed weaken the link: it is divided by
            the number of those of its type and direction, to this power.
        neighbour_damping: The same for the relations at the neighbour.
    """

    text: float = 0.95
    saturation: float = 35.0
    long_query: int = 12
    vector: float = 0.5
    vector_excess: float = 0.1
    deviations_low: float = 2.0
    deviations_high: float = 7.0
    cosine_low: float | None = None
    cosine_high: float | None = None
    name: float = 0.8
    name_share: float = 4.0
    link: float = 0.95
    seed_exponent: float = 1.5
    seed_damping: float = 0.4
    neighbour_damping: float = 0.2

    def for_terms(self, terms: int) -> "Weights":
        """The weights for a query of so many words, over all of which BM25 adds up."""
        length_factor = max(1.0, terms / self.long_query)
        return replace(self, saturation=self.saturation * length_factor**LONG_QUERY_EXPONENT)

    def over(self, background: CosineDistribution) -> "Weights":
        """The weights with the cosines of a query's background, unless others were chosen."""
        low = self.cosine_low
        if low is None:
            low = background.cosine(self.deviations_low)
        high = self.cosine_high
        if high is None:
            high = background.cosine(self.deviations_high)
        return replace(self, cosine_low=low, cosine_high=max(high, low + LEAST_SPREAD))


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
        seeds: Whose relations are followed: `all` for the best of the scope, whether or not they
            pass the filters, `filtered` for the best that pass.
    """

    types: tuple[str, ...] = ()
    exclude_types: tuple[str, ...] = ()
    direction: Direction = "both"
    max_relations: int = 50
    link_factor: float | None = None
    seeds: Seeds = "all"


@dataclass(frozen=True, slots=True)
class SecondPass:
    """Where the pages of the second pass begin.

    Args:
        hits_before: How many hits the pages before had, which came of the first pass.
        limit: Hits of the page that it began with, on which the pools of the first pass depend.
    """

    hits_before: int
    limit: int


@dataclass(frozen=True, slots=True)
class After:
    """The last hit of the page before.

    Args:
        sort_value: The number it was sorted by, such as its score with a minus; 0 with `name`.
        sort_name: The folded name it was sorted by; empty for the other orders.
        key: Its key, which decides between equals.
        seen: How many hits came until then, on this page and those before.
        second_pass: Where the second pass began, if that page came of it, so that this one must
            too: the order of the first one is another.
    """

    sort_value: float
    sort_name: str
    key: str
    seen: int
    second_pass: SecondPass | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How a search is done; every count is an upper bound.

    Args:
        mode: Which legs are asked: all, those of words and names, or that of meaning.
        ranking: Whether evidence is combined, or the ranks of the legs.
        expand: Whether relations are followed.
        follow: Which of them.
        at: The day or moment at which entities, observations and relations hold, `now` or `any`.
        limit: Hits of a page.
        sort: The order of the hits.
        after: Where the page before ended; None for the first page.
        min_score: Hits below it are dropped.
        passages: Passages returned of a hit.
        explain: Whether each hit has the parts of its score.
        highlight: Whether snippets mark the matched words.
        operator: What stands between adjacent words.
        prefixes: Whether plain words also match words that begin with them.
        fuzzy_names: Whether a typo in a name is tolerated.
        languages: Those of the store's text indexes.
        pool: Candidates of a leg; twice the limit if that is more.
        deep_pool: Candidates of a leg with operators, or an order other than by score.
        second_pass_pool: Candidates of a leg where filters left too few the first time.
        second_pass_vector_pool: Likewise of the vector leg, before filter tokens are tested.
        passage_pool: Passages that matched by words and are compared with the vector, or looked at
            for the passages of a hit.
        seeds: Hits, and entities of the scope, whose relations are followed.
        scope_pool: Candidates of a leg for the seeds that need not pass the filters.
        scan: Relations read of one seed, of which the strongest are followed.
        most_counted: Relations of one type and direction that are counted of an entity, where links
            are weakened by their number.
        exact_limit: Passages that are compared with the vector one by one, where few pass.
        second_pass_exact_limit: Likewise in the second pass.
        rrf_k: k of reciprocal rank fusion.
        weights: The constants of the ranking.
        calibration: The usual cosines of the store's model.
        as_of: The moment whose knowledge is searched; None for that of now.
    """

    mode: Mode = "hybrid"
    ranking: Ranking = "evidence"
    expand: bool = True
    follow: Follow = field(default_factory=Follow)
    at: Day | str = NOW
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
    deep_pool: int = DEEP_POOL
    second_pass_pool: int = 10_000
    second_pass_vector_pool: int = 5000
    passage_pool: int = 200
    seeds: int = 10
    scope_pool: int = 50
    scan: int = 2000
    most_counted: int = 50
    exact_limit: int = 3000
    second_pass_exact_limit: int = 20_000
    rrf_k: float = 60.0
    weights: Weights = field(default_factory=Weights)
    calibration: Calibration = field(default_factory=lambda: calibration_of(DEFAULT_MODEL))
    as_of: datetime | None = None
