"""What the statement gave becomes hits: matches, links, and the parts of a score."""

from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem import lucene, snippets
from graphmem.graph import Row
from graphmem.model import Answer, Explanation, Hit, LegPart, LinkPart, Matched, Passage, Via
from graphmem.search import cursor as cursors
from graphmem.search.plan import After, Filters, Plan


def answer(
    query: str,
    asked: lucene.Query,
    rows: Sequence[Row],
    filters: Filters,
    plan: Plan,
    *,
    degraded: str | None,
    took_ms: dict[str, float],
) -> Answer:
    """Make an answer of the rows of `read/search`, one even where nothing is found."""
    first = rows[0] if rows else None
    rows = [row for row in rows if row["entity"] is not None]
    marks = snippets.marks_of(asked, plan.languages, prefixes=plan.prefixes)
    return Answer(
        query=query,
        project=filters.projects[0],
        mode=plan.mode,
        hits=tuple(hit(row, plan, marks) for row in rows),
        total=first["total"] if first else 0,
        total_exact=not (first and first["full"]),
        degraded=degraded,
        took_ms=took_ms,
        notes=(*asked.notes, *_notes(asked, first, plan)),
        cursor=_cursor(query, rows, filters, plan),
    )


def _unknown(asked: lucene.Query) -> list[str]:
    """Where nothing was found: that a colon may not have been meant as it was read."""
    names = [] if asked.tree is None else lucene.attributes(asked.tree)
    return [
        f"`{name}:` searches an attribute; quote it to search for the literal text"
        for name in dict.fromkeys(names)
    ]


def _notes(asked: lucene.Query, first: Row | None, plan: Plan) -> list[str]:
    if first is None:
        return []
    notes = [] if first["total"] else _unknown(asked)
    if asked.strict and plan.mode == "semantic":
        notes.append("a semantic search ignores operators")
    if first["cut"]:
        notes.append(f"{first['cut']} relations of highly connected entities were not followed")
    if first["moved"]:
        notes.append("the results have changed since the previous page; search again to be sure")
    if first["full"] and (first["left"] <= plan.limit or plan.sort != "score"):
        notes.append("more entities may match than were ranked; narrow the search to see them")
    return notes


def _moment(written: str | None) -> datetime | None:
    """Read what the server wrote; its own type takes the driver ten times as long."""
    return datetime.fromisoformat(written).astimezone(UTC) if written else None


def _cursor(query: str, rows: Sequence[Row], filters: Filters, plan: Plan) -> str | None:
    if not rows or rows[0]["left"] <= len(rows):
        return None
    last = rows[-1]
    seen = last["total"] - last["left"] + len(rows)
    after = After(last["place"], last["place_name"], last["entity"]["key"], seen)
    return cursors.written(query, filters, plan, after)


def hit(row: Row, plan: Plan, marks: snippets.Marks) -> Hit:
    """Make a hit of a row of `read/search`."""
    entity = row["entity"]
    evidence = {leg["leg"]: leg["evidence"] for leg in row["legs"]}
    links = tuple(_via(link) for link in row["via"])
    return Hit(
        key=entity["key"],
        name=entity["name"],
        title=entity["title"],
        kind=entity["kind"],
        project=entity["project"],
        status=entity["status"],
        tags=tuple(entity["tags"] or ()),
        score=row["score"],
        origin="direct" if row["legs"] else "expanded",
        matched=Matched(
            text=evidence.get("text", 0.0),
            vector=evidence.get("vector", 0.0),
            name=evidence.get("name", 0.0),
            link=row["link"],
        ),
        via=() if row["legs"] else links,
        passages=tuple(
            Passage(
                p["text"].strip(),
                _moment(p["created_at"]),
                p["source"],
                snippet=snippets.snippet(p["text"], marks, highlight=plan.highlight),
                marked=snippets.marked(p["text"].strip(), marks) if plan.highlight else "",
            )
            for p in row["passages"]
        ),
        created_at=_moment(entity["created_at"]),
        updated_at=_moment(entity["updated_at"]),
        explanation=_explanation(row, links, plan) if plan.explain else None,
    )


def _via(link: Row) -> Via:
    return Via(
        seed=link["seed"],
        relation=link["relation"],
        direction="out" if link["outgoing"] else "in",
        note=link["note"],
        weight=link["weight"],
        evidence=link["evidence"],
        confidence=link["confidence"],
        attributes=dict(sorted(link["attributes"])),
    )


def _explanation(row: Row, links: Sequence[Via], plan: Plan) -> Explanation:
    rrf = plan.ranking == "rrf"
    best = row["via"][0] if row["via"] and not (rrf and row["legs"]) else None
    legs = "Σ 1/(k + rank)" if rrf else "1 - Π(1 - leg)"
    return Explanation(
        legs=tuple(
            LegPart(leg["leg"], leg["rank"], leg["raw"], leg["evidence"], leg["found"].strip())
            for leg in row["legs"]
        ),
        link=None
        if best is None
        else LinkPart(
            via=links[0],
            link_factor=plan.weights.link,
            damping=plan.weights.damping,
            degree=best["degree"],
            seed_direct=best["seed_direct"],
            shares=tuple(row["shares"]),
            ceiling=row["ceiling"],
        ),
        direct=row["direct"],
        formula=(
            f"direct = {legs}; link = min(1 - Π(1 - share), ceiling); "
            "score = 1 - (1 - direct)(1 - link)"
        ),
        rrf_k=plan.rrf_k if rrf else None,
    )
