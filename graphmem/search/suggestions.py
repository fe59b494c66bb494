"""Suggests words and names that the store holds in place of those that it does not."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA

from graphmem import lucene
from graphmem.graph import Graph, Row
from graphmem.model.filters import Filters
from graphmem.model.language import Language
from graphmem.model.spelling import SIGNS, WORD, has_only_letters
from graphmem.search.compiled_filters import compile_filters
from graphmem.search.plan import Plan
from graphmem.search.statement import time_of

# A short word is near to too many others. Lucene knows at most two letters that differ.
SHORTEST = 4
# Nobody types a longer word, and to look for those near to it takes the index ever longer.
LONGEST = 40
LONG = 6
TYPOS = 2
# A fuzzy word becomes up to 50 clauses in each of three fields; an index takes 1,024.
WORDS = 4
PASSAGES = 20
# An observation may be as long as a book; words are looked for at its beginning.
CHARACTERS = 20_000

# Projects that a note names, and how alike the last parts of two names, or the names, are.
PROJECTS = 3
LIKE_PART = 0.7
LIKE_WHOLE = 0.9

# Names of entities that an error gives, and how alike names are that share no whole word.
_DIGITS = re.compile(r"\d+")
NAMES = 3
LIKE_NAME = 0.7


class _StoreWord(NamedTuple):
    """A word of the store, ordered by how well it stands for a misspelt one."""

    typos: int
    is_in_text: bool
    place: int
    word: str


def suggestion(
    graph: Graph, query: str, filters: Filters, plan: Plan, languages: Sequence[Language]
) -> str | None:
    """The query with its unknown words replaced by the nearest ones of the store; one statement.

    A word has 4 to 40 letters; from six letters on two of them may differ, else one. The four
    longest words count.

    Args:
        graph: The store.
        query: As it was given.
        filters: Those of the search; what lies beyond them is not suggested.
        plan: That of the search, which says at what time it holds.
        languages: In which forms of one word count as known.

    Returns:
        Another query; None where no word is near.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    text = lucene.clean(query)
    unknown_words = _words(text, languages)
    if not unknown_words:
        return None
    compiled_filters = compile_filters(filters)
    fuzzy_query = lucene.write(
        lucene.AnyOf(tuple(lucene.Fuzzy(word, _typos(word)) for word in unknown_words)),
        required=compiled_filters.base,
        repeated=compiled_filters.repeated,
        forbidden=compiled_filters.forbidden,
    )
    rows = graph.read(
        "read/near_words",
        query=fuzzy_query,
        limit=PASSAGES,
        characters=CHARACTERS,
        projects=list(filters.projects) if filters.are_projects_tested else [],
        search=time_of(plan),
    )
    return _correct(text, unknown_words, rows, languages)


def similar_names(graph: Graph, project: str, name: str) -> list[str]:
    """The names of a project's entities that share a word with a name, or nearly; one statement.

    The words are compared as in `suggestion`. The most alike comes first; at most three.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    words = {word for word in WORD.findall(lucene.clean(name)) if _may_be_misspelt(word)}
    longest_words = sorted(words, key=lambda word: (-len(word), word))[:WORDS]
    if not longest_words:
        return []
    filters = compile_filters(Filters((project,)))
    query = lucene.write(
        lucene.AnyOf(
            tuple(lucene.Field("name", lucene.Fuzzy(word, _typos(word))) for word in longest_words)
        ),
        required=filters.base,
        repeated=filters.repeated,
        forbidden=filters.forbidden,
    )
    rows = graph.read("read/similar_names", query=query, project=project, limit=PASSAGES)
    folded_words = {word.casefold() for word in longest_words}
    likenesses = {
        row["name"]: _similarity(row["name"], name)
        for row in rows
        if folded_words & {word.casefold() for word in WORD.findall(row["name"])}
        or _similarity(row["name"], name) >= LIKE_NAME
    }
    return sorted(likenesses, key=lambda other: (-likenesses[other], other))[:NAMES]


def is_nearly(name: str, other: str) -> bool:
    """Whether two names differ by a letter, long ones by two, and by no digit.

    `http2` and `http3` are two things, and so are short names that differ by a letter.
    """
    first, second = name.casefold(), other.casefold()
    has_same_digits = _DIGITS.findall(first) == _DIGITS.findall(second)
    length = min(len(first), len(second))
    return has_same_digits and length >= SHORTEST and OSA.distance(first, second) <= _typos(first)


def near_projects(project: str, names: Iterable[str]) -> list[str]:
    """The names of projects that are nearly a name, the nearest first, at most three.

    They are alike in their last part, or nearly the same as a whole: `graphmen` is near to
    `example.org/graphmem`.

    Args:
        project: The name, which is not among the answers itself.
        names: Those of the projects.
    """
    nearness = {
        name: (_similarity(_last_part(project), _last_part(name)), _similarity(project, name))
        for name in names
        if name != project
    }
    near = [
        name
        for name, (of_last_part, of_whole) in nearness.items()
        if of_last_part >= LIKE_PART or of_whole >= LIKE_WHOLE
    ]
    return sorted(near, key=lambda name: (-max(nearness[name]), name))[:PROJECTS]


def _last_part(project: str) -> str:
    return project.rstrip("/").rpartition("/")[2]


def _similarity(first: str, second: str) -> float:
    return OSA.normalized_similarity(first.casefold(), second.casefold())


def _words(text: str, languages: Sequence[Language]) -> list[str]:
    """The words of a query that may be misspelt, longest first."""
    tree = lucene.parse(text).tree
    leaves = [] if tree is None else lucene.positive_leaves(tree)
    query_words = [word for leaf in leaves for word in _words_of_leaf(leaf)]
    words = {word for word in query_words if has_only_letters(word) and _may_be_misspelt(word)}
    content = lucene.without_stop_words(sorted(words), languages)
    return sorted(content, key=lambda word: (-len(word), word))[:WORDS]


def _words_of_leaf(leaf: lucene.Node) -> Sequence[str]:
    if isinstance(leaf, lucene.Word):
        return [leaf.text]
    return leaf.words if isinstance(leaf, lucene.Phrase) else ()


def _correct(
    text: str, unknown_words: Sequence[str], rows: Sequence[Row], languages: Sequence[Language]
) -> str | None:
    """The query with each unknown word replaced, where one is near enough."""
    store_words = {word: is_in_text for row in rows for word, is_in_text in _words_of(row)}
    correction = text
    for word in unknown_words:
        nearest = _nearest(word, store_words.items(), languages)
        if nearest is not None:
            pattern = rf"(?<![\w{SIGNS}]){re.escape(word)}(?![\w{SIGNS}])"
            correction = re.sub(pattern, nearest, correction)
    return correction if correction != text else None


def _words_of(row: Row) -> Iterable[tuple[str, bool]]:
    """The words of a passage, those of names last: they win over the same words of texts."""
    yield from ((word, True) for word in WORD.findall(row["text"]))
    yield from ((word, False) for word in WORD.findall(row["names"] or ""))


def _nearest(
    word: str, store_words: Iterable[tuple[str, bool]], languages: Sequence[Language]
) -> str | None:
    """The word of the store that is nearest; None where it has the word, or none is near."""
    most_typos = _typos(word)
    folded_word = word.casefold()
    stem = lucene.stem(word, languages)
    candidates: list[_StoreWord] = []
    for place, (candidate, is_in_text) in enumerate(store_words):
        if abs(len(candidate) - len(word)) > most_typos:
            continue
        if candidate.casefold() == folded_word or (
            stem and lucene.stem(candidate, languages) == stem
        ):
            return None
        typos = OSA.distance(folded_word, candidate.casefold(), score_cutoff=most_typos)
        if typos <= most_typos:
            candidates.append(_StoreWord(typos, is_in_text, place, candidate))
    return min(candidates).word if candidates else None


def _may_be_misspelt(word: str) -> bool:
    return SHORTEST <= len(word) <= LONGEST


def _typos(word: str) -> int:
    return TYPOS if len(word) >= LONG else 1
