"""Suggests words and names that the store holds in place of those that it does not."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA

from graphmem import lucene
from graphmem.graph import Graph, Row
from graphmem.model.filters import Filters
from graphmem.model.language import Language
from graphmem.model.spelling import SIGNS, WORD, has_only_letters, plain_form
from graphmem.search.compiled_filters import compile_filters
from graphmem.search.plan import Plan
from graphmem.search.statement import time_of
from graphmem.search.unknown_words import unknown_words_note
from graphmem.text import SYMBOL_MARK

# A short word is near to too many others. Lucene knows at most two letters that differ.
SHORTEST = 4
# Nobody types a longer word, and to look for those near to it takes the index ever longer.
LONGEST = 40
LONG = 9
TYPOS = 2
# Where a name leads nowhere, two letters of shorter words may differ, too.
LONG_IN_NAME = 6
# A fuzzy word becomes up to 50 clauses in each of three fields; an index takes 1,024.
WORDS = 4
PASSAGES = 20
# Of so many words that count, most must be known.
MOST_KNOWN = 3
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
# Beside a name that is so much alike, those that only share a word are not given.
VERY_LIKE = 0.8

# A name in code, as an index holds it whole, and what stands between two of them in a path.
_IDENTIFIER = re.compile(r"\w+(?:\.\w+)*")
_BETWEEN_IDENTIFIERS = re.compile(r"[/\\:#]+")


class _StoreWord(NamedTuple):
    """A word of the store, ordered by how well it stands for a misspelt one."""

    typos: int
    is_in_text: bool
    place: int
    word: str


def spelling_note(
    graph: Graph,
    query: str,
    filters: Filters,
    plan: Plan,
    languages: Sequence[Language],
    *,
    beginning: str,
) -> str | None:
    """A sentence with the query whose unknown words are the nearest ones of the store instead.

    It is made of one statement. A word has 4 to 40 letters; from nine letters on two of them may
    differ, else one. The four longest words count. If most of three or four are unknown, the query
    is of other words or in another language than the texts, and the sentence says that.

    Args:
        graph: The store.
        query: As it was given.
        filters: Those of the search; what lies beyond them is not suggested.
        plan: That of the search, which says at what time it holds.
        languages: In which forms of one word count as known.
        beginning: What the sentence says of the hits.

    Returns:
        The sentence; None where no word is near.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    text = lucene.clean(query)
    words = _words(text, languages)
    if not words:
        return None
    compiled_filters = compile_filters(filters)
    fuzzy_query = lucene.write(
        lucene.AnyOf(tuple(lucene.Fuzzy(word, _typos(word)) for word in words)),
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
    nearest_words = _nearest_words(words, rows, languages)
    if _are_mostly_unknown(nearest_words):
        return unknown_words_note(text, languages) if filters.is_unfiltered else None
    correction = _correct(text, nearest_words)
    return None if correction is None else f"{beginning}; did you mean `{correction}`?"


def similar_names(graph: Graph, project: str, name: str) -> list[str]:
    """The names of a project's entities that share a word with a name, or nearly; one statement.

    The words are compared as in `spelling_note`, but two letters of six may differ. The most
    alike comes first; at most three.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    clean_name = lucene.clean(name)
    words = set(filter(_may_be_misspelt, map(plain_form, WORD.findall(clean_name))))
    identifiers = {word for word in _IDENTIFIER.findall(clean_name) if _may_be_misspelt(word)}
    longest_words = sorted(words | identifiers, key=lambda word: (-len(word), word))[:WORDS]
    if not longest_words:
        return []
    filters = compile_filters(Filters((project,)))
    fuzzy_words = [lucene.Fuzzy(word, _typos(word, LONG_IN_NAME)) for word in longest_words]
    query = lucene.write(
        lucene.AnyOf(
            tuple(lucene.Field(field, word) for field in ("name", "alias") for word in fuzzy_words)
        ),
        required=filters.base,
        repeated=filters.repeated,
        forbidden=filters.forbidden,
    )
    rows = graph.read("read/similar_names", query=query, project=project, limit=PASSAGES)
    folded_words = {word.casefold() for word in words}
    likenesses = {
        row["name"]: likeness
        for row in rows
        if (likeness := _likeness(row["name"], row["aliases"], name)) >= LIKE_NAME
        or folded_words & {word.casefold() for word in WORD.findall(row["name"])}
    }
    best = max(likenesses.values(), default=0.0)
    least = LIKE_NAME if best >= VERY_LIKE else 0.0
    near = [other for other, likeness in likenesses.items() if likeness >= least]
    return sorted(near, key=lambda other: (-likenesses[other], other))[:NAMES]


def _likeness(other: str, aliases: Sequence[str], name: str) -> float:
    """How alike a name is to that of an entity, to the end of that, or to one of its aliases."""
    ends = (other.rpartition(mark)[2] for mark in (SYMBOL_MARK, "/", "."))
    return max(_similarity(form, name) for form in (other, *ends, *aliases))


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
    query_words = [
        part
        for leaf in leaves
        for word in _words_of_leaf(leaf)
        for part in _BETWEEN_IDENTIFIERS.split(word)
    ]
    words = {word for word in query_words if _may_be_name(word) and _may_be_misspelt(word)}
    content = lucene.without_stop_words(sorted(words), languages)
    return sorted(content, key=lambda word: (-len(word), word))[:WORDS]


def _words_of_leaf(leaf: lucene.Node) -> Sequence[str]:
    if isinstance(leaf, lucene.Word):
        return [leaf.text]
    return leaf.words if isinstance(leaf, lucene.Phrase) else ()


def _correct(text: str, nearest_words: Mapping[str, str | None]) -> str | None:
    """The query with each unknown word replaced, where one is near enough."""
    correction = text
    for word, nearest in nearest_words.items():
        if nearest is not None:
            pattern = rf"(?<![\w{SIGNS}]){re.escape(word)}(?![\w{SIGNS}])"
            correction = re.sub(pattern, nearest, correction)
    return correction if correction != text else None


def _nearest_words(
    words: Sequence[str], rows: Sequence[Row], languages: Sequence[Language]
) -> dict[str, str | None]:
    """By each word of a query the nearest one of the store: itself if that has it."""
    store_words = {word: is_in_text for row in rows for word, is_in_text in _words_of(row)}
    return {word: _nearest(word, store_words.items(), languages) for word in words}


def _are_mostly_unknown(nearest_words: Mapping[str, str | None]) -> bool:
    known = sum(nearest == word for word, nearest in nearest_words.items())
    return len(nearest_words) >= MOST_KNOWN and 2 * known < len(nearest_words)


def _words_of(row: Row) -> Iterable[tuple[str, bool]]:
    """The words of a passage, those of names last: they win over the same words of texts."""
    for field, is_in_text in (("text", True), ("names", False)):
        text = row[field] or ""
        yield from ((word, is_in_text) for word in WORD.findall(text))
        yield from ((word, is_in_text) for word in _IDENTIFIER.findall(text) if _is_code(word))


def _nearest(
    word: str, store_words: Iterable[tuple[str, bool]], languages: Sequence[Language]
) -> str | None:
    """The word of the store that is nearest, or the word itself if it has that; None for neither.

    A name in code, such as `get_user`, is near only to others.
    """
    most_typos = _typos(word)
    folded_word = word.casefold()
    stem = lucene.stem(word, languages)
    candidates: list[_StoreWord] = []
    for place, (candidate, is_in_text) in enumerate(store_words):
        if abs(len(candidate) - len(word)) > most_typos or _is_code(candidate) != _is_code(word):
            continue
        if candidate.casefold() == folded_word or (
            stem and lucene.stem(candidate, languages) == stem
        ):
            return word
        typos = OSA.distance(folded_word, candidate.casefold(), score_cutoff=most_typos)
        if typos <= most_typos:
            candidates.append(_StoreWord(typos, is_in_text, place, candidate))
    return min(candidates).word if candidates else None


def _may_be_name(word: str) -> bool:
    """Whether it consists of letters, or of several such words joined as in code; no number."""
    joined = word.replace("_", "").replace(".", "") if _IDENTIFIER.fullmatch(word) else word
    return has_only_letters(joined)


def _is_code(word: str) -> bool:
    return "_" in word or "." in word


def _may_be_misspelt(word: str) -> bool:
    return SHORTEST <= len(word) <= LONGEST


def _typos(word: str, long: int = LONG) -> int:
    return TYPOS if len(word) >= long else 1
