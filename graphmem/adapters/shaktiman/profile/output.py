"""Symbols as lines of text: where each stands, its score, what led to it, its source.

As in a context, stored text is told from graphmem's own lines by its place: what stands in a line
is one line whatever was stored, and every line of a source begins with `> `.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from graphmem.errors import quantity
from graphmem.model import Answer, Hit, Via
from graphmem.model.visible import visible
from graphmem.packing import one_line, quote_lines
from graphmem.text import SYMBOL_MARK

if TYPE_CHECKING:
    from graphmem.adapters.shaktiman.profile.search import Result, Symbol

# The most that the first line of a context takes of its budget, and a note of a link of a line.
SUMMARY_TOKENS = 48
# The most that a path, a name or a relation type takes of a line.
NAME_TOKENS = 160
KINDS = {
    "File": "file",
    "Function": "function",
    "Macro": "function",
    "Method": "method",
    "Class": "class",
    "Struct": "type",
    "Interface": "type",
    "Trait": "type",
    "Enum": "type",
    "Type": "type",
}


def summary_line(result: "Result", *, tokens: int | None = None) -> str:
    """The first line: how many results, and what the answer had to do without."""
    line = quantity(len(result.symbols), "result", "results")
    line = f"{line} ({'; '.join(result.notes)})" if result.notes else line
    return line if tokens is None else one_line(line, tokens)


def lines(symbol: "Symbol", *, explain: bool, full: bool) -> list[str]:
    """A line that says where it is; below it the parts of its score, and its source."""
    hit = symbol.hit
    link_note = f"  <- {', '.join(map(_link_words, hit.via))}" if hit.via else ""
    place, name = one_line(symbol.place, NAME_TOKENS), one_line(symbol.name, NAME_TOKENS)
    lines = [f"{place}  {name} ({kind(hit)})  {hit.score:.3f}{link_note}"]
    if explain:
        lines.append(f"    {_parts(hit)}")
        lines += [f"    {_link_explanation(link)}" for link in hit.via]
    if full:
        entity = symbol.entity
        lines += [quote_lines(visible(str(entity.attributes.get("code") or entity.text or ""))), ""]
    return lines


def answer_at_places(result: "Result") -> Answer:
    """An answer to be packed whose hits are called by their places."""
    hits = tuple(_hit_at_place(symbol) for symbol in result.symbols)
    return Answer(
        query=result.query,
        project=result.project,
        mode="hybrid",
        hits=hits,
        total=len(hits),
        degraded=None,
        took_ms={},
    )


def kind(hit: Hit) -> str:
    """What it is, in Shaktiman's few words."""
    return KINDS.get(hit.kind, one_line(hit.kind.lower(), NAME_TOKENS))


def _hit_at_place(symbol: "Symbol") -> Hit:
    hit = symbol.hit
    # What only repeats the name is no text.
    passages = tuple(passage for passage in hit.passages if passage.text != hit.name)
    name_with_place = f"{symbol.place} {symbol.name}"
    return replace(hit, name=name_with_place, kind=kind(hit), lines=None, passages=passages)


def _link_words(link: Via) -> str:
    """A link that led to a neighbour, as seen from it, the other end by its own name alone."""
    _, mark, symbol = link.seed.partition(SYMBOL_MARK)
    seed = symbol if mark else link.seed.rpartition("/")[2]
    return f"{link.relation} by {seed}" if link.direction == "out" else f"{link.relation} {seed}"


def _link_explanation(link: Via) -> str:
    """A link with its direction, weight and note."""
    preposition = "by " if link.direction == "out" else ""
    note = f"  {one_line(link.note, SUMMARY_TOKENS)}" if link.note else ""
    return f"via {link.relation} {preposition}{link.seed}  weight {link.weight:.2f}{note}"


def _parts(hit: Hit) -> str:
    """The parts of a score, whose rests multiplied give the rest of the score.

    What changed and what was opened in a session are not known here and give nothing.
    """
    evidence = hit.matched
    parts = {
        "semantic": evidence.vector,
        "keyword": evidence.text,
        "name": evidence.name,
        "structural": evidence.link,
        "change": 0.0,
        "session": 0.0,
    }
    words = "  ".join(f"{name} {value:.6f}" for name, value in parts.items())
    return f"{words}  score {hit.score:.6f} = 1 - product of (1 - part)"
