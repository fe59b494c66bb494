"""Lucene text for each index: what a query's words become."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from graphmem import lucene, text
from graphmem.search import indexes
from graphmem.search.compiled_filters import NO_FILTERS, CompiledFilters, compile_filters
from graphmem.search.plan import Filters, Plan
from graphmem.search.request import SearchRequest
from graphmem.search.word_weights import WordWeights

SHORTEST_PREFIX = 2
_WORD_FIELDS = ("unfiltered_texts", "texts", "entity_queries", "name_queries", "grams")
# With which a word is marked as a name that would be none.
QUOTES = frozenset("`'\"‘’“”„«»")
TEXT_FIELDS = frozenset({"name", "title", "alias", "text"})


def text_queries(
    request: SearchRequest,
    filters: CompiledFilters,
    *,
    names: Sequence[str],
    unfiltered: bool,
) -> dict[str, Any]:
    """The fields of a statement's parameter that are made of the query's words.

    Args:
        request: What is asked; where words are not looked for, all but `stems` is empty.
        filters: The filters that every text carries.
        names: What `grams` gives of it.
        unfiltered: Whether the text leg first asks without filters.
    """
    query, plan = request.query, request.plan
    if not request.by_words:
        empty_fields: dict[str, Any] = {name: [] for name in _WORD_FIELDS}
        return {**empty_fields, "stems": _stems(query, plan), "terms": request.terms}
    weights = request.word_weights
    open_texts = _texts(query, NO_FILTERS, plan, weights) if unfiltered else []
    return {
        "unfiltered_texts": open_texts,
        "texts": _add_filters(open_texts, filters)
        if unfiltered
        else _texts(query, filters, plan, weights),
        "entity_queries": _entity_queries(query, filters, plan),
        "stems": _stems(query, plan),
        "name_queries": _name_queries(names, filters),
        "grams": list(names),
        "terms": request.terms,
    }


def _add_filters(texts: Sequence[dict[str, str]], filters: CompiledFilters) -> list[dict[str, str]]:
    """Texts without operators that were written without filters, with them."""
    filter_query = lucene.filters(filters.base, filters.forbidden, repeated=filters.repeated)
    return [
        {**text_query, "query": f"{filter_query} {text_query['query']}".strip()}
        for text_query in texts
    ]


def scope_queries(request: SearchRequest, names: Sequence[str]) -> dict[str, Any]:
    """The fields for the best of the scope, whatever the filters ask; empty where not wanted."""
    has_scope = request.seeds_of_scope
    scope = compile_filters(Filters(request.filters.projects))
    words = has_scope and request.by_words
    query, plan = request.query, request.plan
    return {
        "scope_vectors": [request.vector] if has_scope and request.has_vector_leg else [],
        "scope_texts": _texts(query, scope, plan, request.word_weights) if words else [],
        "scope_entity_queries": _entity_queries(query, scope, plan) if words else [],
        "scope_names": _name_queries(names, scope) if words else [],
    }


def grams(request: SearchRequest) -> list[str]:
    """The names a query may contain: beside other words no stop word that is written as one.

    A class `FOr` or a film "It" would be found in every other question. That a name is meant is
    seen by a capital, but not by that of a sentence, and by quotes or backticks.
    """
    names = text.grams(request.text)
    tree = request.query.tree
    if tree is None:
        return names
    leaves = _without_fields(tree)
    query_words = [leaf.text for leaf in leaves if isinstance(leaf, lucene.Word)]
    tokens = [token for word in query_words for token in _tokens(word)]
    content = lucene.without_stop_words(tokens, request.plan.languages)
    if not content and len(query_words) == len(leaves):
        return names
    phrases = [leaf.words for leaf in leaves if isinstance(leaf, lucene.Phrase)]
    quoted_words = [words[0] for words in phrases if len(words) == 1]
    name_words = [
        word for number, word in enumerate(query_words) if _is_named(word, begins=number == 0)
    ]
    name_tokens = {
        *content,
        *(token for word in (*name_words, *quoted_words) for token in _tokens(word)),
    }
    stop_tokens = {*tokens} - name_tokens
    return [name for name in names if name not in stop_tokens]


def _without_fields(tree: lucene.Node) -> list[lucene.Node]:
    """The leaves that stand behind no name of a field and its colon."""
    remainder = lucene.prune(tree, lambda leaf, field: leaf if field is None else None)
    return [] if remainder is None else lucene.leaves(remainder)


def _tokens(word: str) -> list[str]:
    return [token for token in text.name_tokens(word) if token.isalnum()]


def _is_named(word: str, *, begins: bool) -> bool:
    """Whether a word is written as a name is; one that begins the query has a capital anyway."""
    spelling = word[1:] if begins else word
    return spelling != spelling.lower() or word[0] in QUOTES


def _name_queries(grams: Sequence[str], filters: CompiledFilters) -> list[str]:
    """The queries for the index of names; none where no words may be a name."""
    names = lucene.handles(grams, required=filters.required, forbidden=filters.forbidden)
    return [names] if names else []


def _texts(
    query: lucene.Query, filters: CompiledFilters, plan: Plan, weights: WordWeights
) -> list[dict[str, str]]:
    """The text indexes that can add something, and what each is asked."""
    if query.tree is None:
        return []
    leaves = lucene.leaves(query.tree)
    if query.strict:
        return [_strict(_without_stop_words(query.tree, plan), filters, plan)]
    words = [leaf for leaf in leaves if isinstance(leaf, lucene.Word)]
    content = indexes.telling_words(words, plan.languages)
    if not content:
        return _rank_queries(indexes.exact(words), filters, plan, weights)
    queries = [
        text_query
        for share in indexes.shares(content, plan.languages)
        for text_query in _rank_queries(share, filters, plan, weights)
    ]
    return queries + (_prefixes(content, filters) if plan.prefixes else [])


def _strict(tree: lucene.Node, filters: CompiledFilters, plan: Plan) -> dict[str, str]:
    """One index alone decides what matches: in two, NOT would let through what the other stems.

    Words of one language are looked for by their stems. Patterns, fuzzy words, phrases and words of
    several languages need words as they stand; there a plain word also matches what begins with its
    stem. Entities of several passages are left to `_entity_queries`.
    """
    forbidden = [*filters.forbidden, text.SEVERAL]
    words = [leaf for leaf in lucene.positive_leaves(tree) if isinstance(leaf, lucene.Word)]
    language = indexes.alone(lucene.leaves(tree), plan.languages)
    if language is not None and not plan.prefixes and indexes.content_words(words, plan.languages):
        exact_tree = lucene.whole_words(tree, language=language.name)
        query_text = lucene.write(
            exact_tree, required=filters.required, forbidden=forbidden, strict=True
        )
        return {"index": language.index, "query": query_text}
    query_text = lucene.write(
        lucene.whole_words(tree),
        required=filters.required,
        forbidden=forbidden,
        expand_forms=_form_expansion(plan),
        strict=True,
    )
    return {"index": indexes.exact(words).index, "query": query_text}


def _entity_queries(query: lucene.Query, filters: CompiledFilters, plan: Plan) -> list[str]:
    """The query for entities of several passages, over all of which operators hold."""
    if query.tree is None or not query.strict:
        return []
    query_text = lucene.write(
        lucene.whole_words(_without_stop_words(query.tree, plan)),
        required=[*filters.required, [text.SEVERAL]],
        forbidden=filters.forbidden,
        expand_forms=_form_expansion(plan),
        fields=lucene.ENTITY_FIELDS,
        strict=True,
    )
    return [query_text]


def _without_stop_words(tree: lucene.Node, plan: Plan) -> lucene.Node:
    """The query without its stop words if other words remain, also for indexes that hold them.

    Labels and own attributes are what they are: `tag:it` stays.
    """
    leaves = lucene.leaves(tree)
    query_words = [leaf.text for leaf in leaves if isinstance(leaf, lucene.Word)]
    content = set(lucene.without_stop_words(query_words, plan.languages))

    def drop_stop_word(leaf: lucene.Node, field: str | None) -> lucene.Node | None:
        is_text = field is None or field.casefold() in TEXT_FIELDS
        is_left_out = is_text and isinstance(leaf, lucene.Word) and leaf.text not in content
        return None if is_left_out else leaf

    remainder = lucene.prune(tree, drop_stop_word)
    return tree if remainder is None or not lucene.positive_leaves(remainder) else remainder


def _form_expansion(plan: Plan) -> Callable[[str], tuple[str, ...]]:
    """How a plain word is looked for in an index of words as they stand.

    Stop words, which are only asked for where nothing else is, have no other forms.
    """

    def expand_forms(word: str) -> tuple[str, ...]:
        if not lucene.without_stop_words([word], plan.languages):
            return ()
        prefix = _prefix(word) if plan.prefixes else ()
        return (*lucene.forms(word, plan.languages), *prefix)

    return expand_forms


def _rank_queries(
    share: indexes.Share, filters: CompiledFilters, plan: Plan, weights: WordWeights
) -> list[dict[str, str]]:
    if not share.words:
        return []
    query_words = [word.text for word in share.words]
    share_languages = [language for language in plan.languages if language.name == share.language]

    @cache
    def weigh(word: str, field: str) -> float:
        return weights.weight(word, field, share_languages)

    name_clauses = (
        lucene.fuzzy_names(query_words, share_languages, weigh) if plan.fuzzy_names else ""
    )
    query_text = lucene.write(
        lucene.AnyOf(lucene.word_parts(share.words, language=share.language)),
        required=filters.base,
        repeated=filters.repeated,
        forbidden=filters.forbidden,
        optional_clauses=f"{lucene.proximity_boost(query_words, weigh)} {name_clauses}".strip(),
        weigh=weigh,
    )
    return [{"index": share.index, "query": query_text}]


def _prefixes(words: Sequence[lucene.Word], filters: CompiledFilters) -> list[dict[str, str]]:
    """Words by their beginnings, in the index of words as they stand: a stem may be shorter."""
    long_enough = [word for word in words if _prefix(word.text)]
    if not long_enough:
        return []
    tree = lucene.AnyOf(lucene.word_parts(long_enough, language="exact"))
    query_text = lucene.write(
        tree,
        required=filters.base,
        repeated=filters.repeated,
        forbidden=filters.forbidden,
        expand_forms=_prefix,
    )
    return [{"index": indexes.exact(long_enough).index, "query": query_text}]


def _stems(query: lucene.Query, plan: Plan) -> list[str]:
    """Beginnings of the query's words, for choosing passages of hits that no passage led to."""
    if query.tree is None:
        return []
    stems: dict[str, None] = {}
    for leaf in lucene.positive_leaves(query.tree):
        match leaf:
            case lucene.Word(word) | lucene.Fuzzy(word, _):
                spellings: Sequence[str] = [word]
            case lucene.Phrase(words, _):
                spellings = [*words, " ".join(words)]
            case lucene.Pattern(pieces):
                spellings = [piece.text for piece in pieces if not piece.wild]
            case _:
                continue
        content = [word for word in spellings if lucene.without_stop_words([word], plan.languages)]
        stems |= dict.fromkeys(
            lucene.stem(word, plan.languages) or word.casefold() for word in content
        )
    return list(stems)


def _prefix(word: str) -> tuple[str, ...]:
    return (f"{word}*",) if len(word) >= SHORTEST_PREFIX else ()
