"""Answers cut to what an agent can read at once; `get` has the whole."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from graphmem.model import Answer, Hit, Passage
from graphmem.model.exploration import Exploration
from graphmem.model.json_object import JsonObject
from graphmem.model.overview import Overview
from graphmem.model.projects import ProjectList, ProjectSummary
from graphmem.project import LAYERS
from graphmem.snippets import MARK

# 2,000 tokens of 4 characters, less what JSON escapes.
ANSWER_CHARACTERS = 7_500
LEAST_CHARACTERS = 60
LINKS = 2
WORTH_CHARACTERS = 120
# What is left of a title, a note, and all tags of a hit: first much, then little.
MUCH, LITTLE = 200, 60
# 1,000 tokens of 4 characters.
OVERVIEW_CHARACTERS = 4_000
NAME_ONE = "There is no default project: name one as `project` in every call."
NOTHING_STORED = (
    "There is no default project, and nothing is stored yet: name a project, such as {example}, as "
    "`project` in every call; the first write creates it."
)
EXAMPLE = "github.com/owner/repo"
EXAMPLES = 5
# Entities of each list of an overview, and names that are counted of each sort; the first that fit.
SHORTER = ((10, 30), (10, 12), (6, 8), (3, 5), (1, 2), (0, 1))
# Of what is shown around a mark, a quarter stands before it.
BEFORE = 4


def brief(answer: Answer) -> Answer:
    """Cut the passages so that an answer of ten hits stays under 2,000 tokens.

    What names, links and the rest leave of that is shared evenly, 60 characters a hit at least; a
    longer text gives way to the part that matched best, and where the search highlights both are
    marked. What is cut ends in `…`; a hit's second
    passage is kept where 120 characters are left for it. Where there is less than that for every
    hit, long titles, tags and notes of links are cut, and if that does not do, each hit keeps its
    two best links and its best passage.
    """
    if not answer.hits:
        return answer
    budget = ANSWER_CHARACTERS - _characters_without_texts(answer)
    for shorten in (_with_beginnings, _short):
        if budget < WORTH_CHARACTERS * answer.count:
            answer = replace(answer, hits=tuple(shorten(hit) for hit in answer.hits))
            budget = ANSWER_CHARACTERS - _characters_without_texts(answer)
    share = max(LEAST_CHARACTERS, budget // answer.count)
    hits = tuple(replace(hit, passages=_within(share, hit.passages)) for hit in answer.hits)
    return replace(answer, hits=hits)


def _with_beginnings(hit: Hit, characters: int = MUCH) -> Hit:
    """The same hit with the beginnings of its title, its tags and the notes of its links."""
    tags = [tag for tag, end in zip(hit.tags, _ends(hit.tags), strict=True) if end <= characters]
    tags += ["…"] if len(tags) < len(hit.tags) else []
    links = tuple(replace(link, note=beginning(link.note, characters)) for link in hit.via)
    return replace(hit, title=beginning(hit.title, characters), tags=tuple(tags), via=links)


def _short(hit: Hit) -> Hit:
    """The same hit with its two best links, without their attributes, and its best passage."""
    links = tuple(replace(link, attributes={}) for link in hit.via[:LINKS])
    return _with_beginnings(replace(hit, via=links, passages=hit.passages[:1]), LITTLE)


def _ends(texts: Iterable[str]) -> Iterable[int]:
    """Where each of some texts ends, one written behind the other."""
    return accumulate(len(text) for text in texts)


def beginning(text: str | None, characters: int) -> str | None:
    """So much of a text, to the end of a word, and `…` where it goes on; None for none."""
    return None if text is None else _shorten(text, characters)


def brief_exploration(exploration: Exploration) -> Exploration:
    """Cut the notes of relations where the answer would take 2,000 tokens or more."""
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


def brief_overview(overview: Overview) -> Overview:
    """Cut the lists of an overview until it takes less than 1,000 tokens; counts are all there."""
    for names, counts in SHORTER:
        short_overview = replace(
            overview,
            kinds=_most_frequent(overview.kinds, counts),
            statuses=_most_frequent(overview.statuses, counts),
            tags=_most_frequent(overview.tags, counts),
            types=_most_frequent(overview.types, counts),
            recent=overview.recent[:names],
            hubs=overview.hubs[:names],
            stubs=overview.stubs[:names],
        )
        if len(compact(short_overview)) < OVERVIEW_CHARACTERS:
            break
    return short_overview


def project_list(
    summaries: Iterable[ProjectSummary], reach: Collection[str] | None = None
) -> ProjectList:
    """The projects to name, last changed first; as many as take less than 1,000 tokens.

    Args:
        summaries: Those that hold something.
        reach: The only projects that the caller may name; None for any.
    """
    projects = [summary for summary in summaries if summary.project not in LAYERS]
    projects.sort(
        key=lambda project: project.updated_at.timestamp() if project.updated_at else 0.0,
        reverse=True,
    )
    if not projects:
        example = " or ".join(sorted(reach)[:EXAMPLES]) if reach else EXAMPLE
        return ProjectList((), notes=(NOTHING_STORED.format(example=example),))
    count = len(projects)
    while True:
        omitted = len(projects) - count
        short_list = ProjectList(tuple(projects[:count]), omitted or None, (NAME_ONE,))
        if count <= 1 or len(compact(short_list)) < OVERVIEW_CHARACTERS:
            return short_list
        count = count * 3 // 4


def _most_frequent(counts: Mapping[str, int], limit: int) -> dict[str, int]:
    """The first of counts that are in falling order."""
    return dict(list(counts.items())[:limit])


def compact(value: JsonObject) -> str:
    """What an answer takes, as JSON without spaces."""
    return json.dumps(value.to_json(), ensure_ascii=False, separators=(",", ":"))
