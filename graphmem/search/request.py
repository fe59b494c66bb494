"""One search as it is asked: the query, the filters, the plan, and which statement answers it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from graphmem import lucene, statements
from graphmem.embedding import CosineDistribution, Vector
from graphmem.model.filters import Filters
from graphmem.search import cursor as cursors
from graphmem.search import indexes
from graphmem.search.code.lines import CodeLine
from graphmem.search.code.symbols import NamedSymbols
from graphmem.search.plan import Plan, Weights
from graphmem.search.word_weights import FIELDS, NO_WEIGHTS, WordWeights

PLAIN = "read/search_plain"
FILTERED = "read/search_filtered"
STRICT = "read/search_strict"


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Uncommitted changes, which the vector index cannot see.

    Args:
        keys: Entities whose passages are compared with the vector one by one.
        passages: How many passages are in the index and belong to nothing any more.
    """

    keys: tuple[str, ...]
    passages: int


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is looked for, what a hit must be, and how the search is done.

    Args:
        text: The query as it was given, cleaned.
        query: The query as it was parsed.
        filters: What a hit must be.
        plan: How the search is done.
        vector: The query's embedding, or None for a search by words, names and links alone.
        embedding_set: The number of the set of embeddings that it is compared with.
        background: How near any passages are to the vector; None for what is usual with the model.
        word_weights: What words count in the scope, beside the rest of the store.
        lines: The names of the symbols at the lines of code that the query names.
        line_note: What is told of its lines at which no symbol is known; None for nothing.
        symbols: Those that it names together with their file or module.
        rewritten: What the transaction in which it runs has written, or None outside of one.
    """

    text: str
    query: lucene.Query
    filters: Filters
    plan: Plan
    vector: Vector | None = None
    embedding_set: int = 0
    background: CosineDistribution | None = None
    word_weights: WordWeights = NO_WEIGHTS
    lines: Mapping[CodeLine, str] = field(default_factory=dict)
    line_note: str | None = None
    symbols: NamedSymbols = field(default_factory=NamedSymbols)
    rewritten: Rewritten | None = None

    @classmethod
    def parsed(
        cls,
        query: str,
        filters: Filters,
        plan: Plan,
        *,
        vector: Vector | None = None,
        cursor: str | None = None,
        embedding_set: int = 0,
    ) -> Self:
        """Parse a query, and the cursor of the page before.

        Raises:
            InvalidInput: The cursor is not one of this search.
        """
        text = lucene.clean(query)
        if cursor is not None:
            plan = replace(plan, after=cursors.decode(cursor, text, filters, plan))
        tree = lucene.parse(text, default=plan.operator)
        return cls(text, tree, filters, plan, vector, embedding_set)

    @property
    def by_words(self) -> bool:
        """Whether words and names are looked for; a search by meaning without a vector does so."""
        return self.plan.mode != "semantic" or self.vector is None

    @property
    def wanted_text(self) -> str:
        """What is embedded: of a query with operators the words that are wanted, each once.

        Those under NOT and the values of custom attributes are not among them.
        """
        tree = self.query.tree
        if tree is None or not self.query.strict:
            return self.text
        words = [word for leaf in _leaves_of_texts(tree) for word in _words_of(leaf)]
        return " ".join(dict.fromkeys(words)) or self.text

    @property
    def strict(self) -> bool:
        """Whether the operators alone decide what matches, and the vector only orders it."""
        return self.query.strict and self.by_words

    @property
    def has_vector_leg(self) -> bool:
        """Whether what is near to the query is looked for, whatever its words."""
        return self.vector is not None and not self.strict

    @property
    def terms(self) -> int:
        """How many words are asked for, without stop words and question words; at least 1."""
        return max(1, len(self._asked_words))

    @property
    def _asked_words(self) -> list[lucene.Word]:
        leaves = [] if self.query.tree is None else lucene.leaves(self.query.tree)
        words = [leaf for leaf in leaves if isinstance(leaf, lucene.Word)]
        return indexes.telling_words(words, self.plan.languages) or words

    @property
    def weights(self) -> Weights:
        """The constants of the ranking, with the cosines that count for this query.

        Where meaning alone decides, or ranks alone, what is usually near counts even if it does not
        stand out: in a project about one thing nothing does.
        """
        usual = CosineDistribution.usual(self.plan.calibration)
        base_weights = self.plan.weights
        weights = base_weights.over(self.background or usual).for_terms(self.terms)
        by_evidence = self.plan.mode != "semantic" and self.plan.ranking == "evidence"
        if by_evidence or base_weights.cosine_low is not None:
            return weights
        lower_bound = min(weights.cosine_low or 0.0, usual.cosine(base_weights.deviations_low))
        return replace(weights, cosine_low=lower_bound)

    @property
    def frequent_words(self) -> dict[str, float]:
        """The words that count less since the projects repeat them: each with its least weight."""
        languages = self.plan.languages
        weights = {
            word.text: min(
                self.word_weights.weight(word.text, field, languages) for field in FIELDS
            )
            for word in self._asked_words
        }
        return {word: weight for word, weight in weights.items() if weight < 1}

    @property
    def seeds_of_scope(self) -> bool:
        """Whether what does not pass the filters may lead to a hit.

        Reciprocal ranks have no scale of their own, so there only hits are seeds.
        """
        plan = self.plan
        follows_seeds_of_all = (
            plan.expand and plan.follow.seeds == "all" and plan.ranking == "evidence"
        )
        return follows_seeds_of_all and not self.filters.is_unfiltered

    @property
    def statement(self) -> str:
        """The name of the statement that answers: each carries no more than its searches need."""
        name = STRICT if self.strict else PLAIN if self.is_plain else FILTERED
        return statements.of_embeddings(name, self.embedding_set)

    @property
    def is_plain(self) -> bool:
        """Whether there are neither filters nor operators, nor anything compared one by one."""
        has_no_filters = self.filters.is_unfiltered and not self.filters.are_projects_tested
        return has_no_filters and not self.query.strict and self.rewritten is None


def _leaves_of_texts(tree: lucene.Node) -> list[lucene.Node]:
    """The leaves of a query that are not under NOT, without the values of custom attributes."""
    remainder = lucene.replace_leaves(
        tree,
        lambda leaf, field: (
            leaf if field is None or field.casefold() in lucene.NAMED_FIELDS else None
        ),
    )
    return [] if remainder is None else lucene.positive_leaves(remainder)


def _words_of(leaf: lucene.Node) -> Sequence[str]:
    match leaf:
        case lucene.Phrase(words):
            return words
        case lucene.Pattern(pieces):
            letters = "".join(piece.text for piece in pieces if not piece.wild)
            return [letters] if letters else []
        case lucene.Word(word) | lucene.Fuzzy(word):
            return [word]
        case _:
            return []
