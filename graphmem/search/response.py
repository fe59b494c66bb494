"""Turns the rows of a search into an answer: hits, links, and the parts of a score."""

from collections.abc import Sequence
from dataclasses import replace

from graphmem import lucene, snippets
from graphmem.errors import quantity
from graphmem.graph import Row
from graphmem.model import (
    Answer,
    Explanation,
    Hit,
    LegPart,
    LinkPart,
    Matched,
    Passage,
    Via,
    stored_values,
)
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.relation_fields import RESERVED_RELATION_ATTRIBUTES
from graphmem.model.status import ACTIVE
from graphmem.search import cursor as cursors
from graphmem.search.code.lines import note_on_lines
from graphmem.search.literal_names import FILTERS, similar_field
from graphmem.search.plan import After, Plan
from graphmem.search.request import SearchRequest
from graphmem.search.two_passes import SECOND_PASS

CHANGED = "the results have changed since the previous page; search again to be sure"
WIDENED = (
    "the filters left too few of the candidates, so more were ranked for this page; its first hits "
    "rank above the last ones of the page before"
)
# What an entity has that was not matched by anything.
NOTHING = Matched(text=0.0, vector=0.0, name=0.0, link=0.0)


def response(
    request: SearchRequest,
    rows: Sequence[Row],
    *,
    degraded: str | None,
    took_ms: dict[str, float],
) -> Answer:
    """Make an answer of the rows of a search's statement, one even where nothing is found.

    What somebody deletes while the statement runs has no properties at its end, and is left out.
    """
    query, plan = request.query, request.plan
    first_row = rows[0] if rows else None
    entity_rows = [
        row for row in rows if row["entity"] is not None and row["entity"]["name"] is not None
    ]
    terms = snippets.terms_of(query, plan.languages, prefixes=plan.prefixes)
    return Answer(
        query=request.text,
        project=request.filters.projects[0],
        projects=request.filters.several,
        mode=plan.mode,
        hits=tuple(hit(row, request, terms) for row in entity_rows),
        total=first_row["total"] if first_row else 0,
        total_exact=not (first_row and first_row["truncated_legs"]),
        degraded=degraded,
        took_ms=took_ms,
        notes=(*query.notes, *_line_notes(request), *_notes(query, first_row, plan)),
        cursor=_cursor(request, rows),
    )


def _line_notes(request: SearchRequest) -> list[str]:
    """For a first page: notes on the lines of code that the query names."""
    if request.plan.after is not None:
        return []
    notes = [note_on_lines(request.lines)] if request.lines else []
    return [*notes, *filter(None, [request.line_note])]


def _field_notes(query: lucene.Query, *, is_empty: bool) -> list[str]:
    """Notes on words with a colon: what no query finds, and, without hits, attributes."""
    names = [] if query.tree is None else list(dict.fromkeys(lucene.attributes(query.tree)))
    notes = [
        f"`{name}:` cannot be used in a query; filter with `{FILTERS[name.casefold()]}`"
        for name in names
        if name.casefold() in FILTERS
    ]
    if not is_empty:
        return notes
    return notes + [_attribute_note(name) for name in names if name.casefold() not in FILTERS]


def _attribute_note(name: str) -> str:
    note = f"`{name}:` searches an attribute; quote it to search for the literal text"
    similar = similar_field(name)
    return f"{note}, or write `{similar}:` if that field is meant" if similar else note


def _notes(query: lucene.Query, first_row: Row | None, plan: Plan) -> list[str]:
    if first_row is None:
        return []
    notes = _field_notes(query, is_empty=not first_row["total"])
    if query.strict and plan.mode == "semantic":
        notes.append("a semantic search ignores operators")
    if skipped := first_row["skipped_relations"]:
        were_skipped = quantity(
            skipped,
            "relation of a highly connected entity was",
            "relations of highly connected entities were",
        )
        notes.append(f"{were_skipped} not followed")
    if first_row["moved"]:
        notes.append(CHANGED)
    if plan.after and not plan.after.second_pass and _ranks_above(first_row, plan.after):
        notes.append(WIDENED)
    if first_row["truncated_legs"] and (
        first_row["remaining"] <= plan.limit or plan.sort != "score"
    ):
        notes.append("more entities may match than were ranked; narrow the search to see them")
    return notes


def _ranks_above(row: Row, after: After) -> bool:
    """Whether a row's hit would have come before the end of an earlier page."""
    if row["entity"] is None:
        return False
    place = (row["sort_value"], row["sort_name"], row["entity"]["key"])
    return place < (after.sort_value, after.sort_name, after.key)


def _cursor(request: SearchRequest, rows: Sequence[Row]) -> str | None:
    """Where the next page begins: behind the last row, also where that is deleted by now."""
    if not rows or rows[0]["remaining"] <= len(rows):
        return None
    last_row = rows[-1]
    rank = last_row["total"] - last_row["remaining"] + len(rows)
    position = After(
        sort_value=last_row["sort_value"],
        sort_name=last_row["sort_name"],
        key=last_row["entity"]["key"],
        seen=rank,
        second_pass=last_row.get(SECOND_PASS),
    )
    return cursors.encode(request.text, request.filters, request.plan, position)


def hit(row: Row, request: SearchRequest, terms: snippets.Terms) -> Hit:
    """Make a hit of a row; links from what was deleted meanwhile are left out of it."""
    plan = request.plan
    evidence = {leg["leg"]: leg["evidence"] for leg in row["legs"]}
    rows = [link for link in row["via"] if link["seed"] is not None]
    links = tuple(map(_via, rows))
    is_expanded = not row["legs"]
    return replace(
        entity_hit(row["entity"]),
        score=row["score"],
        origin="expanded" if is_expanded else "direct",
        matched=Matched(
            text=evidence.get("text", 0.0),
            vector=evidence.get("vector", 0.0),
            name=evidence.get("name", 0.0),
            link=row["link"],
        ),
        via=tuple(link for link in links if is_expanded or _says_more(link, row, plan)),
        passages=tuple(
            replace(
                passage,
                snippet=snippets.snippet(passage.text, terms, highlight=plan.highlight),
                marked=snippets.marked(passage.text, terms) if plan.highlight else "",
            )
            for passage in passages_of(row["passages"])
        ),
        explanation=_explanation(row, rows, request) if plan.explain else None,
    )


def _says_more(link: Via, row: Row, plan: Plan) -> bool:
    """Whether a link to a direct hit says more than its own matches, as links add to a score."""
    return plan.ranking == "evidence" and link.evidence > row["direct"]


def entity_hit(entity: Row) -> Hit:
    """A direct hit with what a row says of an entity: no match, no link and no passage.

    Its dates come as texts, since the server's own type takes the driver ten times as long.
    """
    return Hit(
        key=entity["key"],
        name=str(entity["name"]),
        title=stored_values.optional_text(entity["title"]),
        kind=stored_values.optional_text(entity["kind"]) or DEFAULT_KIND,
        project=entity["project"],
        status=stored_values.optional_text(entity["status"]) or ACTIVE,
        tags=tuple(stored_values.texts(entity["tags"])),
        score=0.0,
        origin="direct",
        matched=NOTHING,
        via=(),
        passages=(),
        created_at=stored_values.moment(entity["created_at"]),
        updated_at=stored_values.moment(entity["updated_at"]),
        valid_from=stored_values.bound(entity["valid_from"]),
        valid_until=stored_values.bound(entity["valid_until"]),
        lines=_lines(entity["lines"]),
    )


def _lines(numbers: Sequence[object]) -> str | None:
    """The first and the last line of code, `42-58`; None where either is no number."""
    return "{}-{}".format(*numbers) if all(isinstance(number, int) for number in numbers) else None


def passages_of(rows: Sequence[Row]) -> tuple[Passage, ...]:
    """Passages without space around their texts; what was deleted meanwhile has none."""
    return tuple(
        Passage(
            str(row["text"]).strip(),
            stored_values.moment(row["created_at"]),
            stored_values.optional_text(row["source"]),
            valid_from=stored_values.bound(row["valid_from"]),
            valid_until=stored_values.bound(row["valid_until"]),
        )
        for row in rows
        if row["text"] is not None
    )


def _via(link: Row) -> Via:
    properties = dict(link["properties"])
    return Via(
        seed=str(link["seed"]),
        seed_key=link["seed_key"],
        relation=link["relation"],
        direction="out" if link["outgoing"] else "in",
        note=stored_values.optional_text(properties.get("note")),
        weight=link["weight"],
        evidence=link["evidence"],
        confidence=stored_values.share(properties.get("confidence")),
        valid_from=stored_values.bound(properties.get("valid_from")),
        valid_until=stored_values.bound(properties.get("valid_until")),
        attributes={
            name: value
            for name, value in sorted(properties.items())
            if name not in RESERVED_RELATION_ATTRIBUTES
        },
    )


def _explanation(row: Row, links: Sequence[Row], request: SearchRequest) -> Explanation:
    plan, weights = request.plan, request.weights
    rrf = plan.ranking == "rrf"
    low, high = weights.cosine_low, weights.cosine_high
    by_vector = any(leg["leg"] == "vector" for leg in row["legs"])
    strongest_link = links[0] if links and not (rrf and row["legs"]) else None
    legs = "Σ 1/(k + rank)" if rrf else "1 - Π(1 - leg)"
    return Explanation(
        legs=tuple(
            LegPart(leg["leg"], leg["rank"], leg["raw"], leg["evidence"], leg["excerpt"].strip())
            for leg in row["legs"]
        ),
        link=None
        if strongest_link is None
        else LinkPart(
            via=_via(strongest_link),
            link_factor=weights.link,
            seed_direct=strongest_link["seed_direct"],
            seed_exponent=weights.seed_exponent,
            seed_relations=strongest_link["seed_relations"],
            seed_damping=weights.seed_damping,
            neighbour_relations=strongest_link["neighbour_relations"],
            neighbour_damping=weights.neighbour_damping,
            shares=tuple(row["shares"]),
            ceiling=row["ceiling"],
        ),
        direct=row["direct"],
        formula=(
            f"direct = {legs}; link = min(1 - Π(1 - share), ceiling); "
            "score = 1 - (1 - direct)(1 - link)"
        ),
        rrf_k=plan.rrf_k if rrf else None,
        word_weights={} if request.strict else request.frequent_words,
        cosines=(low, high) if by_vector and low is not None and high is not None else None,
    )
