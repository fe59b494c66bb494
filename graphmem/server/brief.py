"""Answers cut to what an agent can read at once; `get` has more of an entity."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile

from graphmem.model import Answer, Hit, Passage, Report
from graphmem.model.exploration import RAISE_LIMIT, Exploration
from graphmem.model.json_object import HIDDEN, OPTIONAL, JsonObject, compact_json
from graphmem.packing.tokens import QUARTERS, quarters, weights
from graphmem.server import excerpts
from graphmem.server.concise_json import concise_json

# Of the text that a model is shown; some 2,000 tokens.
ANSWER_CHARACTERS = 7_500
# 25,000 tokens: clients refuse a longer answer, or lose what went before it.
MOST_QUARTERS = 25_000 * QUARTERS
LEAST_CHARACTERS = 60
LINKS = 2
WORTH_CHARACTERS = 120
DIGITS = 4
# In a note, with what joins it to the other ways that follow it.
_RAISE_LIMIT = re.compile(f"{RAISE_LIMIT}(, | or )|; {RAISE_LIMIT}$")
# What is left of a title, a note, and all tags of a hit: first much, then little.
MUCH, LITTLE = 200, 60
FIRST_HITS = (
    "only the first {count:,} of {all:,} hits fit into an answer; give that as `limit`, and the "
    "`cursor` of the answer for those after them"
)


@dataclass(frozen=True, slots=True)
class Noted(JsonObject):
    """A value, and what a caller should know of it."""

    value: JsonObject = field(metadata=HIDDEN)
    notes: tuple[str, ...] = field(default=(), metadata=OPTIONAL)

    def to_json(self) -> dict[str, object]:
        """Write the value as it is, then the notes."""
        return self.value.to_json() | JsonObject.to_json(self)


def brief(answer: Answer) -> Answer:
    """Cut the passages so that the text of an answer of ten hits stays under 7,500 characters.

    What names, links and the rest leave of that is for the passages: short ones are whole, and what
    they leave is shared evenly by the longer ones, 60 characters a hit at least. Of those the part
    is shown that matched best, and of a text that a hit before has shown, its beginning. What is
    cut ends in `…`; a hit's second passage is kept where 120 characters are left for it. Where
    there is less than that for every hit, long titles, tags and notes of links are cut, and if that
    is not enough, each hit keeps its two best links and its best passage. Names and keys are whole,
    so long ones make it longer. Of many hits those stay that take 25,000 tokens, and a note says
    how to read on.
    """
    if not answer.hits:
        return answer
    hits = _without_repeated_texts(_rounded(hit) for hit in answer.hits)
    answer = replace(answer, hits=tuple(hits))
    room = ANSWER_CHARACTERS - _characters_without_texts(answer)
    for shorten in (_with_beginnings, _short):
        if room < WORTH_CHARACTERS * answer.count:
            answer = replace(answer, hits=tuple(shorten(hit) for hit in answer.hits))
            room = ANSWER_CHARACTERS - _characters_without_texts(answer)
    part = share(
        [_text_length(hit) for hit in answer.hits], _without_escapes(room, answer), LEAST_CHARACTERS
    )
    hits = (_within(part, hit) for hit in answer.hits)
    return _first_hits(replace(answer, hits=tuple(hits)))


def brief_report(report: Report) -> Report:
    """Leave out items where all together take more than 25,000 tokens, refused ones at last.

    `omitted` says how many are left out; all are counted.
    """
    if size(report) <= MOST_QUARTERS:
        return report
    room = MOST_QUARTERS - size(replace(report, items=()))
    items = sorted(report.items, key=lambda item: item.outcome != "refused")
    count = fitting(items, room)
    omitted = Counter((item.what, item.outcome) for item in items[count:])
    return replace(
        report,
        items=tuple(items[:count]),
        omitted_counts=omitted + Counter(dict(report.omitted_counts)),
    )


def _rounded(hit: Hit) -> Hit:
    """The same hit with four digits of its score, of which an explanation needs all."""
    return hit if hit.explanation else replace(hit, score=round(hit.score, DIGITS))


def _without_repeated_texts(hits: Iterable[Hit]) -> Iterator[Hit]:
    """The same hits, with only the beginning of a passage that a hit before them has."""
    shown: set[str] = set()
    for hit in hits:
        texts = [" ".join(passage.text.split()) for passage in hit.passages]
        passages = (
            _cut(passage, LEAST_CHARACTERS) if text in shown else passage
            for text, passage in zip(texts, hit.passages, strict=True)
        )
        yield replace(hit, passages=tuple(passages))
        shown.update(texts)


def _text_length(hit: Hit) -> int:
    return sum(len(passage.marked or passage.text) for passage in hit.passages)


def _without_escapes(room: int, answer: Answer) -> int:
    """So many characters of these texts fit into a room in JSON, which writes some as two."""
    texts = "".join(
        passage.marked or passage.text for hit in answer.hits for passage in hit.passages
    )
    return room * len(texts) // max(1, len(compact_json(texts)) - len('""'))


def share(sizes: Sequence[int], room: int, least: int = 0) -> int:
    """The most that each may take so that all together fit into the room; small ones leave some.

    Args:
        sizes: What they take now.
        room: What they may take together.
        least: What each may take in any case.
    """
    for smaller, size_now in enumerate(sorted(sizes)):
        part = max(least, room // (len(sizes) - smaller))
        if size_now > part:
            return part
        room -= size_now
    return max(sizes, default=room)


def _first_hits(answer: Answer) -> Answer:
    """So many hits as a client takes; the cursor, which leads on from the last one, goes too."""
    count = max(1, fitting(answer.hits, MOST_QUARTERS - size(replace(answer, hits=()))))
    if count >= answer.count:
        return answer
    note = FIRST_HITS.format(count=count, all=answer.count)
    return replace(answer, hits=answer.hits[:count], cursor=None, notes=(*answer.notes, note))


def size(value: JsonObject) -> int:
    """The quarters of a token that an answer takes; at least its characters if it is too long."""
    return _quarters(compact(value))


def shown_size(value: JsonObject) -> int:
    """The quarters of a token that a model is shown of an answer; see `size`."""
    return _quarters(_shown(value))


def _quarters(text: str) -> int:
    return quarters(text) if len(text) <= MOST_QUARTERS else len(text)


def fitting(
    values: Sequence[JsonObject], room: int, measure: Callable[[JsonObject], int] = size
) -> int:
    """How many values, from the first on, take at most so many quarters of a token.

    Args:
        values: The values.
        room: The quarters of a token.
        measure: How many of them a value takes.
    """
    return fitting_count((measure(value) + quarters(",") for value in values), room)


def fitting_count(sizes: Iterable[int], room: int) -> int:
    """How many things of these sizes, from the first on, fit into a room."""
    return sum(1 for _ in takewhile(lambda end: end <= room, accumulate(sizes)))


def within(text: str | None, room: int) -> str | None:
    """So much of a text as takes so many quarters of a token, like `beginning`."""
    if text is None:
        return None
    return beginning(text, fitting_count((weight for _, weight in weights(text)), room))


def _with_beginnings(hit: Hit, characters: int = MUCH) -> Hit:
    """The same hit with the beginnings of its title, its tags and the notes of its links."""
    tags = hit.tags[: fitting_count(map(len, hit.tags), characters)]
    tags += ("…",) if len(tags) < len(hit.tags) else ()
    links = tuple(replace(link, note=beginning(link.note, characters)) for link in hit.via)
    return replace(hit, title=beginning(hit.title, characters), tags=tags, via=links)


def _short(hit: Hit) -> Hit:
    """The same hit with its two best links, without their attributes, and its best passage."""
    links = tuple(
        replace(link, attributes={}, seed=excerpts.beginning(link.seed, MUCH))
        for link in hit.via[:LINKS]
    )
    return _with_beginnings(replace(hit, via=links, passages=hit.passages[:1]), LITTLE)


def beginning(text: str | None, characters: int) -> str | None:
    """So much of a text, to the end of a word, and `…` where it goes on; None for none."""
    return None if text is None else excerpts.beginning(text, characters)


def brief_exploration(exploration: Exploration) -> Exploration:
    """Cut the notes of relations where the answer would take 7,500 characters or more.

    Agents cannot raise the limit, so no note says that they may.
    """
    notes = tuple(_RAISE_LIMIT.sub("", note) for note in exploration.notes)
    exploration = replace(exploration, notes=notes)
    for characters in (MUCH, LITTLE):
        if len(compact(exploration)) < ANSWER_CHARACTERS:
            break
        entities = tuple(
            replace(entity, note=beginning(entity.note, characters))
            for entity in exploration.entities
        )
        exploration = replace(exploration, entities=entities)
    return exploration


def _characters_without_texts(answer: Answer) -> int:
    """What the text of an answer takes, but for the passages."""
    hits = tuple(
        replace(
            hit, passages=tuple(replace(passage, text="", snippet="") for passage in hit.passages)
        )
        for hit in answer.hits
    )
    return len(_shown(replace(answer, hits=hits)))


def _within(characters: int, hit: Hit) -> Hit:
    if _text_length(hit) <= characters:
        return replace(hit, passages=tuple(_cut(passage, characters) for passage in hit.passages))
    cut_passages: list[Passage] = []
    for passage in hit.passages:
        cut_passages.append(_cut(passage, characters))
        characters -= len(passage.marked or passage.text)
        if characters < WORTH_CHARACTERS:
            break
    return replace(hit, passages=tuple(cut_passages))


def _cut(passage: Passage, characters: int) -> Passage:
    return replace(passage, text=excerpts.best_part(passage, characters), snippet="", marked="")


def compact(value: JsonObject) -> str:
    """What an answer takes, as JSON without spaces."""
    return compact_json(value.to_json())


def _shown(value: JsonObject) -> str:
    """What a model is shown of an answer."""
    return compact_json(concise_json(value.to_json()))
