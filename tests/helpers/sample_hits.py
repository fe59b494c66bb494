"""Hits made by hand, for what is shown of an answer."""

from datetime import datetime

from graphmem.model import Explanation, Hit, Matched, Passage, Via


def made_hit(
    name: str,
    *passages: Passage,
    score: float = 0.5,
    links: tuple[Via, ...] = (),
    title: str | None = None,
    kind: str = "Decision",
    project: str = "p",
    status: str = "active",
    at: datetime | None = None,
    because: Explanation | None = None,
) -> Hit:
    """A hit of the text leg alone; one with links is a neighbour."""
    return Hit(
        key=f"{project}#{name}", name=name, title=title, kind=kind, project=project, status=status,
        tags=(), score=score, origin="expanded" if links else "direct",
        matched=Matched(score, 0.0, 0.0, 0.0), via=links, passages=passages,
        created_at=at, updated_at=at, explanation=because,
    )  # fmt: skip
