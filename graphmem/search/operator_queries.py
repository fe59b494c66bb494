"""Lucene text for queries with operators, which alone decide what matches."""

from collections.abc import Callable

from graphmem import lucene, text
from graphmem.search import indexes
from graphmem.search.compiled_filters import CompiledFilters
from graphmem.search.indexes import IndexQuery
from graphmem.search.plan import Plan

SHORTEST_PREFIX = 2
# Fields of texts, in which stop words tell nothing; names of fields as queries have them.
TEXT_FIELDS = frozenset({"name", "title", "alias", "text"})


def passage_query(tree: lucene.Node, filters: CompiledFilters, plan: Plan) -> IndexQuery:
    """The query for passages of entities that have only one, over which the operators hold.

    Only one index is asked, since another one might let through what `NOT` excludes: an index of
    English stems excludes "caches" by `NOT cache`, one of Russian stems does not. Plain words of
    one language are looked for by their stems. For all else, such as wildcards, phrases and words
    of several languages, it is the index of words as they stand, which is also asked for the other
    forms of a plain word.

    Args:
        tree: The query as it was parsed.
        filters: What a passage must be.
        plan: The languages, and whether words are prefixes.
    """
    tree = _without_stop_words(tree, plan)
    forbidden = [*filters.forbidden, text.SEVERAL]
    words = [leaf for leaf in lucene.positive_leaves(tree) if isinstance(leaf, lucene.Word)]
    language = indexes.alone(lucene.leaves(tree), plan.languages)
    if language is not None and not plan.prefixes and indexes.content_words(words, plan.languages):
        query = lucene.write(
            lucene.whole_words(tree, language=language.name),
            required=filters.required,
            forbidden=forbidden,
            strict=True,
        )
        return IndexQuery(language.index, query)
    query = lucene.write(
        lucene.whole_words(tree),
        required=filters.required,
        forbidden=forbidden,
        expand_forms=_form_expansion(plan),
        strict=True,
    )
    return IndexQuery(indexes.exact(words).index, query)


def entity_query(tree: lucene.Node, filters: CompiledFilters, plan: Plan) -> str:
    """The query for entities of several passages, over all of which the operators hold together."""
    return lucene.write(
        lucene.whole_words(_without_stop_words(tree, plan)),
        required=[*filters.required, [text.SEVERAL]],
        forbidden=filters.forbidden,
        expand_forms=_form_expansion(plan),
        fields=lucene.ENTITY_FIELDS,
        strict=True,
    )


def prefix_forms(word: str) -> tuple[str, ...]:
    """A word as the beginning of others, `red*` for `red`; none if it is too short."""
    return (f"{word}*",) if len(word) >= SHORTEST_PREFIX else ()


def _form_expansion(plan: Plan) -> Callable[[str], tuple[str, ...]]:
    """A function that gives the other forms of a plain word; a stop word has none."""

    def expand_forms(word: str) -> tuple[str, ...]:
        if not lucene.without_stop_words([word], plan.languages):
            return ()
        prefixes = prefix_forms(word) if plan.prefixes else ()
        return (*lucene.forms(word, plan.languages), *prefixes)

    return expand_forms


def _without_stop_words(tree: lucene.Node, plan: Plan) -> lucene.Node:
    """A query without its stop words, unless nothing else is looked for.

    Indexes of words as they stand hold stop words too. In labels and custom attributes, words are
    never stop words: `tag:it` stays.
    """
    words = [leaf.text for leaf in lucene.leaves(tree) if isinstance(leaf, lucene.Word)]
    content = set(lucene.without_stop_words(words, plan.languages))

    def drop_stop_word(leaf: lucene.Node, field: str | None) -> lucene.Node | None:
        is_text = field is None or field.casefold() in TEXT_FIELDS
        is_stop_word = isinstance(leaf, lucene.Word) and leaf.text not in content
        return None if is_text and is_stop_word else leaf

    remainder = lucene.replace_leaves(tree, drop_stop_word)
    return tree if remainder is None or not lucene.positive_leaves(remainder) else remainder
