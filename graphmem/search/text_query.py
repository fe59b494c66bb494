"""Lucene text for each index: what a query's words become.

For `red caches` in the project of the filter token `g51…`, the index of English texts is asked:

    +filters:(g51…)^0
    +(((names:red)^1 (text:red)^1 (words:red)^0.5)
      ((names:caches)^1 (text:caches)^1 (words:caches)^0.5)
      names:"red caches"~1^0.5 text:"red caches"~1^0.5
      names:cach~1^0.3)

The first line decides what may match, the next ones find any of the words, and the last two add
for words that stand side by side and for names that differ in a letter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from graphmem import lucene, text
from graphmem.model.filters import Filters
from graphmem.search import indexes
from graphmem.search.code.lines import emphasis
from graphmem.search.compiled_filters import NO_FILTERS, CompiledFilters, compile_filters
from graphmem.search.indexes import IndexQuery
from graphmem.search.inner_names import inner_names
from graphmem.search.operator_queries import entity_query, passage_query, prefix_forms
from graphmem.search.plan import Plan
from graphmem.search.possible_names import name_queries, spellings
from graphmem.search.request import SearchRequest


def text_queries(
    request: SearchRequest,
    filters: CompiledFilters,
    *,
    names: Sequence[str],
    unfiltered: bool,
) -> dict[str, Any]:
    """The fields of a statement's parameter that are made of the query's words.

    Args:
        request: What is asked; if words are not looked for, there are only `stems` and `terms`.
        filters: The filters that every text carries.
        names: The possible names in the query.
        unfiltered: Whether the text leg first asks without filters.
    """
    texts: list[IndexQuery] = []
    unfiltered_texts: list[IndexQuery] = []
    if request.by_words and unfiltered:
        unfiltered_texts = _passage_queries(request, NO_FILTERS)
        texts = [_with_filters(query, filters) for query in unfiltered_texts]
    elif request.by_words:
        texts = _passage_queries(request, filters)
    return {
        "unfiltered_texts": _rows(unfiltered_texts),
        "texts": _rows(texts),
        "entity_queries": _entity_queries(request, filters) if request.by_words else [],
        "name_queries": name_queries(names, filters) if request.by_words else [],
        "grams": list(names) if request.by_words else [],
        "spellings": spellings(request.text) if request.by_words else [],
        "inner_names": inner_names(request.text) if request.by_words else {},
        "emphasis": _emphasis(request) if request.by_words else {},
        "stems": _stems(request.query, request.plan),
        "terms": request.terms,
    }


def _emphasis(request: SearchRequest) -> dict[str, float]:
    weights = emphasis(request.lines, request.text)
    return {text.name_form(name): weight for name, weight in weights.items()}


def scope_queries(request: SearchRequest, names: Sequence[str]) -> dict[str, Any]:
    """The fields for the seeds that need not pass the filters; empty if there are no such seeds.

    Args:
        request: What is asked.
        names: The possible names in the query.
    """
    has_scope_seeds = request.seeds_of_scope
    by_words = has_scope_seeds and request.by_words
    scope = compile_filters(Filters(request.filters.projects))
    return {
        "scope_vectors": [request.vector] if has_scope_seeds and request.has_vector_leg else [],
        "scope_texts": _rows(_passage_queries(request, scope)) if by_words else [],
        "scope_entity_queries": _entity_queries(request, scope) if by_words else [],
        "scope_names": name_queries(names, scope) if by_words else [],
    }


def _rows(queries: Iterable[IndexQuery]) -> list[dict[str, str]]:
    return [{"index": query.index, "query": query.query} for query in queries]


def _entity_queries(request: SearchRequest, filters: CompiledFilters) -> list[str]:
    tree = request.query.tree
    if tree is None or not request.query.strict:
        return []
    return [entity_query(tree, filters, request.plan)]


def _passage_queries(request: SearchRequest, filters: CompiledFilters) -> list[IndexQuery]:
    """What each index of passages that can add something is asked."""
    tree, plan = request.query.tree, request.plan
    if tree is None:
        return []
    if request.query.strict:
        return [passage_query(tree, filters, plan)]
    words = [leaf for leaf in lucene.leaves(tree) if isinstance(leaf, lucene.Word)]
    content = indexes.telling_words(words, plan.languages)
    if not content:
        # The indexes of languages hold no stop words.
        return [_ranked_query(indexes.exact(words), filters, request)] if words else []
    queries = [
        _ranked_query(share, filters, request) for share in indexes.shares(content, plan.languages)
    ]
    return queries + (_prefix_queries(content, filters) if plan.prefixes else [])


def _ranked_query(
    share: indexes.Share, filters: CompiledFilters, request: SearchRequest
) -> IndexQuery:
    """Any of the words, ranked by how telling they are, fuzzy names, proximity and quotations."""
    plan = request.plan
    words = [word.text for word in share.words]
    languages = [language for language in plan.languages if language.name == share.language]

    @cache
    def weigh(word: str, field: str) -> float:
        return request.word_weights.weight(word, field, languages)

    raising_clauses = (
        lucene.proximity_boost(words, weigh),
        lucene.fuzzy_names(words, languages, weigh) if plan.fuzzy_names else "",
        lucene.quotation_boost(request.text, plan.languages),
    )
    query = lucene.write(
        lucene.AnyOf(lucene.word_parts(share.words, language=share.language)),
        required=filters.base,
        repeated=filters.repeated,
        forbidden=filters.forbidden,
        optional_clauses=" ".join(filter(None, raising_clauses)),
        weigh=weigh,
    )
    return IndexQuery(share.index, query)


def _prefix_queries(words: Sequence[lucene.Word], filters: CompiledFilters) -> list[IndexQuery]:
    """Words as the beginnings of others, in the index of words as they stand.

    An index of stems may hold less of a word than its beginning.
    """
    long_enough = [word for word in words if prefix_forms(word.text)]
    if not long_enough:
        return []
    query = lucene.write(
        lucene.AnyOf(lucene.word_parts(long_enough, language="exact")),
        required=filters.base,
        repeated=filters.repeated,
        forbidden=filters.forbidden,
        expand_forms=prefix_forms,
    )
    return [IndexQuery(indexes.exact(long_enough).index, query)]


def _with_filters(query: IndexQuery, filters: CompiledFilters) -> IndexQuery:
    """A query for ranked passages that was written without filters, with them."""
    clauses = lucene.filters(filters.base, filters.forbidden, repeated=filters.repeated)
    return replace(query, query=f"{clauses} {query.query}".strip())


def _stems(query: lucene.Query, plan: Plan) -> list[str]:
    """Stems of the query's words: they choose the passages of hits that no passage led to."""
    if query.tree is None:
        return []
    words = [word for leaf in lucene.positive_leaves(query.tree) for word in _words_of(leaf)]
    content = [word for word in words if lucene.without_stop_words([word], plan.languages)]
    stems = (lucene.stem(word, plan.languages) or word.casefold() for word in content)
    return list(dict.fromkeys(stems))


def _words_of(leaf: lucene.Node) -> list[str]:
    """The words of a leaf; of a phrase also the whole, of a pattern the parts between wildcards."""
    match leaf:
        case lucene.Word(word) | lucene.Fuzzy(word, _):
            return [word]
        case lucene.Phrase(words, _):
            return [*words, " ".join(words)]
        case lucene.Pattern(pieces):
            return [piece.text for piece in pieces if not piece.wild]
        case _:
            return []
