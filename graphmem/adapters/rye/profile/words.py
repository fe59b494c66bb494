"""Where the words of a query stand in a text: the ranking by fields asks for it, field by field."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fnmatch import translate
from functools import cached_property, lru_cache
from itertools import product

from rapidfuzz.distance import OSA

from graphmem import lucene, text

# From here on scripts are written without spaces, so that a word is looked for inside others.
UNSPACED = "\u0e00"
# What an analyzer takes for one word at most.
WORD_CHARACTERS = 255
# A word with more marks in it is looked for as it is written.
MOST_PARTS = 5

_WORD = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"\w+")
_MARKS = re.compile(r"[\W_]+")
_WHOLE = re.compile(r"\w*_\w*")
# Where a word in an identifier ends: `validateToken`, `HTTPServer`.
_INNER = re.compile(r"(?<=[^\W_A-ZА-ЯЁ])(?=[A-ZА-ЯЁ])|(?<=[A-ZА-ЯЁ])(?=[A-ZА-ЯЁ][a-zа-яё])")


class Text:
    """A text cut into words, folded: letters and digits, the parts of identifiers, whole ones too.

    Args:
        content: Any text.
    """

    def __init__(self, content: str) -> None:
        self.content = content

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return [match.span() for match in _WORD.finditer(self.content)]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The places of each word."""
        places: dict[str, list[int]] = {}
        for place, (start, end) in enumerate(self._spans):
            word = self.content[start:end]
            for part in (word, *(_INNER.split(word) if _INNER.search(word) else ())):
                places.setdefault(text.normalised(part), []).append(place)
        starts = [start for start, _ in self._spans]
        for compound in _WHOLE.finditer(self.content):
            place = max(0, bisect_right(starts, compound.start()) - 1)
            places.setdefault(text.normalised(compound[0]), []).append(place)
        return places

    def places(self, leaf: lucene.Node) -> list[int]:
        """The words, counted from 0, at which a leaf of a query begins."""
        match leaf:
            case lucene.Word(word):
                return self._in_order([self._places_of_forms(part) for part in parts_of(word)], 0)
            case lucene.Phrase(words, slop):
                parts = (part for word in words for part in parts_of(word))
                return self._in_order([self._places_of_word(part) for part in parts], slop)
            case lucene.Fuzzy(word, distance):
                return sorted(
                    {
                        *self._places_of_similar(word, distance),
                        *self._places_of_parts(word, distance),
                    }
                )
            case lucene.Pattern(pieces) if has_marks(pieces):
                return self._places_of_marked(pieces)
            case lucene.Pattern(pieces):
                return self._places_of_pattern(pieces)
            case _:
                return []

    @property
    def words(self) -> int:
        """How many words there are."""
        return len(self._spans)

    def around(self, places: Iterable[int], characters: int) -> str:
        """The part of the text, so many characters long, that holds most of some words."""
        starts = sorted({self._spans[place][0] for place in places if place < len(self._spans)})
        best_start, most_words = 0, 0
        for index, start in enumerate(starts):
            word_count = bisect_right(starts, start + characters * 3 // 4) - index
            if word_count > most_words:
                best_start, most_words = start, word_count
        begin = max(0, best_start - characters // 8)
        return (
            self.content[begin : begin + characters]
            if len(self.content) > characters
            else self.content
        )

    def stems(self, places: Iterable[int]) -> frozenset[str]:
        """The beginnings of the words at some places."""
        spans = (self._spans[place] for place in places if place < len(self._spans))
        return frozenset(_stem(text.normalised(self.content[start:end])) for start, end in spans)

    def _places_of_forms(self, part: str) -> list[int]:
        """The places of the forms of a word."""
        if part[0] >= UNSPACED:
            return self._places_of_word(part)
        stem = _stem(part)
        return self._places_of_words(
            word
            for word in self._places
            if word == part or (word.startswith(stem) and _stem(word) == stem)
        )

    def _places_of_word(self, part: str) -> list[int]:
        if part[0] >= UNSPACED:
            return self._places_of_words(word for word in self._places if part in word)
        return self._places.get(part, [])

    def _places_of_pattern(self, pieces: Sequence[lucene.Piece]) -> list[int]:
        matches = _pattern(tuple((piece.text, piece.wild) for piece in pieces)).match
        return self._places_of_words(
            word for word in self._places if len(word) <= WORD_CHARACTERS and matches(word)
        )

    def _places_of_marked(self, pieces: Sequence[lucene.Piece]) -> list[int]:
        """The places of a pattern with marks in it: a word for each part, beside each other.

        A star alone stands for a word with nothing but marks before or behind it.
        """
        parts = _split_pattern(pieces)
        starts = self._in_order([self._places_of_pattern(part) for part in parts], 0)
        stars = [place for place, part in enumerate(parts) if _is_star(part)]
        joints = {place for star in stars for place in (star - 1, star)} & set(
            range(len(parts) - 1)
        )
        return [start for start in starts if all(self._is_joined(start + join) for join in joints)]

    def _is_joined(self, place: int) -> bool:
        """Whether no blank stands between a word and the next."""
        text_between = self.content[self._spans[place][1] : self._spans[place + 1][0]]
        return bool(text_between) and not any(mark.isspace() for mark in text_between)

    def _places_of_similar(self, word: str, distance: int) -> list[int]:
        if not _PLAIN.fullmatch(word):
            return []
        return self._places_of_words(
            candidate for candidate in self._places if _near(word, candidate, distance)
        )

    def _places_of_parts(self, word: str, distance: int) -> list[int]:
        """The places of a word with marks in it, of whose letters so many differ in all."""
        parts = parts_of(word)
        if len(parts) > MOST_PARTS or (len(parts) == 1 and _PLAIN.fullmatch(word)):
            return []
        # Of a short part every letter counts: any word is nearly `a`.
        most_typos = [min(distance, (len(part) - 1) // 2) for part in parts]
        starts: set[int] = set()
        for shares in product(*(range(gap + 1) for gap in most_typos)):
            if sum(shares) == min(distance, sum(most_typos)):
                sets = [
                    self._places_of_words(word for word in self._places if _near(part, word, share))
                    for part, share in zip(parts, shares, strict=True)
                ]
                starts.update(self._in_order(sets, 0))
        return sorted(starts)

    def _places_of_words(self, words: Iterable[str]) -> list[int]:
        return sorted({place for word in words for place in self._places[word]})

    @staticmethod
    def _in_order(sets: Sequence[Sequence[int]], slop: int) -> list[int]:
        """The first places of runs that take a place of each set, at most `slop` others between."""
        if not sets or not all(sets):
            return []
        readings = []
        for start in sets[0]:
            place, gap_left = start, slop
            for places in sets[1:]:
                next_index = bisect_right(places, place)
                gap = places[next_index] - place - 1 if next_index < len(places) else gap_left + 1
                if gap > gap_left:
                    break
                place, gap_left = places[next_index], gap_left - gap
            else:
                readings.append(start)
        return readings


def has_marks(pieces: Iterable[lucene.Piece]) -> bool:
    """Whether a pattern has characters that no word has."""
    return any(not piece.wild and not _PLAIN.fullmatch(piece.text) for piece in pieces)


def parts_of(words: str) -> list[str]:
    """The words of a text, folded."""
    return _WORD.findall(text.normalised(words))


def _split_pattern(pieces: Iterable[lucene.Piece]) -> list[list[lucene.Piece]]:
    """The patterns of the words that a pattern with marks stands for."""
    parts: list[list[lucene.Piece]] = [[]]
    for piece in pieces:
        runs = [piece.text] if piece.wild else _MARKS.split(piece.text)
        for place, run in enumerate(runs):
            if place:
                parts.append([])
            if run:
                parts[-1].append(lucene.Piece(run, wild=piece.wild))
    return [part for part in parts if part]


def _is_star(pieces: Sequence[lucene.Piece]) -> bool:
    return all(piece.wild and piece.text == "*" for piece in pieces)


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return lucene.stem(word) or word


def _near(word: str, store_word: str, distance: int) -> bool:
    if abs(len(word) - len(store_word)) > distance:
        return False
    folded_word = text.normalised(word)
    return OSA.distance(folded_word, store_word, score_cutoff=distance) <= distance


@lru_cache(maxsize=1000)
def _pattern(pieces: tuple[tuple[str, bool], ...]) -> re.Pattern[str]:
    """A pattern as the standard library reads it, which never tries the same twice."""
    glob = "".join(
        literal if wild else re.sub(r"[*?[]", r"[\g<0>]", text.normalised(literal))
        for literal, wild in pieces
    )
    return re.compile(translate(glob))
