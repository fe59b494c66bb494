"""Lucene text for each index: what a query's words become."""

from collections.abc import Callable, Sequence
from typing import Any

from graphmem import lucene, text
from graphmem.search import indexes
from graphmem.search.compiled_filters import NOTHING, CompiledFilters
from graphmem.search.plan import Plan

SHORTEST_PREFIX = 2
TEXT_FIELDS = frozenset({"name", "title", "alias", "text"})


def words(
    query: str,
    asked: lucene.Query,
    filters: CompiledFilters,
    plan: Plan,
    *,
    by_words: bool,
    tested: bool,
) -> dict[str, Any]:
    """The fields of `read/search`'s parameter that are made of the query's words.

    Args:
        query: As it was given, cleaned.
        asked: The query as it was read.
        filters: The filters that every text carries.
        plan: How the search is done.
        by_words: Whether words are looked for at all; else all but `stems` is empty.
        tested: Whether the text leg first asks without filters.
    """
    grams = text.grams(query) if by_words else []
    names = lucene.handles(grams, required=filters.required, forbidden=filters.forbidden)
    return {
        "open_texts": _texts(asked, NOTHING, plan) if by_words and tested else [],
        "texts": _texts(asked, filters, plan) if by_words else [],
        "wholes": _wholes(asked, filters, plan) if by_words else [],
        "stems": _stems(asked, plan),
        "names": [names] if names else [],
        "grams": grams,
    }


def _texts(asked: lucene.Query, filters: CompiledFilters, plan: Plan) -> list[dict[str, str]]:
    """The text indexes that can add something, and what each is asked."""
    if asked.tree is None:
        return []
    leaves = lucene.leaves(asked.tree)
    if asked.strict:
        return [_strict(_without_stop_words(asked.tree, plan), filters, plan)]
    words = [leaf for leaf in leaves if isinstance(leaf, lucene.Word)]
    said = indexes.said(words, plan.languages)
    if not said:
        return _ranked(indexes.exact(words), filters, plan)
    if lucene.speaks_english(plan.languages):
        said = [word for word in said if not lucene.is_question_word(word.written)] or said
    asked_for = [
        asking
        for share in indexes.shares(said, plan.languages)
        for asking in _ranked(share, filters, plan)
    ]
    return asked_for + (_begun(said, filters) if plan.prefixes else [])


def _strict(tree: lucene.Node, filters: CompiledFilters, plan: Plan) -> dict[str, str]:
    """One index alone decides what matches: in two, NOT would let through what the other stems.

    Words of one language are looked for by their stems. Patterns, fuzzy words, phrases and words of
    several languages need words as they stand; there a plain word also matches what begins with its
    stem. Entities of several passages are left to `_wholes`.
    """
    forbidden = [*filters.forbidden, text.SEVERAL]
    words = [leaf for leaf in lucene.positive_leaves(tree) if isinstance(leaf, lucene.Word)]
    language = indexes.alone(lucene.leaves(tree), plan.languages)
    if language is not None and not plan.prefixes and indexes.said(words, plan.languages):
        whole = lucene.whole_words(tree, language=language.name)
        written = lucene.write(whole, required=filters.required, forbidden=forbidden, strict=True)
        return {"index": language.index, "query": written}
    written = lucene.write(
        lucene.whole_words(tree),
        required=filters.required,
        forbidden=forbidden,
        expand_forms=_form_expansion(plan),
        strict=True,
    )
    return {"index": indexes.exact(words).index, "query": written}


def _wholes(asked: lucene.Query, filters: CompiledFilters, plan: Plan) -> list[str]:
    """What the index of entities of several passages is asked: operators hold over all of them."""
    if asked.tree is None or not asked.strict:
        return []
    written = lucene.write(
        lucene.whole_words(_without_stop_words(asked.tree, plan)),
        required=[*filters.required, [text.SEVERAL]],
        forbidden=filters.forbidden,
        expand_forms=_form_expansion(plan),
        fields=lucene.ENTITY_FIELDS,
        strict=True,
    )
    return [written]


def _without_stop_words(tree: lucene.Node, plan: Plan) -> lucene.Node:
    """What every index is asked, whether or not it holds stop words, where other words remain.

    Labels and own attributes are what they are: `tag:it` stays.
    """
    leaves = lucene.leaves(tree)
    written = [leaf.written for leaf in leaves if isinstance(leaf, lucene.Word)]
    said = set(lucene.without_stop_words(written, plan.languages))

    def kept(leaf: lucene.Node, field: str | None) -> lucene.Node | None:
        is_text = field is None or field.casefold() in TEXT_FIELDS
        is_left_out = is_text and isinstance(leaf, lucene.Word) and leaf.written not in said
        return None if is_left_out else leaf

    left = lucene.pruned(tree, kept)
    return tree if left is None or not lucene.positive_leaves(left) else left


def _form_expansion(plan: Plan) -> Callable[[str], tuple[str, ...]]:
    """How a plain word is looked for in an index of words as they stand.

    Stop words, which are only asked for where nothing else is, have no other forms.
    """

    def expand_forms(word: str) -> tuple[str, ...]:
        if not lucene.without_stop_words([word], plan.languages):
            return ()
        beginning = _beginning(word) if plan.prefixes else ()
        return (*lucene.forms(word, plan.languages), *beginning)

    return expand_forms


def _ranked(share: indexes.Share, filters: CompiledFilters, plan: Plan) -> list[dict[str, str]]:
    if not share.words:
        return []
    plain = [word.written for word in share.words]
    own = [one for one in plan.languages if one.name == share.language]
    similar = lucene.fuzzy_names(plain, own) if plan.fuzzy_names else ""
    written = lucene.write(
        lucene.AnyOf(lucene.word_parts(share.words, language=share.language)),
        required=filters.base,
        repeated=filters.repeated,
        forbidden=filters.forbidden,
        more=f"{lucene.proximity_boost(plain)} {similar}".strip(),
    )
    return [{"index": share.index, "query": written}]


def _begun(words: Sequence[lucene.Word], filters: CompiledFilters) -> list[dict[str, str]]:
    """Words by their beginnings, in the index of words as they stand: a stem may be shorter."""
    begun = [word for word in words if _beginning(word.written)]
    if not begun:
        return []
    tree = lucene.AnyOf(lucene.word_parts(begun, language="exact"))
    written = lucene.write(
        tree,
        required=filters.base,
        repeated=filters.repeated,
        forbidden=filters.forbidden,
        expand_forms=_beginning,
    )
    return [{"index": indexes.exact(begun).index, "query": written}]


def _stems(asked: lucene.Query, plan: Plan) -> list[str]:
    """Beginnings of the query's words, for choosing passages of hits that no passage led to."""
    if asked.tree is None:
        return []
    found: dict[str, None] = {}
    for leaf in lucene.positive_leaves(asked.tree):
        match leaf:
            case lucene.Word(word) | lucene.Fuzzy(word, _):
                written: Sequence[str] = [word]
            case lucene.Phrase(words, _):
                written = [*words, " ".join(words)]
            case lucene.Pattern(pieces):
                written = [piece.text for piece in pieces if not piece.wild]
            case _:
                continue
        said = [word for word in written if lucene.without_stop_words([word], plan.languages)]
        found |= dict.fromkeys(
            lucene.stem(word, plan.languages) or word.casefold() for word in said
        )
    return list(found)


def _beginning(word: str) -> tuple[str, ...]:
    return (f"{word}*",) if len(word) >= SHORTEST_PREFIX else ()
