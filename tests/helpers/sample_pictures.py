"""Pictures made by hand, for tests of the page."""

from __future__ import annotations

from itertools import pairwise

from graphmem.model.answer import Matched
from graphmem.view import Link, Node, Picture

KINDS = ("Person", "Incident", "Service", "Decision", "Runbook")
# What breaks out of places where text is put carelessly.
HOSTILE = (
    "</script><script>window.broken = 1</script>",
    "<!-- <script>",
    "\u2028window.broken = 2\u2029",
    '"; window.broken = 3; //',
    "<img src=x onerror='window.broken = 4'>",
    "${window.broken = 5}",
    "$picture $$ %s {0}",
    "&lt;b&gt; &amp;",
    "]]>",
    "\ud800 a lone surrogate",
    "причал 港 🚢 \u202eright to left",
)


def made_picture(nodes: int, links: int, *, title: str = "expired certificate") -> Picture:
    """A search that found so many entities with so many relations, the same one every time."""
    return Picture(
        title=title,
        about="search",
        project="p",
        mode="hybrid",
        total=nodes,
        nodes=tuple(_node(number, nodes) for number in range(nodes)),
        links=tuple(_link(number, nodes) for number in range(links)),
    )


def hostile_picture() -> Picture:
    """A search whose every text would break out of a careless page."""
    nodes = tuple(
        Node(
            f"p#{words}", words, words, words, words, "hit", title=f"{words}!", place=place,
            score=0.5, tags=(words,), matched=Matched(0.5, 0, 0, 0), texts=(words, words),
        )
        for place, words in enumerate(HOSTILE, 1)
    )  # fmt: skip
    links = tuple(Link(a.key, b.key, a.name, 1.0, 0.2, b.key, b.name) for a, b in pairwise(nodes))
    return Picture(
        title=" ".join(HOSTILE), about="search", project=HOSTILE[0], total=1, notes=HOSTILE,
        nodes=nodes, links=links,
    )  # fmt: skip


def _node(number: int, of: int) -> Node:
    score = 0.7 * (1 - number / of)
    linked = number % 3 == 2
    return Node(
        key=f"p#{number}",
        name=f"Entity {number}",
        kind=KINDS[number % len(KINDS)],
        project="p",
        status="active",
        role="neighbour" if linked else "hit",
        place=number + 1,
        score=score,
        matched=Matched(0, 0, 0, score) if linked else Matched(score, 0, 0, 0),
        texts=(f"The text of entity {number}.",),
    )


def _link(number: int, nodes: int) -> Link:
    start = number % nodes
    end = (start + 1 + (number // nodes) * 7) % nodes
    leads = (0.3, f"p#{end}") if number % 3 == 0 else (0.0, None)
    return Link(f"p#{start}", f"p#{end}", "DEPENDS_ON", 1.0, *leads)
