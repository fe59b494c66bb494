"""The part of a passage that matched best, and the words of the query marked in it."""

import fnmatch
import glob
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem import lucene
from graphmem import text as texts
from graphmem.model.language import Language
from graphmem.model.spelling import WORD
from graphmem.snippets.window import WINDOW, Span, best_window

# Characters of a text that are read; an observation may have a million.
READ_CHARACTERS = 50_000
MARK = "**"
SHORTEST_PREFIX = 2

_WORD = re.compile(rf"{WORD.pattern}(?:_+{WORD.pattern})*")

# How the first three letters of an English stem end, and how those of a word of it may: `fly` has
# the stem `fli`, `flies` too, `skies` has `sky`, `using` has `use`, and `dying` has `die`.
_ENDINGS_OF_SHORT_STEMS = (("i", "y"), ("y", "i"), ("e", "i"), ("ie", "yi"))


@dataclass(frozen=True, slots=True)
class Terms:
    """What of a query is looked for in a text.

    Args:
        stems: Of words; a word of the text is one where it shares one of its own stems.
        beginnings: Words without case; what begins with one is one.
        patterns: Of words without case.
        fuzzy_words: Words without case, and how many letters may differ.
        unspaced_runs: Words of scripts without spaces between words: found inside of others.
        pairs: Pairs of characters of such words.
        languages: Those of the store, by which words have stems.
    """

    stems: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    fuzzy_words: tuple[tuple[str, int], ...] = ()
    unspaced_runs: tuple[str, ...] = ()
    pairs: frozenset[str] = frozenset()
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


def terms_of(
    query: lucene.Query,
    languages: tuple[Language, ...] = lucene.DEFAULT_LANGUAGES,
    *,
    prefixes: bool = False,
) -> Terms:
    """What a text is searched for to mark a query's words; words under NOT are left out.

    Stop words are marked only where nothing else is looked for.

    Args:
        query: What was asked.
        languages: Those of the store.
        prefixes: Whether plain words of two letters or more stand for what begins with them too.
    """
    leaves = [part for leaf in _leaves(query) for part in _parts(leaf)]
    words = [part for leaf in leaves for word in _words(leaf) for part in WORD.findall(word)]
    unspaced = [word for word in words if lucene.is_unspaced(word)]
    # Where operators decide, a word is looked for whole.
    runs_and_pairs = [
        ([word], []) if query.strict else lucene.marked_runs(word) for word in unspaced
    ]
    runs = [run.casefold() for of_word, _ in runs_and_pairs for run in of_word]
    spaced = [word for word in words if not lucene.is_unspaced(word)]
    content = [word for word in spaced if lucene.without_stop_words([word], languages)]
    if not content and not unspaced and all(map(_words, leaves)):
        content = spaced
    return Terms(
        stems=frozenset(stem for word in content for stem in lucene.stems(word, languages)),
        beginnings=tuple(_beginnings(leaves, languages)) if prefixes else (),
        patterns=tuple(_pattern(leaf) for leaf in leaves if isinstance(leaf, lucene.Pattern)),
        fuzzy_words=tuple(
            (leaf.text.casefold(), leaf.distance)
            for leaf in leaves
            if isinstance(leaf, lucene.Fuzzy)
        ),
        unspaced_runs=tuple(dict.fromkeys(runs)),
        pairs=frozenset(pair for _, of_word in runs_and_pairs for pair in of_word),
        languages=languages,
    )


def snippet(text: str, terms: Terms, *, highlight: bool = False) -> str:
    """The 240 characters of a text that hold most of what was looked for, cut at words.

    Args:
        text: A passage.
        terms: What `terms_of` gave.
        highlight: Whether the words that matched stand between `**`.
    """
    line = " ".join(text.split())
    if len(line) <= WINDOW and not highlight:
        return line
    spans = _spans(line, terms)
    start, end = best_window(line, spans)
    spans_in_window = [span for span in spans if start <= span[0] and span[1] <= end]
    excerpt = _mark_spans(line[start:end], spans_in_window, start) if highlight else line[start:end]
    return f"{'…' if start else ''}{excerpt.strip()}{'…' if end < len(line) else ''}"


def marked(text: str, terms: Terms) -> str:
    """The whole text, the words that matched between `**`; in its first 50,000 characters."""
    return _mark_spans(text, _spans(text, terms), 0)


def _mark_spans(excerpt: str, spans: Sequence[Span], start: int) -> str:
    """Mark the matches in a text that begins at `start` of the one they were found in."""
    pieces: list[str] = []
    done_until = 0
    for span_start, span_end, _ in spans:
        left, right = span_start - start, span_end - start
        if pieces and left == done_until:
            # Matches that touch are marked as one.
            pieces[-1:] = [excerpt[left:right], MARK]
            done_until = right
            continue
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


def _spans(text: str, terms: Terms) -> list[Span]:
    """The matches in the first 50,000 characters, in their order; none overlaps another."""
    beginning = text[:READ_CHARACTERS]
    spans: list[Span] = []
    matches = [*_word_spans(beginning, terms), *_run_spans(beginning, terms)]
    for span in sorted([*matches, *_pair_spans(beginning, terms)], key=_by_place):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


def _by_place(span: Span) -> tuple[int, int]:
    """Earlier matches first, of those that begin together the longest."""
    return span[0], -span[1]


def _word_spans(line: str, terms: Terms) -> Iterator[Span]:
    matches: dict[str, str | None] = {}
    beginnings = _beginnings_of_matches(terms)
    for match in _WORD.finditer(line):
        word = match[0]
        if word not in matches:
            cannot_match = beginnings is not None and _begins_otherwise(word, beginnings)
            matches[word] = None if cannot_match else _match(word, terms)
        if (query_word := matches[word]) is not None:
            yield match.start(), match.end(), query_word


def _beginnings_of_matches(terms: Terms) -> frozenset[str] | None:
    """The first three letters of plain Latin words that may match; None where not known.

    An English stem begins as its words do but for a short one that ends in `i`, `y` or `e`; other
    stemmers cut off prefixes.
    """
    latin = {language.name for language in terms.languages if language.script == lucene.LATIN}
    has_other_stemmers = not latin <= {lucene.ENGLISH.name}
    if terms.beginnings or terms.patterns or terms.fuzzy_words or has_other_stemmers:
        return None
    beginnings = {stem[:3] for stem in terms.stems}
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


def _run_spans(line: str, terms: Terms) -> Iterator[Span]:
    for run in terms.unspaced_runs:
        # A long vowel at the end is often left out.
        for match in re.finditer(f"{re.escape(run)}ー*", line, re.IGNORECASE):
            yield match.start(), match.end(), run


def _pair_spans(line: str, terms: Terms) -> Iterator[Span]:
    """What consists of pairs of characters, those that overlap together."""
    if not terms.pairs:
        return
    start = -1
    for place in range(len(line)):
        if line[place : place + 2] in terms.pairs:
            start = place if start < 0 else start
        elif start >= 0:
            yield start, place + 1, line[start : place + 1]
            start = -1


def _match(word: str, terms: Terms) -> str | None:
    """The word or stem of the query that a word of the text, or a part of it, matches."""
    if (query_word := _matched_form(word, terms)) is not None:
        return query_word
    folded_word = word.casefold()
    for similar_word, letters in terms.fuzzy_words:
        if _differing_letters(similar_word, folded_word, letters) <= letters:
            return similar_word
    parts = texts.split_identifier(word)
    matches = (_matched_form(part, terms) for part in parts) if len(parts) > 1 else ()
    return next((match for match in matches if match is not None), None)


def _differing_letters(query_word: str, word: str, most_letters: int) -> int:
    # Imported here for weight: few queries ask for words that are spelled alike.
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    return OSA.distance(query_word, word, score_cutoff=most_letters)


def _matched_form(word: str, terms: Terms) -> str | None:
    if (stem := _common_stem(word, terms)) is not None:
        return stem
    folded_word = word.casefold()
    beginnings = (beginning for beginning in terms.beginnings if folded_word.startswith(beginning))
    patterns = (pattern.pattern for pattern in terms.patterns if pattern.match(folded_word))
    return next(beginnings, None) or next(patterns, None)


def _common_stem(word: str, terms: Terms) -> str | None:
    if not terms.stems:
        return None
    return min(terms.stems & lucene.stems(word, terms.languages), default=None)
