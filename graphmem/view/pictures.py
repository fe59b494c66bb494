"""Pictures made of answers and of entities; pure, and the same for the same input."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from graphmem import text
from graphmem.model import Answer, Entity, Explanation, Hit, Observation, Passage, Via
from graphmem.model.period import validity
from graphmem.model.visible import visible, visible_line
from graphmem.view.picture import Link, Node, Picture, Role, ShownIdentity, ShownRelation

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
    leading_links = _leading_links(answer, {node.key for node in nodes})
    remarks = (*((answer.degraded,) if answer.degraded else ()), *answer.notes)
    links, omission_notes = _links(nodes, leading_links, related)
    return Picture(
        title=visible_line(answer.query) or LISTING,
        about="search",
        project=answer.project,
        mode=answer.mode,
        total=answer.total,
        total_exact=answer.total_exact,
        notes=(*map(visible_line, remarks), *omission_notes),
        nodes=tuple(nodes),
        links=links,
    )


def missing_seeds(answer: Answer) -> list[str]:
    """The keys of entities that lead to hits and are no hits of this answer, sorted."""
    hit_keys = {hit.key for hit in answer.hits}
    seeds = {_seed_key(hit, via) for hit in answer.hits for via in hit.via}
    return sorted(seeds - hit_keys)[: LARGEST - len(hit_keys)]


def of_entity(
    centre: Node,
    neighbours: Sequence[Node],
    related: Iterable[ShownRelation],
    *,
    total: int,
    notes: Sequence[str],
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
    links, omission_notes = _links(nodes, {}, related)
    return Picture(
        title=centre.name,
        about="entity",
        project=centre.project,
        total=total,
        notes=(*notes, *omission_notes),
        nodes=tuple(nodes),
        links=links,
    )


def entity_node(entity: Entity, role: Role) -> Node:
    """Draw an entity alone; of its texts the first are kept, shortened."""
    entity_texts = (entity.text,) if entity.text else ()
    return Node(
        key=entity.key or "",
        name=visible_line(entity.name),
        kind=visible_line(entity.kind or ""),
        project=entity.project or "",
        status=visible_line(entity.status or ""),
        role=role,
        title=_title(entity.title, entity.name),
        tags=tuple(map(visible_line, entity.tags)),
        texts=_texts((*entity_texts, *map(_dated_text, entity.observations))),
        validity=validity(entity.valid_from, entity.valid_until) or None,
    )


def _seed_key(hit: Hit, via: Via) -> str:
    """The key of the entity a link comes from; one that was renamed keeps its first one."""
    return via.seed_key or text.key(hit.project, via.seed)


def _leading_links(answer: Answer, node_keys: set[str]) -> dict[ShownIdentity, Link]:
    """The links that led to hits."""
    links: dict[ShownIdentity, Link] = {}
    for hit in answer.hits:
        strongest_link = hit.explanation.link if hit.explanation is not None else None
        for via in (*hit.via, *(() if strongest_link is None else (strongest_link.via,))):
            seed = _seed_key(hit, via)
            ends = (seed, hit.key) if via.direction == "out" else (hit.key, seed)
            dated = validity(via.valid_from, via.valid_until)
            identity = (*ends, via.relation, dated)
            earlier = links.get(identity)
            if seed in node_keys and (earlier is None or earlier.evidence < via.evidence):
                links[identity] = Link(
                    *ends,
                    via.relation,
                    via.weight,
                    via.evidence,
                    hit.key,
                    _note(via.note),
                    dated or None,
                )
    return links


def _links(
    nodes: Sequence[Node],
    leading: Mapping[ShownIdentity, Link],
    related: Iterable[ShownRelation],
) -> tuple[tuple[Link, ...], list[str]]:
    """Every link once, those that led to hits before the others; and what was left out."""
    node_keys = {node.key for node in nodes}
    other_links: dict[ShownIdentity, Link] = {}
    for relation in sorted(related, key=lambda link: (-link.weight, link.start, link.end)):
        identity = relation.identity
        if {relation.start, relation.end} <= node_keys and identity not in leading:
            link = Link(
                relation.start,
                relation.end,
                relation.relation,
                relation.weight,
                note=_note(relation.note),
                validity=relation.validity or None,
            )
            other_links.setdefault(identity, link)
    room = max(0, MOST_LINKS - len(leading))
    shown_links = {**leading, **dict(list(other_links.items())[:room])}
    omitted = len(other_links) - room
    are = "is" if omitted == 1 else "are"
    note = f"{omitted:,} of the weaker relations between them {are} not shown"
    notes = [note] if omitted > 0 else []
    in_order = (
        replace(shown_links[identity], relation=visible(shown_links[identity].relation))
        for identity in sorted(shown_links)
    )
    return tuple(in_order), notes


def _hit(place: int, hit: Hit) -> Node:
    return Node(
        key=hit.key,
        name=visible_line(hit.name),
        kind=visible_line(hit.kind),
        project=hit.project,
        status=visible_line(hit.status),
        role="neighbour" if hit.origin == "expanded" else "hit",
        title=_title(hit.title, hit.name),
        place=place,
        score=hit.score,
        tags=tuple(map(visible_line, hit.tags)),
        matched=hit.matched,
        explanation=_visible_explanation(hit),
        texts=_texts(map(_dated_text, hit.passages)),
        validity=validity(hit.valid_from, hit.valid_until) or None,
    )


def _visible_explanation(hit: Hit) -> Explanation | None:
    explanation = hit.explanation
    if explanation is None:
        return None
    legs = tuple(
        replace(leg, excerpt=_shorten(visible_line(leg.excerpt), NOTE_CHARACTERS))
        for leg in explanation.legs
    )
    link = explanation.link
    if link is not None:
        via = replace(
            link.via, seed=visible_line(link.via.seed), note=_note(link.via.note), attributes={}
        )
        link = replace(link, via=via)
    return replace(explanation, legs=legs, link=link)


def _dated_text(passage: Observation | Passage) -> str:
    """The text of an observation or passage, with when it is valid."""
    dates = validity(passage.valid_from, passage.valid_until)
    return f"{passage.text} ({dates})" if dates else passage.text


def _texts(texts: Iterable[str]) -> tuple[str, ...]:
    """The first texts, without what no person sees; blank ones are left out."""
    visible_texts = (visible(content[: 2 * TEXT_CHARACTERS]).strip() for content in texts)
    first_texts = islice(filter(None, visible_texts), TEXTS)
    return tuple(_shorten(content, TEXT_CHARACTERS) for content in first_texts)


def _title(title: str | None, name: str) -> str | None:
    return None if title is None or title == name else visible_line(title)


def _note(note: str | None) -> str | None:
    return None if not note else _shorten(visible_line(note), NOTE_CHARACTERS)


def _shorten(words: str, limit: int) -> str:
    return words if len(words) <= limit else f"{words[: limit - 1].rstrip()}…"
