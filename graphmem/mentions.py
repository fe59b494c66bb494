"""Names found in texts: whole words, the longest first."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from graphmem.lucene.korean import without_particle

LEAST_CHARACTERS = 3
# Most names of people in Chinese have two or three characters.
LEAST_HAN = 2
MOST_WORDS = 32
MOST_PARTICLES = 4
MOST_BEARERS = 3

# Han and Hiragana are written without spaces and each stands for itself; Katakana makes words.
_SINGLE = "\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"


@dataclass(slots=True)
class _Node:
    """A place in the tree of names: the words that may follow, and what ends here.

    Args:
        following: By folded word.
        keys: Who bears the name that ends here; a dict for its order.
        spellings: How the name is written, where it is one word of letters and only that counts.
        is_proper: Whether the name is found with capitals only.
    """

    following: dict[str, "_Node"] = field(default_factory=dict)
    keys: dict[str, None] = field(default_factory=dict)
    spellings: set[str] = field(default_factory=set)
    is_proper: bool = True

    def is_named(self, words: Sequence[str], next_word: str) -> bool:
        """Whether these words are the name that ends here, given the word after them."""
        if self.spellings:
            return words[0] in self.spellings and not next_word[:1].isupper()
        return not self.is_proper or _is_proper(words)


class Names:
    """Names of entities, to be found in texts.

    A name has at least 3 characters, or 2 of Chinese, and at most 32 words and marks. How it is
    written decides how it is found:

    - one word of letters, such as `Redis`: as it is written, and only where that is not all small
      letters (`search` would be everywhere) and no word with a capital follows, of whose name it
      would be a part (`Princess` in `Princess Anne`);
    - several words that all begin with a capital, such as `The Power`: where they all do in the
      text too;
    - any other, such as `Redis cache`, `ADR-7` or `create_tool`: whatever the case.

    A name that more than three entities bear stands for none of them.

    Args:
        names: Pairs of a name and the key of an entity that bears it.
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._root = _Node()
        for name, key in names:
            words = _words(name)
            if not _is_findable(name, words):
                continue
            node = self._root
            for word in words:
                node = node.following.setdefault(word.casefold(), _Node())
            node.keys[key] = None
            if _is_plain(words):
                node.spellings.add(words[0])
            node.is_proper = node.is_proper and " " in name.strip() and _is_proper(words)

    def found_in(self, text: str) -> Iterator[str]:
        """The keys of the entities a text names, in its order, one as often as it is named.

        Of names that overlap the first counts, of those that begin together the longest.
        """
        words = _words(text)
        folded_words = [word.casefold() for word in words]
        start = 0
        while start < len(words):
            end, node = self._longest(words, folded_words, start)
            if len(node.keys) <= MOST_BEARERS:
                yield from node.keys
            start = end

    def _longest(
        self, words: Sequence[str], folded_words: Sequence[str], start: int
    ) -> tuple[int, _Node]:
        """The end of the longest name from here and its node; without a name, one word on."""
        longest = start + 1, self._root
        node = self._root
        for place in range(start, len(words)):
            following = node.following.get(folded_words[place])
            if following is None:
                break
            node = following
            next_word = words[place + 1] if place + 1 < len(words) else ""
            if node.keys and node.is_named(words[start : place + 1], next_word):
                longest = place + 1, node
        return longest


def _is_findable(name: str, words: Sequence[str]) -> bool:
    least = LEAST_HAN if _HAN.fullmatch(name) else LEAST_CHARACTERS
    if len(" ".join(name.split())) < least or len(words) > MOST_WORDS:
        return False
    if not any(map(str.isalnum, name)):
        return False
    return not _is_plain(words) or not words[0].islower()


def _is_plain(words: Sequence[str]) -> bool:
    """Whether a name is one word of letters alone."""
    return len(words) == 1 and words[0].isalpha()


def _is_proper(words: Sequence[str]) -> bool:
    """Whether all words of letters begin with a capital, and none has a digit."""
    return all(word[0].isupper() for word in words if word.isalpha()) and not any(
        mark.isdigit() for word in words for mark in word
    )


def _words(text: str) -> list[str]:
    """Words and single marks in order, their case kept; Korean particles are words."""
    words = _pattern().findall(unicodedata.normalize("NFKC", text))
    if _HANGUL.search(text) is None:
        return words
    return [part for word in words for part in _without_particles(word)]


def _without_particles(word: str) -> list[str]:
    """A Korean noun and the particles behind it, which stand one behind another."""
    particles: list[str] = []
    while len(particles) < MOST_PARTICLES and (noun := without_particle(word)) != word:
        particles.insert(0, word.removeprefix(noun))
        word = noun
    return [word, *particles]


@cache
def _pattern() -> re.Pattern[str]:
    """What a word is: letters, digits and `_`, and the marks that combine with them."""
    combining = "".join(
        chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M"
    )
    return re.compile(
        rf"[{_SINGLE}]|[{_KATAKANA}]+|(?:[^\W{_SINGLE}{_KATAKANA}]|[{combining}])+|[^\w\s]"
    )
