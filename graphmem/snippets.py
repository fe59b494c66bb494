"""The part of a passage that matched best, and the words of the query marked in it."""

import fnmatch
import glob
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem import lucene
from graphmem import text as texts
from graphmem.model.language import Language

WINDOW = 240
# How much of a text is looked at; an observation may have a million characters.
LOOKED_AT = 50_000
MARK = "**"
SHORTEST_PREFIX = 2

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_PART = re.compile(r"[^\W_]+")

# Where a find begins and ends, and what of the query it is.
Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Marks:
    """What of a query is looked for in a text.

    Args:
        stems: Of words; a word of the text is one where it shares one of its own stems.
        beginnings: Words without case; what begins with one is one.
        patterns: Of words without case.
        near: Words without case, and how many letters may differ.
        runs: Words of scripts that put no spaces between them: found inside of other words.
        languages: Those of the store, by which words have stems.
    """

    stems: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    near: tuple[tuple[str, int], ...] = ()
    runs: tuple[str, ...] = ()
    languages: tuple[Language, ...] = lucene.DEFAULT_LANGUAGES


def stems_of(query: lucene.Query) -> frozenset[str]:
    """A stem of each of a query's words, those of phrases too, without those under NOT."""
    return frozenset(
        lucene.stem(part) or part.casefold()
        for leaf in _leaves(query)
        for word in _words(leaf)
        for part in _PART.findall(word)
        if not lucene.is_stop_word(part)
    )


def marks_of(
    query: lucene.Query,
    languages: tuple[Language, ...] = lucene.DEFAULT_LANGUAGES,
    *,
    prefixes: bool = False,
) -> Marks:
    """What of a query a text is marked with; words under NOT are not.

    Args:
        query: What was asked.
        languages: Those of the store.
        prefixes: Whether plain words of two letters or more stand for what begins with them too.
    """
    stems: set[str] = set()
    runs: list[str] = []
    leaves = [part for leaf in _leaves(query) for part in _parts(leaf)]
    for part in (part for leaf in leaves for word in _words(leaf) for part in _PART.findall(word)):
        if lucene.is_unspaced(part):
            runs.append(part.casefold())
        elif lucene.without_stop_words([part], languages):
            stems |= lucene.stems(part, languages)
    return Marks(
        stems=frozenset(stems),
        beginnings=tuple(_beginnings(leaves, languages)) if prefixes else (),
        patterns=tuple(_pattern(leaf) for leaf in leaves if isinstance(leaf, lucene.Pattern)),
        near=tuple(
            (leaf.text.casefold(), leaf.distance)
            for leaf in leaves
            if isinstance(leaf, lucene.Fuzzy)
        ),
        runs=tuple(dict.fromkeys(runs)),
        languages=languages,
    )


def snippet(text: str, marks: Marks, *, highlight: bool = False) -> str:
    """The 240 characters of a text that hold most of what was looked for, cut at words.

    Args:
        text: A passage.
        marks: What `marks_of` gave.
        highlight: Whether the words that matched stand between `**`.
    """
    flat = " ".join(text.split())
    if len(flat) <= WINDOW and not highlight:
        return flat
    found = _found(flat, marks)
    start, end = _window(flat, found)
    inside = [span for span in found if start <= span[0] and span[1] <= end]
    shown = _marked(flat[start:end], inside, start) if highlight else flat[start:end]
    return f"{'…' if start else ''}{shown.strip()}{'…' if end < len(flat) else ''}"


def marked(text: str, marks: Marks) -> str:
    """The whole text, the words that matched between `**`; in its first 50,000 characters."""
    return _marked(text, _found(text, marks), 0)


def _marked(shown: str, found: Sequence[Span], start: int) -> str:
    """Mark the finds in a text that begins at `start` of the one they were found in."""
    pieces: list[str] = []
    over = 0
    for first, after, _ in found:
        left, right = first - start, after - start
        pieces += [shown[over:left], MARK, shown[left:right], MARK]
        over = right
    return "".join([*pieces, shown[over:]])


def _leaves(query: lucene.Query) -> list[lucene.Node]:
    return [] if query.tree is None else lucene.positive_leaves(query.tree)


def _words(leaf: lucene.Node) -> Sequence[str]:
    match leaf:
        case lucene.Word(word):
            return [word]
        case lucene.Phrase(words, _):
            return words
        case _:
            return []


def _parts(leaf: lucene.Node) -> list[lucene.Node]:
    """A pattern or fuzzy word cut where the indexes cut it: `e-mail*` is `e` and `mail*`."""
    if isinstance(leaf, lucene.Pattern | lucene.Fuzzy):
        return lucene.positive_leaves(lucene.whole_words(leaf))
    return [leaf]


def _beginnings(leaves: Sequence[lucene.Node], languages: tuple[Language, ...]) -> Iterator[str]:
    for leaf in leaves:
        if isinstance(leaf, lucene.Word) and len(leaf.text) >= SHORTEST_PREFIX:
            yield from map(str.casefold, lucene.without_stop_words([leaf.text], languages))


def _pattern(leaf: lucene.Pattern) -> re.Pattern[str]:
    """A pattern that takes a time in proportion to a word's length, however many `*` it has."""
    pieces = (one.text if one.wild else glob.escape(one.text.casefold()) for one in leaf.pieces)
    return re.compile(fnmatch.translate("".join(pieces)))


def _found(text: str, marks: Marks) -> list[Span]:
    """Finds in the order of the text, of its first 50,000 characters; none overlaps another."""
    looked_at = text[:LOOKED_AT]
    found: list[Span] = []
    for span in sorted([*_of_words(looked_at, marks), *_of_runs(looked_at, marks)]):
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found


def _of_words(flat: str, marks: Marks) -> Iterator[Span]:
    matches: dict[str, str | None] = {}
    beginnings = _first_letters(marks)
    for one in _WORD.finditer(flat):
        word = one[0]
        if word not in matches:
            is_none = beginnings is not None and _begins_otherwise(word, beginnings)
            matches[word] = None if is_none else _match(word, marks)
        if (what := matches[word]) is not None:
            yield one.start(), one.end(), what


def _first_letters(marks: Marks) -> frozenset[str] | None:
    """With which letters a plain Latin word must begin to be a find; None where that is not known.

    An English stem begins as its word does; other stemmers cut off prefixes.
    """
    latin = {language.name for language in marks.languages if language.script == lucene.LATIN}
    if marks.beginnings or marks.patterns or marks.near or not latin <= {lucene.ENGLISH.name}:
        return None
    return frozenset(stem[0] for stem in marks.stems if stem)


def _begins_otherwise(word: str, beginnings: frozenset[str]) -> bool:
    """Whether a word is one of small ASCII letters that begins with none of some letters."""
    return word[0] not in beginnings and word.isascii() and word.isalpha() and word.islower()


def _of_runs(flat: str, marks: Marks) -> Iterator[Span]:
    for run in marks.runs:
        for one in re.finditer(re.escape(run), flat, re.IGNORECASE):
            yield one.start(), one.end(), run


def _match(word: str, marks: Marks) -> str | None:
    """What of a query a word of the text is, or one of the parts of an identifier."""
    if (what := _matched(word, marks)) is not None:
        return what
    folded = word.casefold()
    for wanted, letters in marks.near:
        if _differing_letters(wanted, folded, letters) <= letters:
            return wanted
    parts = texts.split_identifier(word)
    found = (_matched(part, marks) for part in parts) if len(parts) > 1 else ()
    return next((one for one in found if one is not None), None)


def _differing_letters(wanted: str, word: str, most: int) -> int:
    # Imported here for weight: few queries ask for words that are spelled alike.
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    return OSA.distance(wanted, word, score_cutoff=most)


def _matched(word: str, marks: Marks) -> str | None:
    if (stem := _shared(word, marks)) is not None:
        return stem
    folded = word.casefold()
    begun = (one for one in marks.beginnings if folded.startswith(one))
    fitting = (one.pattern for one in marks.patterns if one.match(folded))
    return next(begun, None) or next(fitting, None)


def _shared(word: str, marks: Marks) -> str | None:
    if not marks.stems:
        return None
    return min(marks.stems & lucene.stems(word, marks.languages), default=None)


def _window(flat: str, found: Sequence[Span]) -> tuple[int, int]:
    if len(flat) <= WINDOW:
        return 0, len(flat)
    wanted = start = _densest(found, WINDOW * 3 // 4)
    start = max(0, min(start - WINDOW // 8, len(flat) - WINDOW))
    blank = flat.find(" ", start, wanted) if start and flat[start - 1] != " " else -1
    start = blank + 1 if blank >= 0 else start
    end = min(len(flat), start + WINDOW)
    cut = flat.rfind(" ", start, end)
    return start, end if end == len(flat) or cut <= start else cut


def _densest(found: Sequence[Span], reach: int) -> int:
    """The first find from which on most different words of the query are within reach; else 0."""
    best, start, over = 0, 0, 0
    inside: Counter[str] = Counter()
    for index, (first, _, what) in enumerate(found):
        while over < len(found) and found[over][1] <= first + reach:
            inside[found[over][2]] += 1
            over += 1
        if len(inside) > best:
            best, start = len(inside), first
        if over <= index:
            over = index + 1
            continue
        inside[what] -= 1
        if not inside[what]:
            del inside[what]
    return start
