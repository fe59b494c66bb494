"""Entities cut to what a client takes in one answer, where they hold more."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.errors import shortened
from graphmem.model.entity import Entity
from graphmem.model.json_object import OPTIONAL, JsonObject, plain_attributes
from graphmem.model.observation import Observation
from graphmem.model.page import Neighbour, Page
from graphmem.model.provenance import FIRST_LINE, LAST_LINE
from graphmem.model.status import REMOVED
from graphmem.packing.tokens import QUARTERS, quarters
from graphmem.server.brief import (
    LITTLE,
    MOST_QUARTERS,
    MUCH,
    Noted,
    beginning,
    fitting,
    fitting_count,
    share,
    shown_size,
    size,
    within,
)

# Of the room for an entity that is too long: what relations take at most, and what each of its
# aliases, tags and attributes do. Its text and observations have the rest.
FOR_RELATIONS = 2
FOR_LISTS = 16
SEARCH = "`search` finds what the rest says"
SEARCH_THEN = "`search` with `as_of` finds what the rest says"
WHOLE = "`get` with `whole` true has more"
# What `get` answers with unless it is asked for more: 4,000 tokens of what a model is shown.
READ_QUARTERS = 4_000 * QUARTERS
REMOVED_NOTE = (
    "{} is removed: its source no longer has it, or its creation was undone, so searches leave it "
    "out"
)
# The attributes of imported code: the code itself, and the file where it stands.
CODE, PATH = "code", "path"
Measure = Callable[[JsonObject], int]


@dataclass(frozen=True, slots=True)
class Pages(JsonObject):
    """The entities asked for, in order; each is whole unless a note says what is left out.

    The notes come first, since what they say changes how the rest is read.
    """

    notes: tuple[str, ...] = field(default=(), kw_only=True, metadata=OPTIONAL)
    entities: tuple[Page, ...]


def brief_pages(pages: Sequence[Page], notes: Iterable[str] = (), *, whole: bool = False) -> Pages:
    """Cut the longest entities where all together take more than 4,000 tokens.

    Of those the code goes first. Where that is not enough, the beginning of the text stays, the
    newest observations, in their order, and the first relations, aliases, tags and attributes.

    Args:
        pages: The entities.
        notes: What else the caller should know of them.
        whole: Whether they are cut only where they take more than 25,000 tokens, which is what
            clients take.
    """
    most, measure = (MOST_QUARTERS, size) if whole else (READ_QUARTERS, shown_size)
    all_notes = [
        *notes,
        *(REMOVED_NOTE.format(shortened(page.name)) for page in pages if _is_removed(page)),
    ]
    if not whole:
        part = share([measure(page) for page in pages], most)
        with_code = [page for page in pages if CODE in page.entity.attributes]
        long_keys = {page.key for page in with_code if measure(page) > part}
        all_notes += [_code_note(page) for page in pages if page.key in long_keys]
        pages = [_without_code(page) if page.key in long_keys else page for page in pages]
    sizes = [measure(page) for page in pages]
    part = share(sizes, most)
    cut_pages = [
        (page, "") if page_size <= part else _cut(page, part, SEARCH if whole else WHOLE, measure)
        for page, page_size in zip(pages, sizes, strict=True)
    ]
    cut_notes = (note for _, note in cut_pages if note)
    return Pages(tuple(page for page, _ in cut_pages), notes=(*all_notes, *cut_notes))


def brief_past_page(page: Page) -> Noted:
    """Cut an entity as it was likewise."""
    if size(page) <= MOST_QUARTERS:
        return Noted(page)
    cut_page, note = _cut(page, MOST_QUARTERS, SEARCH_THEN, size)
    return Noted(cut_page, (note,))


def _is_removed(page: Page) -> bool:
    return page.status.casefold() == REMOVED


def _without_code(page: Page) -> Page:
    attributes = {name: value for name, value in page.entity.attributes.items() if name != CODE}
    return replace(page, entity=replace(page.entity, attributes=attributes))


def _code_note(page: Page) -> str:
    """Say how long the code is that is left out, and where it is."""
    length = len(str(page.entity.attributes[CODE]))
    return (
        f"the code of {shortened(page.name)}, {length:,} characters, is left out; it is"
        f"{_place(page.entity)} in `get` with `whole` true"
    )


def _place(entity: Entity) -> str:
    """The file and the lines of code, for a sentence that names another place after it."""
    path, *lines = (entity.attributes.get(name) for name in (PATH, FIRST_LINE, LAST_LINE))
    if not isinstance(path, str):
        return ""
    if None in lines:
        return f" in {path}, and"
    return f" in {path}, lines {lines[0]} to {lines[1]}, and"


def _cut(page: Page, room: int, rest: str, measure: Measure) -> tuple[Page, str]:
    """An entity within so many quarters of a token, and what a caller should know of the rest."""
    entity = _with_few(page.entity, room // FOR_LISTS)
    neighbours = [_short(neighbour) for neighbour in page.neighbours]
    neighbours = neighbours[: fitting(neighbours, room // FOR_RELATIONS, measure)]
    omitted = len(page.neighbours) - len(neighbours)
    bare = replace(
        page,
        entity=replace(entity, text=None, observations=()),
        neighbours=tuple(neighbours),
        omitted_relations=(page.omitted_relations or 0) + omitted or None,
    )
    room = max(LITTLE, room - measure(bare))
    text = within(entity.text, room // 2 if entity.observations else room)
    observations = _newest(entity.observations, room - quarters(text or ""), measure)
    cut_page = replace(bare, entity=replace(entity, text=text, observations=observations))
    parts = _kept_parts(cut_page, page)
    note = f"{shortened(page.name)} is too long for one answer, which has {parts}"
    return cut_page, f"{note}; {rest}"


def _kept_parts(cut_page: Page, page: Page) -> str:
    """What an entity that was cut still has."""
    cut, whole = cut_page.entity, page.entity
    parts = [] if cut.text == whole.text else [
        f"the beginning of its text of {len(whole.text or ''):,} characters"
    ]  # fmt: skip
    counts = {
        "newest {:,} of its {:,} observations": (cut.observations, whole.observations),
        "first {:,} of its {:,} relations": (cut_page.neighbours, page.neighbours),
        "first {:,} of its {:,} aliases": (cut.aliases, whole.aliases),
        "first {:,} of its {:,} tags": (cut.tags, whole.tags),
        "first {:,} of its {:,} attributes": (cut.attributes, whole.attributes),
    }
    parts += [
        f"the {words.format(len(kept), len(stored))}"
        for words, (kept, stored) in counts.items()
        if len(kept) < len(stored)
    ]
    return " and ".join(parts) or "the beginnings of the notes of its relations"


def _with_few(entity: Entity, room: int) -> Entity:
    """An entity with so many of its names, tags and attributes as fit, each into so much room."""
    attributes = plain_attributes(entity.attributes)
    pairs = [json.dumps(pair, ensure_ascii=False) for pair in attributes.items()]
    kept_names = [*attributes][: fitting_count(map(quarters, pairs), room)]
    return replace(
        entity,
        aliases=entity.aliases[: fitting_count(map(quarters, entity.aliases), room)],
        tags=entity.tags[: fitting_count(map(quarters, entity.tags), room)],
        attributes={name: entity.attributes[name] for name in kept_names},
    )


def _short(neighbour: Neighbour) -> Neighbour:
    """A relation with the beginning of its note, and attributes only if they are short."""
    attributes: Mapping[str, object] = plain_attributes(neighbour.attributes)
    return replace(
        neighbour,
        note=beginning(neighbour.note, MUCH),
        attributes=neighbour.attributes if len(json.dumps(attributes)) <= MUCH else {},
    )


def _newest(
    observations: Sequence[Observation], room: int, measure: Measure
) -> tuple[Observation, ...]:
    """The last ones that fit, in their order; one that is very long is cut."""
    newest: list[Observation] = []
    for observation in reversed(observations):
        short = replace(observation, text=within(observation.text, room // 2) or "")
        room -= measure(short) + quarters(",")
        if room < 0:
            break
        newest.append(short)
    return tuple(reversed(newest))
