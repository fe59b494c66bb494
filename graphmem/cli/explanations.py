"""Why a hit has its score: its parts, and the formula with the numbers put in."""

from rich.text import Text

from graphmem.cli.output import Paper, visible
from graphmem.model import Explanation, Hit, LegPart, LinkPart
from graphmem.model.answer import Ranking
from graphmem.search import Plan, Weights

FOUND_CHARACTERS = 60
LEG = 8
SHARES = 5
RAW = {"text": "BM25 score", "vector": "cosine", "name": "name in the query"}


def write(hit: Hit, ranking: Ranking, paper: Paper, *, indent: int) -> None:
    """Write the parts of a hit's score, a line each, then the sum that they make."""
    because = hit.explanation
    if because is None:
        return
    inner = indent + LEG
    for part in sorted(because.legs, key=lambda one: -one.evidence):
        paper.write(_leg(part, ranking), indent=inner, head=_head(part.leg, indent))
    if because.link is not None:
        paper.write(_link(because.link), indent=inner, head=_head("link", indent))
    direct, link, score = (_number(one) for one in (because.direct, hit.matched.link, hit.score))
    paper.write(_direct(because, ranking), indent=inner, head=_head("direct", indent))
    total = f"1 - (1 - {direct}) x (1 - {link}) = {score}"
    paper.write(total, indent=inner, head=_head("score", indent))


def _head(name: str, indent: int) -> Text:
    return Text.assemble(" " * indent, (name, "green"))


def _leg(part: LegPart, ranking: Ranking) -> Text:
    found = " ".join(visible(part.found).split())
    if len(found) > FOUND_CHARACTERS:
        found = f"{found[: FOUND_CHARACTERS - 1].rstrip()}…"
    raw = RAW[part.leg] if part.leg == "name" else f"{RAW[part.leg]} {part.raw:.4g}"
    given = _reciprocal(part) if ranking == "rrf" else _number(part.evidence)
    return Text.assemble(f"{given}: rank {part.rank}, {raw}  ", (f"“{found}”", "dim"))


def _link(part: LinkPart) -> str:
    weights = Weights()
    way = "from" if part.via.direction == "out" else "to"
    relations = "relation" if part.degree == 1 else "relations"
    best = (
        f"{_number(part.via.evidence)}: {part.via.relation} {way} {visible(part.via.seed)}, "
        f"{weights.link:g} x weight {part.via.weight:g} x direct {_number(part.seed_direct)} / "
        f"({part.degree} {relations})^{weights.damping:g}"
    )
    if len(part.shares) == 1:
        return best
    others = " x ".join(f"(1 - {_number(share)})" for share in part.shares[1:SHARES])
    more = f" and {len(part.shares) - SHARES} more" if len(part.shares) > SHARES else ""
    together = f"1 - (1 - first) x {others}{more}"
    return f"{best}; with other seeds {together}, {_number(part.ceiling)} at most"


def _direct(explanation: Explanation, ranking: Ranking) -> str:
    total = _number(explanation.direct)
    if not explanation.legs:
        return "0: no leg found it"
    if ranking == "rrf":
        return f"{' + '.join(_reciprocal(part) for part in explanation.legs)} = {total}"
    rest = " x ".join(f"(1 - {_number(part.evidence)})" for part in explanation.legs)
    return f"1 - {rest} = {total}"


def _reciprocal(part: LegPart) -> str:
    return f"1/({Plan().rrf_k:g} + {part.rank})"


def _number(value: float) -> str:
    return f"{value:.4f}"
