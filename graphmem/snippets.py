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
from graphmem.model.spelling import WORD

WINDOW = 240
# How much of a text is looked at; an observation may have a million characters.
LOOKED_AT = 50_000
MARK = "**"
SHORTEST_PREFIX = 2

_WORD = re.compile(rf"{WORD.pattern}(?:_+{WORD.pattern})*")

# How the first three letters of an English stem end, and how those of a word of it may: `fly` has
# the stem `fli`, `flies` too, `skies` has `sky`, `using` has `use`, and `dying` has `die`.
_ENDINGS_OF_SHORT_STEMS = (("i", "y"), ("y", "i"), ("e", "i"), ("ie", "yi"))

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
        for part in WORD.findall(word)
        if not lucene.is_stop_word(part)
    )


def marks_of(
    query: lucene.Query,
    languages: tuple[Language, ...] = lucene.DEFAULT_LANGUAGES,
    *,
    prefixes: bool = False,
) -> Marks:
    """What a text is searched for to mark a query's words; words under NOT are left out.

    Stop words are marked only where nothing else is looked for.

    Args:
        query: What was asked.
        languages: Those of the store.
        prefixes: Whether plain words of two letters or more stand for what begins with them too.
    """
    leaves = [part for leaf in _leaves(query) for part in _parts(leaf)]
    words = [part for leaf in leaves for word in _words(leaf) for part in WORD.findall(word)]
    runs = [word.casefold() for word in words if lucene.is_unspaced(word)]
    spaced = [word for word in words if not lucene.is_unspaced(word)]
    content = [word for word in spaced if lucene.without_stop_words([word], languages)]
    if not content and not runs and all(map(_words, leaves)):
        content = spaced
    return Marks(
        stems=frozenset(stem for word in content for stem in lucene.stems(word, languages)),
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
    line = " ".join(text.split())
    if len(line) <= WINDOW and not highlight:
        return line
    spans = _find_spans(line, marks)
    start, end = _window(line, spans)
    spans_in_window = [span for span in spans if start <= span[0] and span[1] <= end]
    excerpt = _mark_spans(line[start:end], spans_in_window, start) if highlight else line[start:end]
    return f"{'…' if start else ''}{excerpt.strip()}{'…' if end < len(line) else ''}"


def marked(text: str, marks: Marks) -> str:
    """The whole text, the words that matched between `**`; in its first 50,000 characters."""
    return _mark_spans(text, _find_spans(text, marks), 0)


def _mark_spans(excerpt: str, spans: Sequence[Span], start: int) -> str:
    """Mark the finds in a text that begins at `start` of the one they were found in."""
    pieces: list[str] = []
    done_until = 0
    for span_start, span_end, _ in spans:
        left, right = span_start - start, span_end - start
        pieces += [excerpt[done_until:left], MARK, excerpt[left:right], MARK]
        done_until = right
    return "".join([*pieces, excerpt[done_until:]])


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
    pieces = (
        piece.text if piece.wild else glob.escape(piece.text.casefold()) for piece in leaf.pieces
    )
    return re.compile(fnmatch.translate("".join(pieces)))


def _find_spans(text: str, marks: Marks) -> list[Span]:
    """Finds in the order of the text, of its first 50,000 characters; none overlaps another."""
    beginning = text[:LOOKED_AT]
    spans: list[Span] = []
    for span in sorted([*_of_words(beginning, marks), *_of_runs(beginning, marks)]):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


def _of_words(line: str, marks: Marks) -> Iterator[Span]:
    matches: dict[str, str | None] = {}
    beginnings = _beginnings_of_finds(marks)
    for match in _WORD.finditer(line):
        word = match[0]
        if word not in matches:
            is_none = beginnings is not None and _begins_otherwise(word, beginnings)
            matches[word] = None if is_none else _match(word, marks)
        if (query_word := matches[word]) is not None:
            yield match.start(), match.end(), query_word


def _beginnings_of_finds(marks: Marks) -> frozenset[str] | None:
    """The first three letters of plain Latin words that may be a find; None where not known.

    An English stem begins as its words do but for a short one that ends in `i`, `y` or `e`; other
    stemmers cut off prefixes.
    """
    latin = {language.name for language in marks.languages if language.script == lucene.LATIN}
    if marks.beginnings or marks.patterns or marks.near or not latin <= {lucene.ENGLISH.name}:
        return None
    beginnings = {stem[:3] for stem in marks.stems}
    others = {
        f"{stem[: -len(ending)]}{other_ending}"
        for stem in beginnings
        for ending, other_ending in _ENDINGS_OF_SHORT_STEMS
        if stem.endswith(ending)
    }
    return frozenset(beginnings | others)


def _begins_otherwise(word: str, beginnings: frozenset[str]) -> bool:
    """Whether a word is a plain one of ASCII letters that begins otherwise."""
    is_other = word[:3].lower() not in beginnings
    return is_other and word.isascii() and word.isalpha() and word[1:].islower()


def _of_runs(line: str, marks: Marks) -> Iterator[Span]:
    for run in marks.runs:
        for match in re.finditer(re.escape(run), line, re.IGNORECASE):
            yield match.start(), match.end(), run


def _match(word: str, marks: Marks) -> str | None:
    """The word or stem of the query that a word of the text, or a part of it, matches."""
    if (query_word := _matched_form(word, marks)) is not None:
        return query_word
    folded_word = word.casefold()
    for similar_word, letters in marks.near:
        if _differing_letters(similar_word, folded_word, letters) <= letters:
            return similar_word
    parts = texts.split_identifier(word)
    matches = (_matched_form(part, marks) for part in parts) if len(parts) > 1 else ()
    return next((match for match in matches if match is not None), None)


def _differing_letters(query_word: str, word: str, most_letters: int) -> int:
    # Imported here for weight: few queries ask for words that are spelled alike.
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    return OSA.distance(query_word, word, score_cutoff=most_letters)


def _matched_form(word: str, marks: Marks) -> str | None:
    if (stem := _common_stem(word, marks)) is not None:
        return stem
    folded_word = word.casefold()
    beginnings = (beginning for beginning in marks.beginnings if folded_word.startswith(beginning))
    patterns = (pattern.pattern for pattern in marks.patterns if pattern.match(folded_word))
    return next(beginnings, None) or next(patterns, None)


def _common_stem(word: str, marks: Marks) -> str | None:
    if not marks.stems:
        return None
    return min(marks.stems & lucene.stems(word, marks.languages), default=None)


def _window(line: str, spans: Sequence[Span]) -> tuple[int, int]:
    if len(line) <= WINDOW:
        return 0, len(line)
    window_start = start = _densest(spans, WINDOW * 3 // 4)
    start = max(0, min(start - WINDOW // 8, len(line) - WINDOW))
    blank = line.find(" ", start, window_start) if start and line[start - 1] != " " else -1
    start = blank + 1 if blank >= 0 else start
    end = min(len(line), start + WINDOW)
    last_blank = line.rfind(" ", start, end)
    return start, end if end == len(line) or last_blank <= start else last_blank


def _densest(spans: Sequence[Span], reach: int) -> int:
    """The first find from which on most different words of the query are within reach; else 0."""
    most_words, start, next_index = 0, 0, 0
    words_in_reach: Counter[str] = Counter()
    for index, (span_start, _, query_word) in enumerate(spans):
        while next_index < len(spans) and spans[next_index][1] <= span_start + reach:
            words_in_reach[spans[next_index][2]] += 1
            next_index += 1
        if len(words_in_reach) > most_words:
            most_words, start = len(words_in_reach), span_start
        if next_index <= index:
            next_index = index + 1
            continue
        words_in_reach[query_word] -= 1
        if not words_in_reach[query_word]:
            del words_in_reach[query_word]
    return start
