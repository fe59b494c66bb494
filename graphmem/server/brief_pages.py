"""Entities cut to what a client takes in one answer, where they hold more."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphmem.errors import shortened
from graphmem.model.json_object import OPTIONAL, JsonObject
from graphmem.model.observation import Observation
from graphmem.model.page import Page
from graphmem.server.brief import LITTLE, MUCH, beginning, compact

# 25,000 tokens of 4 characters: clients refuse a longer answer, or lose what went before it.
MOST_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class Pages(JsonObject):
    """The entities asked for, in order; each is whole unless a note says what is left out."""

    entities: tuple[Page, ...]
    notes: tuple[str, ...] = field(default=(), metadata=OPTIONAL)


def brief_pages(pages: Sequence[Page]) -> Pages:
    """Cut the longest entities where all together take more than 25,000 tokens.

    Of those the beginning of the text stays, and the newest observations, in their order.
    """
    sizes = [len(compact(page)) for page in pages]
    share = _share(sizes)
    cut_pages = [
        (page, "") if size <= share else _cut(page, share)
        for page, size in zip(pages, sizes, strict=True)
    ]
    return Pages(tuple(page for page, _ in cut_pages), tuple(note for _, note in cut_pages if note))


def _share(sizes: Sequence[int]) -> int:
    """The most that one of them may take, so that all together fit; short ones leave room."""
    room = MOST_CHARACTERS
    for count, size in zip(range(len(sizes), 0, -1), sorted(sizes), strict=True):
        if size > room // count:
            return room // count
        room -= size
    return MOST_CHARACTERS


def _cut(page: Page, room: int) -> tuple[Page, str]:
    """An entity within so many characters, and what a caller should know of the rest."""
    entity = page.entity
    neighbours = tuple(
        replace(neighbour, note=beginning(neighbour.note, MUCH)) for neighbour in page.neighbours
    )
    bare = replace(page, entity=replace(entity, text=None, observations=()), neighbours=neighbours)
    room = max(LITTLE, room - len(compact(bare)))
    text = beginning(entity.text, room // 2 if entity.observations else room)
    observations = _newest(entity.observations, room - len(text or ""))
    parts = [
        f"the beginning of its text of {len(entity.text or ''):,} characters"
        if text != entity.text else "",
        f"the newest {len(observations):,} of its {len(entity.observations):,} observations"
        if observations != entity.observations else "",
    ]  # fmt: skip
    what = " and ".join(filter(None, parts)) or "the beginnings of the notes of its relations"
    note = (
        f"{shortened(page.name)} is too long for one answer, which has {what}; `search` finds "
        "what the rest says"
    )
    return replace(bare, entity=replace(entity, text=text, observations=observations)), note


def _newest(observations: Sequence[Observation], room: int) -> tuple[Observation, ...]:
    """The last ones that fit, in their order; one that is very long is cut."""
    newest: list[Observation] = []
    for observation in reversed(observations):
        short = replace(observation, text=beginning(observation.text, room // 2) or "")
        room -= len(compact(short)) + 1
        if room < 0:
            break
        newest.append(short)
    return tuple(reversed(newest))
