"""Hits that only words of the front matter led to: ForgePlan looks into titles and bodies alone.

graphmem looks into tags as into names. A find by tags alone is none here; where a link leads to the
artifact as well it is a neighbour, of its best link.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graphmem import lucene, text
from graphmem.adapters.forgeplan.profile.artifact import body_of
from graphmem.lucene import stems
from graphmem.profiles.reading import entities_by_key

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model.answer import Hit

_WORD = re.compile(r"[^\W_]+")


def beginnings(query: str) -> frozenset[str]:
    """The beginnings of words that a query finds, in small letters: stems, parts of patterns."""
    tree = lucene.parse(query).tree
    first_letters: set[str] = set()
    for leaf in [] if tree is None else lucene.positive_leaves(tree):
        match leaf:
            case lucene.Word(word) | lucene.Fuzzy(word, _):
                first_letters |= _stems(word)
            case lucene.Phrase(words, _):
                first_letters |= _stems(" ".join(words))
            case lucene.Pattern(pieces) if not pieces[0].wild:
                first_letters |= {part.casefold() for part in _WORD.findall(pieces[0].text)}
    return frozenset(first_letters)


def _stems(words_text: str) -> set[str]:
    words = [word for word in _WORD.findall(words_text) if not lucene.is_stop_word(word)]
    return {form for word in words for form in (lucene.stem(word) or word.casefold(), *stems(word))}


def _says(content: str, beginnings: Collection[str]) -> bool:
    """Whether a word of a text, or a part of an identifier in it, begins so or has such a stem."""
    parts = {*_WORD.findall(content), *text.identifier_parts(content).split()}
    words = {word.casefold() for word in parts}
    return any(
        word.startswith(tuple(beginnings)) or not stems(word).isdisjoint(beginnings)
        for word in words
    )


class TagMatches:
    """Tells the hits of a search, page by page, that only tags led to.

    Args:
        memory: Where the texts are.
        beginnings: What a word that the query finds begins with.
    """

    def __init__(self, memory: "Memory", beginnings: Collection[str]) -> None:
        self._memory = memory
        self._beginnings = beginnings
        self._names: set[str] = set()
        self.dropped = 0

    def without(self, hits: Sequence["Hit"]) -> list["Hit"]:
        """The hits of the next page, best first, without those by tags and their neighbours."""
        candidates = [hit for hit in hits if self._may_be_by_tags(hit)]
        self._names |= self._by_tags(candidates)
        hits_or_neighbours = [
            hit if hit.name not in self._names else _neighbour(hit) for hit in hits
        ]
        ranked_hits = [
            ranked_hit
            for hit in hits_or_neighbours
            if (ranked_hit := self._linked_hit(hit)) is not None
        ]
        self.dropped += len(hits) - len(ranked_hits)
        return ranked_hits

    def _may_be_by_tags(self, hit: "Hit") -> bool:
        """Whether tags have a word of the query, and no name, title or meaning was found."""
        if hit.matched.text == 0 or hit.matched.name > 0 or hit.matched.vector > 0:
            return False
        in_tags = _says("\n".join(hit.tags), self._beginnings)
        return in_tags and not _says(f"{hit.name}\n{hit.title or ''}", self._beginnings)

    def _by_tags(self, hits: Iterable["Hit"]) -> set[str]:
        """The names of those of some hits whose text has no word of the query."""
        names = {hit.key: hit.name for hit in hits}
        entities = entities_by_key(self._memory, names)
        bodies = {key: body_of(entity) for key, entity in entities.items()}
        return {
            name for key, name in names.items() if not _says(bodies.get(key, ""), self._beginnings)
        }

    def _linked_hit(self, hit: "Hit") -> "Hit | None":
        """A hit with the links from other hits; None for one that has no other reason."""
        if hit.origin == "direct":
            return hit
        links = tuple(link for link in hit.via if link.seed not in self._names)
        return replace(hit, via=links) if links else None


def _neighbour(hit: "Hit") -> "Hit":
    """A hit as its best link alone would have led to it."""
    link = hit.explanation.link if hit.explanation else None
    via = () if link is None else (link.via,)
    return replace(hit, origin="expanded", score=hit.matched.link, via=via)
