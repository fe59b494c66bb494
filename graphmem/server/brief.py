"""Answers cut to what an agent can read at once; `get` has the whole."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.model import Answer, Passage

# The passages of all hits share this; ten hits of the fixed format make a good 5,000 besides.
ANSWER_CHARACTERS = 2_000
LEAST_CHARACTERS = 120
NAMES_COUNTED = 30


def brief(answer: Answer) -> Answer:
    """Cut the passages so that an answer of ten hits stays under 2,000 tokens.

    Each hit gets the same share, at least 120 characters; what is cut ends in `…`.
    """
    share = max(LEAST_CHARACTERS, ANSWER_CHARACTERS // max(1, answer.count))
    hits = tuple(replace(hit, passages=_within(share, hit.passages)) for hit in answer.hits)
    return replace(answer, hits=hits)


def _within(characters: int, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    kept: list[Passage] = []
    for passage in passages:
        kept.append(replace(passage, text=_cut(passage.text, characters)))
        characters -= len(passage.text)
        if characters < LEAST_CHARACTERS:
            break
    return tuple(kept)


def _cut(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    beginning = text[:characters]
    words, _, _ = beginning.rpartition(" ")
    return f"{words or beginning}…"


def commonest(counts: Mapping[str, int]) -> dict[str, int]:
    """The 30 first of counts that are in falling order."""
    return dict(list(counts.items())[:NAMES_COUNTED])
