"""The search: `Memory.search` finds, the items decide what it cannot tell, rank and shadow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem import lucene, snippets, text
from graphmem.adapters.rye.profile import query as queries
from graphmem.adapters.rye.profile.filters import Filters
from graphmem.adapters.rye.profile.item import ORDER, Item
from graphmem.adapters.rye.profile.proximity import Nearness
from graphmem.adapters.rye.profile.scope import Scope, SearchType, Space

if TYPE_CHECKING:
    from graphmem.memory import Memory

PAGE = 200
# A page of hits is at most so many, so this is how many are ranked.
PAGES = 50
# Of a score, what graphmem's own evidence decides between items whose fields are equally good: less
# than one field that holds the whole query.
EVIDENCE = 0.05
PREVIEW = 1000
ALONE = "proximity needs two terms; it was ignored"


@dataclass(frozen=True, slots=True)
class Request:
    """A search as it was asked for, every part of it checked."""

    query: str
    scope: Scope
    space: str
    filters: Filters
    fields: Mapping[str, str]
    sort_by: str
    distance: int | None
    proximity: int | None

    @property
    def search_type(self) -> SearchType:
        """What is done: everything listed, words looked for, or these with a tolerance."""
        if self.query.strip() in queries.EVERYTHING and not self.fields:
            return "list"
        if self.distance:
            return "fuzzy" if self.proximity is None else "fuzzy+proximity"
        return "keyword" if self.proximity is None else "proximity"


@dataclass(frozen=True, slots=True)
class Ranked:
    """An item, its score in [0, 1], and the spaces it wins over or loses to."""

    item: Item
    score: float
    shadows: tuple[Space, ...] = ()
    shadowed_by: Space | None = None
    preview: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The items of a page, how many matched, and sentences on what was ignored or cut."""

    page: tuple[Ranked, ...]
    total: int
    notes: tuple[str, ...] = ()


def search(memory: "Memory", project: str, request: Request, *, limit: int, offset: int) -> Answer:
    """Find, rank and cut.

    Args:
        memory: Where.
        project: The project whose spaces are searched.
        request: What is asked.
        limit: The most items given.
        offset: How many of the best are left out.
    """
    query = queries.read(request.query, request.fields, distance=request.distance or 0)
    if query.search_text is None:
        return Answer((), 0, query.notes)
    nearness = None
    if request.proximity is not None:
        nearness = Nearness.of(query.query, query.fields, request.proximity)
    evidence, notes = _evidence(memory, project, request, query.search_text)
    entities = memory.in_layers([text.name_of(key) for key in evidence], project=project)
    items = [
        Item(entity, request.scope.item_type, evidence.get(entity.key or "", 0.0))
        for entity in entities
        if "/" in entity.name
    ]
    matching = [
        item
        for item in items
        if item.entity.key in evidence
        and all(item.holds(node) for node in query.nodes)
        and (nearness is None or nearness.holds(item))
        and request.filters.hold(item)
    ]
    items_with_scores = [(item, _score(item, query)) for item in matching]
    items_with_scores.sort(key=lambda pair: _sort_key(*pair, sort_by=request.sort_by))
    page = items_with_scores[offset : offset + limit]
    return Answer(
        page=tuple(_ranked_item(item, score, items, query) for item, score in page),
        total=len(items_with_scores),
        notes=(*query.notes, *([] if nearness is None or nearness.is_asked else [ALONE]), *notes),
    )


def _evidence(
    memory: "Memory", project: str, request: Request, search_text: str
) -> tuple[dict[str, float], tuple[str, ...]]:
    """The score of every entity that the search finds, by key."""
    project_name = {"user": "@user", "system": "@system"}.get(request.space, project)
    scores: dict[str, float] = {}
    notes: tuple[str, ...] = ()
    cursor: str | None = None
    for _ in range(PAGES):
        answer = memory.search(
            search_text,
            project=project_name,
            scope="layers" if request.space == "all" else "project",
            mode="keyword",
            operator="and",
            # An answer has no place for the link that led to a hit, so none is followed.
            expand=False,
            kinds=[request.scope.kind],
            status=request.filters.statuses,
            where={"name": {"under": request.scope.path}, **request.filters.where},
            limit=PAGE,
            detail="names",
            cursor=cursor,
        )
        scores |= {hit.key: hit.score for hit in answer.hits}
        cursor = answer.cursor
        if not answer.total_exact:
            notes = ("more items match than were ranked; narrow the scope to see them all",)
        if cursor is None:
            break
    return scores, notes


def _score(item: Item, query: queries.ParsedQuery) -> float:
    """How well an item answers: 1 for a list.

    The share of the fields' weights that belongs to fields which hold the whole query, and 5 % of
    graphmem's own evidence, which alone decides between items of which only several fields together
    hold it. Where only fields are asked for, those that are as they are asked for come first.
    """
    if query.lists:
        return 1.0
    share = item.fill_share(query.fields) if query.query is None else item.share(query.query)
    return (1 - EVIDENCE) * share + EVIDENCE * item.evidence


def _sort_key(item: Item, score: float, *, sort_by: str) -> tuple[object, ...]:
    match sort_by:
        case "date":
            moment = item.date
            return (moment is None, -moment.timestamp() if moment else 0.0, *item.precedence)
        case "name":
            return (item.name.casefold(), *item.precedence)
        case _:
            return (-round(score, 4), *item.precedence)


def _ranked_item(
    item: Item, score: float, items: Sequence[Item], query: queries.ParsedQuery
) -> Ranked:
    spaces = [
        twin.space for twin in items if twin.id == item.id and twin.is_alive and twin is not item
    ]
    spaces.sort(key=ORDER.index)
    covering_spaces = [space for space in spaces if ORDER.index(space) < ORDER.index(item.space)]
    return Ranked(
        item=item,
        score=round(score, 4),
        shadows=() if covering_spaces else tuple(spaces),
        shadowed_by=covering_spaces[0] if covering_spaces else None,
        preview=_preview(item, query),
    )


def _preview(item: Item, query: queries.ParsedQuery) -> str:
    """The part of the text, else of the description, that has most of the words asked for."""
    leaves = [leaf for node in query.nodes for leaf in lucene.leaves(node)]
    for field in ("content", "description"):
        field_text = item.fields[field]
        places = sorted({place for leaf in leaves for place in field_text.places(leaf)})
        if places:
            passage = field_text.around(places, PREVIEW)
            return snippets.snippet(passage, snippets.Terms(field_text.stems(places)))
    return snippets.snippet(
        item.description or (item.entity.text or "")[:PREVIEW], snippets.Terms()
    )
