"""Why a hit has its score: its parts, and the formula with the numbers put in."""

import math

from rich.text import Text

from graphmem.cli.output import TextOutput
from graphmem.model import Explanation, Hit, LegPart, LinkPart
from graphmem.model.visible import visible

FOUND_CHARACTERS = 60
LEG = 8
SHARES = 4
COLOURS = {"text": "blue", "vector": "cyan", "name": "yellow", "link": "magenta"}
RAW = {"text": "BM25 score", "vector": "cosine", "name": "name in the query"}


def write(hit: Hit, out: TextOutput, *, indent: int) -> None:
    """Write the parts of a hit's score, a line each, then the sum that they make.

    On a terminal each has a bar from 0 to 1: one look shows which leg or link gave what.
    """
    because = hit.explanation
    if because is None:
        return
    for part in sorted(because.legs, key=lambda one: -one.evidence):
        _part(part.leg, part.evidence, _leg(part, because), out, indent)
    if because.link is not None:
        _part("link", hit.matched.link, _link(because.link), out, indent)
    direct, link, score = (_number(one) for one in (because.direct, hit.matched.link, hit.score))
    _part("direct", because.direct, _direct(because), out, indent)
    total = f"1 - (1 - {direct}) x (1 - {link}) = {score}"
    _part("score", hit.score, total, out, indent)
    if because.reranked is not None:
        order = f"{_number(because.reranked)}: the reranker's score, which decides the order"
        _part("order", None, order, out, indent)


def _part(name: str, value: float | None, words: Text | str, out: TextOutput, indent: int) -> None:
    """One part: its name, on a terminal a bar of its value, and how it came about."""
    colour = COLOURS.get(name, "green")
    head = Text.assemble(" " * indent, (name.ljust(LEG), colour))
    bar = out.bar(value or 0.0, style=colour)
    out.write(words, indent=indent + LEG + bar.cell_len, head=head.append_text(bar))


def _leg(part: LegPart, because: Explanation) -> Text:
    rrf_k = because.rrf_k
    found = " ".join(visible(part.excerpt).split())
    if len(found) > FOUND_CHARACTERS:
        found = f"{found[: FOUND_CHARACTERS - 1].rstrip()}…"
    raw = RAW[part.leg] if part.leg == "name" else f"{RAW[part.leg]} {part.raw:.4g}"
    if part.leg == "vector" and because.cosines is not None:
        low, high = because.cosines
        raw += f" between {low:.2g} and {high:.2g}"
    given = _number(part.evidence) if rrf_k is None else _reciprocal(part, rrf_k)
    line = Text(f"{given}: rank {part.rank}, {raw}")
    return line.append(f"  “{found}”", "dim") if found else line


def _link(part: LinkPart) -> str:
    way = "from" if part.via.direction == "out" else "to"
    confidence = part.via.confidence
    trusted = "" if confidence is None else f" x confidence {confidence:g}"
    best = (
        f"{_number(part.via.evidence)}: {part.via.relation} {way} {visible(part.via.seed)}, "
        f"{part.link_factor:g} x weight {part.via.weight:g}{trusted} x direct "
        f"{_number(part.seed_direct)}^{part.seed_exponent:g} / "
        f"({part.seed_relations} there^{part.seed_damping:g} x "
        f"{part.neighbour_relations} here^{part.neighbour_damping:g})"
    )
    if len(part.shares) == 1:
        return best
    others = part.shares[1:]
    shown = ", ".join(map(_number, others[:SHARES]))
    rest = f" and {len(others) - SHARES} smaller" if len(others) > SHARES else ""
    together = _number(1 - math.prod(1 - share for share in part.shares))
    return (
        f"{best}; and {len(others)} more seed{'s' if len(others) > 1 else ''}: {shown}{rest}; "
        f"together 1 - Π(1 - share) = {together}, {_number(part.ceiling)} at most"
    )


def _direct(explanation: Explanation) -> str:
    total = _number(explanation.direct)
    if not explanation.legs:
        return "0: no index found it directly"
    if explanation.rrf_k is not None:
        parts = [_reciprocal(part, explanation.rrf_k) for part in explanation.legs]
        return f"{' + '.join(parts)} = {total}"
    rest = " x ".join(f"(1 - {_number(part.evidence)})" for part in explanation.legs)
    return f"1 - {rest} = {total}"


def _reciprocal(part: LegPart, rrf_k: float) -> str:
    return f"1/({rrf_k:g} + {part.rank})"


def _number(value: float) -> str:
    return f"{value:.4f}"
