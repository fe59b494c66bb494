"""What the statement gave becomes hits: matches, links, and the parts of a score."""

from collections.abc import Sequence

from graphmem.graph import Row
from graphmem.model import Explanation, Hit, LegPart, LinkPart, Matched, Passage, Via
from graphmem.search.plan import Plan


def hit(row: Row, plan: Plan) -> Hit:
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
            Passage(p["text"].strip(), p["created_at"], p["source"]) for p in row["passages"]
        ),
        created_at=entity["created_at"],
        updated_at=entity["updated_at"],
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
    )


def _explanation(row: Row, links: Sequence[Via], plan: Plan) -> Explanation:
    best = row["via"][0] if row["via"] else None
    rrf = plan.ranking == "rrf"
    legs = "Σ 1/(k + rank)" if rrf else "1 - Π(1 - leg)"
    return Explanation(
        legs=tuple(
            LegPart(leg["leg"], leg["rank"], leg["raw"], leg["evidence"], leg["found"].strip())
            for leg in row["legs"]
        ),
        link=None
        if best is None
        else LinkPart(via=links[0], degree=best["degree"], seed_direct=best["seed_direct"]),
        direct=row["direct"],
        formula=f"direct = {legs}; score = 1 - (1 - direct)(1 - link)",
    )
