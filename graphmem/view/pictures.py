"""Pictures made of answers and of entities; pure, and the same for the same input."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem import text
from graphmem.model import Answer, Entity, Explanation, Hit, Observation, Passage
from graphmem.model.period import holding
from graphmem.model.visible import visible
from graphmem.view.picture import Link, Node, Picture, Role, ShownRelation

# Nodes and links of one picture, so that it moves smoothly and can be read.
LARGEST = 500
MOST_LINKS = 2_000
TEXTS = 6
TEXT_CHARACTERS = 2_000
NOTE_CHARACTERS = 300
# The title of a search without a query.
LISTING = "Last changed"


def of_answer(
    answer: Answer, seeds: Sequence[Node] = (), related: Iterable[ShownRelation] = ()
) -> Picture:
    """Draw a search.

    Args:
        answer: What was found.
        seeds: The entities that `missing_seeds` named, as far as they are there.
        related: Relations between the hits and seeds, those that led to hits included.
    """
    hits = [_hit(place, hit) for place, hit in enumerate(answer.hits, 1)]
    if not answer.query.strip():  # a listing, of which nothing has a score
        hits = [replace(hit, score=None, matched=None) for hit in hits]
    nodes = [*hits, *seeds]
    leading = _leading(answer, {node.key for node in nodes})
    remarks = (*((answer.degraded,) if answer.degraded else ()), *answer.notes)
    links, cut = _links(nodes, leading, related)
    return Picture(
        title=_line(answer.query) or LISTING,
        about="search",
        project=answer.project,
        mode=answer.mode,
        total=answer.total,
        notes=(*map(_line, remarks), *cut),
        nodes=tuple(nodes),
        links=links,
    )


def missing_seeds(answer: Answer) -> list[str]:
    """The keys of entities that lead to hits and are no hits of this answer, sorted."""
    shown = {hit.key for hit in answer.hits}
    seeds = {text.key(hit.project, via.seed) for hit in answer.hits for via in hit.via}
    return sorted(seeds - shown)[: LARGEST - len(shown)]


def of_entity(
    centre: Node,
    neighbours: Sequence[Node],
    related: Iterable[ShownRelation],
    *,
    total: int,
    notes: Sequence[str] = (),
) -> Picture:
    """Draw an entity with its neighbours.

    Args:
        centre: The one in the middle.
        neighbours: Those one relation away that are shown.
        related: Relations between all of them.
        total: How many neighbours the entity has.
        notes: What was left out.
    """
    nodes = [centre, *neighbours]
    links, cut = _links(nodes, {}, related)
    return Picture(
        title=centre.name,
        about="entity",
        project=centre.project,
        total=total,
        notes=(*notes, *cut),
        nodes=tuple(nodes),
        links=links,
    )


def of_one(entity: Entity, role: Role) -> Node:
    """Draw an entity alone; of its texts the first are kept, shortened."""
    own = (entity.text,) if entity.text else ()
    return Node(
        key=entity.key or "",
        name=_line(entity.name),
        kind=_line(entity.kind or ""),
        project=entity.project or "",
        status=_line(entity.status or ""),
        role=role,
        title=_title(entity.title, entity.name),
        tags=tuple(map(_line, entity.tags)),
        texts=_texts((*own, *map(_dated_text, entity.observations))),
        holds=holding(entity.valid_from, entity.valid_until) or None,
    )


def _leading(answer: Answer, shown: set[str]) -> dict[tuple[str, str, str], Link]:
    """The links that led to hits, by start, end and relation."""
    found: dict[tuple[str, str, str], Link] = {}
    for hit in answer.hits:
        stronger = hit.explanation.link if hit.explanation is not None else None
        for via in (*hit.via, *(() if stronger is None else (stronger.via,))):
            seed = text.key(hit.project, via.seed)
            ends = (seed, hit.key) if via.direction == "out" else (hit.key, seed)
            identity = (*ends, via.relation)
            known = found.get(identity)
            if seed in shown and (known is None or known.evidence < via.evidence):
                holds = holding(via.valid_from, via.valid_until) or None
                found[identity] = Link(
                    *identity, via.weight, via.evidence, hit.key, _note(via.note), holds
                )
    return found


def _links(
    nodes: Sequence[Node],
    leading: Mapping[tuple[str, str, str], Link],
    related: Iterable[ShownRelation],
) -> tuple[tuple[Link, ...], list[str]]:
    """Every link once, those that led to hits before the others; and what was left out."""
    shown = {node.key for node in nodes}
    others: dict[tuple[str, str, str], Link] = {}
    for one in sorted(related, key=lambda link: (-link.weight, link.start, link.end)):
        identity = (one.start, one.end, one.relation)
        if {one.start, one.end} <= shown and identity not in leading:
            link = Link(*identity, one.weight, note=_note(one.note), holds=one.holds or None)
            others.setdefault(identity, link)
    room = max(0, MOST_LINKS - len(leading))
    kept = {**leading, **dict(list(others.items())[:room])}
    left = len(others) - room
    notes = [] if left <= 0 else [f"{left} of the weaker relations between them are not shown"]
    ordered = (
        replace(kept[identity], relation=visible(kept[identity].relation))
        for identity in sorted(kept)
    )
    return tuple(ordered), notes


def _hit(place: int, hit: Hit) -> Node:
    return Node(
        key=hit.key,
        name=_line(hit.name),
        kind=_line(hit.kind),
        project=hit.project,
        status=_line(hit.status),
        role="neighbour" if hit.origin == "expanded" else "hit",
        title=_title(hit.title, hit.name),
        place=place,
        score=hit.score,
        tags=tuple(map(_line, hit.tags)),
        matched=hit.matched,
        explanation=_seen(hit),
        texts=_texts(map(_dated_text, hit.passages)),
        holds=holding(hit.valid_from, hit.valid_until) or None,
    )


def _seen(hit: Hit) -> Explanation | None:
    because = hit.explanation
    if because is None:
        return None
    legs = tuple(
        replace(leg, excerpt=_cut(_line(leg.excerpt), NOTE_CHARACTERS)) for leg in because.legs
    )
    link = because.link
    if link is not None:
        via = replace(link.via, seed=_line(link.via.seed), note=_note(link.via.note), attributes={})
        link = replace(link, via=via)
    return replace(because, legs=legs, link=link)


def _dated_text(one: Observation | Passage) -> str:
    """What stands on its own, with when it holds."""
    dated = holding(one.valid_from, one.valid_until)
    return f"{one.text} ({dated})" if dated else one.text


def _texts(texts: Iterable[str]) -> tuple[str, ...]:
    """The first texts, without what no person sees; blank ones are left out."""
    clean = (_cut(visible(one[: 2 * TEXT_CHARACTERS]).strip(), TEXT_CHARACTERS) for one in texts)
    return tuple(one for one, _ in zip((one for one in clean if one), range(TEXTS), strict=False))


def _title(title: str | None, name: str) -> str | None:
    return None if title is None or title == name else _line(title)


def _note(note: str | None) -> str | None:
    return None if not note else _cut(_line(note), NOTE_CHARACTERS)


def _line(words: str) -> str:
    return " ".join(visible(words).split())


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
