"""Answers cut to what an agent can read at once; `get` has more of an entity."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile

from graphmem.model import Answer, Hit, Passage, Report
from graphmem.model.exploration import RAISE_LIMIT, Exploration
from graphmem.model.json_object import HIDDEN, OPTIONAL, JsonObject, compact_json
from graphmem.packing.tokens import QUARTERS, quarters, weights
from graphmem.snippets import MARK

# Some 2,500 tokens of English in JSON.
ANSWER_CHARACTERS = 7_500
# 25,000 tokens: clients refuse a longer answer, or lose what went before it.
MOST_QUARTERS = 25_000 * QUARTERS
LEAST_CHARACTERS = 60
LINKS = 2
WORTH_CHARACTERS = 120
DIGITS = 4
# What is left of a title, a note, and all tags of a hit: first much, then little.
MUCH, LITTLE = 200, 60
FIRST_HITS = (
    "only the first {count:,} of {all:,} hits fit into an answer; give that as `limit`, and the "
    "`cursor` of the answer for those after them"
)
# Of what is shown around a mark, a quarter stands before it.
BEFORE = 4


@dataclass(frozen=True, slots=True)
class Noted(JsonObject):
    """A value, and what a caller should know of it."""

    value: JsonObject = field(metadata=HIDDEN)
    notes: tuple[str, ...] = field(default=(), metadata=OPTIONAL)

    def to_json(self) -> dict[str, object]:
        """Write the value as it is, then the notes."""
        return self.value.to_json() | JsonObject.to_json(self)


def brief(answer: Answer) -> Answer:
    """Cut the passages so that an answer of ten hits stays under 7,500 characters.

    What names, links and the rest leave of that is shared evenly, 60 characters a hit at least; a
    longer text gives way to the part that matched best, and where the search highlights, both are
    marked. What is cut ends in `…`; a hit's second passage is kept where 120 characters are left
    for it. Where there is less than that for every hit, long titles, tags and notes of links are
    cut, and if that is not enough, each hit keeps its two best links and its best passage. Names
    and keys are whole, so long ones make it longer. Of
    many hits those stay that take 25,000 tokens, and a note says how to read on.
    """
    if not answer.hits:
        return answer
    answer = replace(answer, hits=tuple(_rounded(hit) for hit in answer.hits))
    budget = ANSWER_CHARACTERS - _characters_without_texts(answer)
    for shorten in (_with_beginnings, _short):
        if budget < WORTH_CHARACTERS * answer.count:
            answer = replace(answer, hits=tuple(shorten(hit) for hit in answer.hits))
            budget = ANSWER_CHARACTERS - _characters_without_texts(answer)
    share = max(LEAST_CHARACTERS, budget // answer.count)
    hits = tuple(replace(hit, passages=_within(share, hit.passages)) for hit in answer.hits)
    return _first_hits(replace(answer, hits=hits))


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


def _first_hits(answer: Answer) -> Answer:
    """So many hits as a client takes; the cursor, which leads on from the last one, goes too."""
    count = max(1, fitting(answer.hits, MOST_QUARTERS - size(replace(answer, hits=()))))
    if count >= answer.count:
        return answer
    note = FIRST_HITS.format(count=count, all=answer.count)
    return replace(answer, hits=answer.hits[:count], cursor=None, notes=(*answer.notes, note))


def fitting(values: Sequence[JsonObject], room: int) -> int:
    """How many values, from the first on, take at most so many quarters of a token."""
    ends = accumulate(size(value) + quarters(",") for value in values)
    return sum(end <= room for end in ends)


def size(value: JsonObject) -> int:
    """The quarters of a token that an answer takes; at least its characters if it is too long."""
    text = compact(value)
    return quarters(text) if len(text) <= MOST_QUARTERS else len(text)


def within(text: str | None, room: int) -> str | None:
    """So much of a text as takes so many quarters of a token, like `beginning`."""
    if text is None:
        return None
    ends = accumulate(weight for _, weight in weights(text))
    return beginning(text, sum(1 for _ in takewhile(lambda end: end <= room, ends)))


def _with_beginnings(hit: Hit, characters: int = MUCH) -> Hit:
    """The same hit with the beginnings of its title, its tags and the notes of its links."""
    tags = [tag for tag, end in zip(hit.tags, _ends(hit.tags), strict=True) if end <= characters]
    tags += ["…"] if len(tags) < len(hit.tags) else []
    links = tuple(replace(link, note=beginning(link.note, characters)) for link in hit.via)
    return replace(hit, title=beginning(hit.title, characters), tags=tuple(tags), via=links)


def _short(hit: Hit) -> Hit:
    """The same hit with its two best links, without their attributes, and its best passage."""
    links = tuple(
        replace(link, attributes={}, seed=_shorten(link.seed, MUCH)) for link in hit.via[:LINKS]
    )
    return _with_beginnings(replace(hit, via=links, passages=hit.passages[:1]), LITTLE)


def _ends(texts: Iterable[str]) -> Iterable[int]:
    """Where each of some texts ends, one written behind the other."""
    return accumulate(len(text) for text in texts)


def beginning(text: str | None, characters: int) -> str | None:
    """So much of a text, to the end of a word, and `…` where it goes on; None for none."""
    return None if text is None else _shorten(text, characters)


def brief_exploration(exploration: Exploration) -> Exploration:
    """Cut the notes of relations where the answer would take 7,500 characters or more.

    Agents cannot raise the limit, so no note says that they may.
    """
    notes = tuple(note.replace(RAISE_LIMIT, "") for note in exploration.notes)
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
    hits = tuple(
        replace(
            hit, passages=tuple(replace(passage, text="", snippet="") for passage in hit.passages)
        )
        for hit in answer.hits
    )
    return len(compact(replace(answer, hits=hits)))


def _within(characters: int, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    cut_passages: list[Passage] = []
    for passage in passages:
        cut_passages.append(
            replace(passage, text=_best_text(passage, characters), snippet="", marked="")
        )
        characters -= len(passage.marked or passage.text)
        if characters < WORTH_CHARACTERS:
            break
    return tuple(cut_passages)


def _best_text(passage: Passage, characters: int) -> str:
    """The whole text, else the part that matched best, else its beginning or first marked word."""
    full_text = passage.marked or passage.text
    if len(full_text) <= characters:
        return full_text
    if 0 < len(passage.snippet) <= characters:
        return passage.snippet
    return (
        _first_mark(passage.snippet, characters)
        if passage.marked
        else _shorten(full_text, characters)
    )


def _first_mark(text: str, characters: int) -> str:
    """The text around the first mark; a mark that the cut opened is removed."""
    mark_start = text.find(MARK)
    start = max(0, mark_start - characters // BEFORE)
    start = text.find(" ", start, mark_start) + 1 or start if start else 0
    excerpt = _shorten(text[start:], characters)
    if excerpt.count(MARK) % 2:
        excerpt = f"{excerpt[: excerpt.rindex(MARK)].rstrip()}…"
    return f"…{excerpt}" if start and not excerpt.startswith("…") else excerpt


def _shorten(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    beginning = text[:characters]
    words, _, _ = beginning.rpartition(" ")
    return f"{words or beginning}…"


def compact(value: JsonObject) -> str:
    """What an answer takes, as JSON without spaces."""
    return compact_json(value.to_json())
