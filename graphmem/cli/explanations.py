"""Why a hit has its score: its parts, and the formula with the numbers put in."""

import math
from collections.abc import Mapping

from rich.text import Text

from graphmem.cli.output import TextOutput
from graphmem.cli.relation_lines import arrow_and_preposition
from graphmem.model import Explanation, Hit, LegPart, LinkPart
from graphmem.model.visible import visible, visible_line

EXCERPT_CHARACTERS = 60
LEG = 8
SHARES = 4
COLOURS = {"text": "blue", "vector": "cyan", "name": "yellow", "link": "magenta"}
RAW = {"text": "BM25 score", "vector": "cosine", "name": "name in the query"}


def write(hit: Hit, out: TextOutput, *, indent: int) -> None:
    """Write the parts of a hit's score, a line each, then the sum that they make.

    On a terminal each has a bar from 0 to 1: one look shows which leg or link gave what.
    """
    explanation = hit.explanation
    if explanation is None:
        return
    for leg_part in sorted(explanation.legs, key=lambda leg: -leg.evidence):
        _write_part(leg_part.leg, leg_part.evidence, _leg(leg_part, explanation), out, indent)
    if explanation.link is not None:
        _write_part("link", hit.matched.link, _link(explanation.link), out, indent)
    direct, link, score = (
        _number(value) for value in (explanation.direct, hit.matched.link, hit.score)
    )
    _write_part("direct", explanation.direct, _direct(explanation), out, indent)
    total = f"1 - (1 - {direct}) x (1 - {link}) = {score}"
    _write_part("score", hit.score, total, out, indent)
    if explanation.reranked is not None:
        order = f"{_number(explanation.reranked)}: the reranker's score, which decides the order"
        _write_part("order", None, order, out, indent)


def _write_part(
    name: str, value: float | None, words: Text | str, out: TextOutput, indent: int
) -> None:
    """One part: its name, on a terminal a bar of its value, and how it came about."""
    colour = COLOURS.get(name, "green")
    head = Text.assemble(" " * indent, (name.ljust(LEG), colour))
    bar = out.bar(value or 0.0, style=colour)
    out.write(words, indent=indent + LEG + bar.cell_len, head=head.append_text(bar))


def _leg(part: LegPart, explanation: Explanation) -> Text:
    rrf_k = explanation.rrf_k
    excerpt = visible_line(part.excerpt)
    if len(excerpt) > EXCERPT_CHARACTERS:
        excerpt = f"{excerpt[: EXCERPT_CHARACTERS - 1].rstrip()}…"
    measure = RAW[part.leg] if part.leg == "name" else f"{RAW[part.leg]} {part.raw:.4g}"
    if part.leg == "vector" and explanation.cosines is not None:
        low, high = explanation.cosines
        measure += f" between {low:.2g} and {high:.2g}"
    if part.leg == "text" and explanation.word_weights:
        measure += f", where {_word_weights(explanation.word_weights)}"
    contribution = _number(part.evidence) if rrf_k is None else _reciprocal(part, rrf_k)
    line = Text(f"{contribution}: rank {part.rank}, {measure}")
    return line.append(f"  “{excerpt}”", "dim") if excerpt else line


def _word_weights(word_weights: Mapping[str, float]) -> str:
    """Such as `caroline counts 0.21, since these projects repeat it`."""
    weights = [f"{visible(word)} counts {weight:.2g}" for word, weight in word_weights.items()]
    pronoun = "it" if len(weights) == 1 else "them"
    return f"{', '.join(weights)}, since these projects repeat {pronoun}"


def _link(part: LinkPart) -> str:
    _, preposition = arrow_and_preposition(part.via.direction, seen_from="named")
    confidence = part.via.confidence
    confidence_factor = "" if confidence is None else f" x confidence {confidence:g}"
    strongest = (
        f"{_number(part.via.evidence)}: {part.via.relation} {preposition} "
        f"{visible(part.via.seed)}, {part.link_factor:g} x weight {part.via.weight:g}"
        f"{confidence_factor} x direct "
        f"{_number(part.seed_direct)}^{part.seed_exponent:g} / "
        f"({part.seed_relations} there^{part.seed_damping:g} x "
        f"{part.neighbour_relations} here^{part.neighbour_damping:g})"
    )
    if len(part.shares) == 1:
        return strongest
    weaker_shares = part.shares[1:]
    numbers = ", ".join(map(_number, weaker_shares[:SHARES]))
    omission = f" and {len(weaker_shares) - SHARES} smaller" if len(weaker_shares) > SHARES else ""
    total = _number(1 - math.prod(1 - share for share in part.shares))
    return (
        f"{strongest}; and {len(weaker_shares)} more "
        f"seed{'s' if len(weaker_shares) > 1 else ''}: {numbers}{omission}; "
        f"together 1 - Π(1 - share) = {total}, {_number(part.ceiling)} at most"
    )


def _direct(explanation: Explanation) -> str:
    total = _number(explanation.direct)
    if not explanation.legs:
        return "0: no index found it directly"
    if explanation.rrf_k is not None:
        parts = [_reciprocal(part, explanation.rrf_k) for part in explanation.legs]
        return f"{' + '.join(parts)} = {total}"
    factors = " x ".join(f"(1 - {_number(part.evidence)})" for part in explanation.legs)
    return f"1 - {factors} = {total}"


def _reciprocal(part: LegPart, rrf_k: float) -> str:
    return f"1/({rrf_k:g} + {part.rank})"


def _number(value: float) -> str:
    return f"{value:.4f}"
