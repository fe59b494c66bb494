"""How one entity stands in a context: a heading, the links that led to it, quoted passages.

Stored content is told from graphmem's own lines by its place, not by its words: every line of a
passage begins with `> `, and what stands in a heading is one line whatever was stored.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from graphmem.model import Hit, Via
from graphmem.model.period import period, validity
from graphmem.model.spelling import word_end
from graphmem.model.visible import visible, visible_line
from graphmem.packing.tokens import QUARTERS, quarters, weights

ELLIPSIS = "…"
GAP = f"[{ELLIPSIS}]"
QUOTE = "> "

_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Width:
    """How much of a budget graphmem's own lines may take, so that it holds any of them.

    Args:
        links: The most links named that led to a neighbour.
        name: The most tokens of a name or project.
        title: Of a title or note.
        word: Of a kind, status or relation type.
        source: Of a source, or of the name a link comes from.
    """

    links: int
    name: int
    title: int
    word: int
    source: int


NARROW, WIDE = Width(1, 32, 16, 10, 20), Width(3, 100, 48, 24, 60)


@dataclass(frozen=True, slots=True)
class PassageOrigin:
    """What an answer does not say of a hit.

    Args:
        source: Where the entity comes from, such as the file it was imported from.
        positions: Of passages of its text, by their text without space around: the position among
            its passages, and the text as stored; two that follow each other are one text.
    """

    source: str | None = None
    positions: Mapping[str, tuple[int, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage of a hit, or the part of it that fits.

    Args:
        text: As it is shown, without space around where it stands alone.
        index: Its place among the passages of the answer, 0 for the best.
        source: Who or what said so.
        date: The day it was said, or a blank text.
        validity: When it is valid, or a blank text.
        position: Where it stands in the entity's text; None for what stands alone.
        snippet: Its part that matched best.
        is_cut: Whether something of it is missing.
    """

    text: str
    index: int
    source: str | None
    date: str
    position: int | None
    snippet: str = ""
    is_cut: bool = False
    validity: str = ""

    @property
    def folded(self) -> str:
        """What makes two pieces the same: their words, whatever stands between them."""
        return f" {' '.join(self.text.split()).casefold()} "

    def label(self, width: Width) -> str:
        """Its source, its date and when it is valid, on one line; blank if nothing is known."""
        source = one_line(self.source or "", width.source)
        return ", ".join(part for part in (source, self.date, self.validity) if part)


def piece(hit: Hit, origin: PassageOrigin, index: int) -> Piece | None:
    """The passage from there, or None where it says no more than the heading."""
    if index >= len(hit.passages):
        return None
    passage = hit.passages[index]
    position, text = origin.positions.get(passage.text, (None, passage.text))
    text = clean(text)
    words = " ".join(text.split()).casefold()
    if words in {"", hit.name.casefold(), (hit.title or "").casefold()}:
        return None
    return Piece(
        text=text,
        index=index,
        source=passage.source or origin.source,
        date="" if passage.created_at is None else passage.created_at.date().isoformat(),
        position=position,
        snippet=passage.snippet,
        validity=validity(passage.valid_from, passage.valid_until),
    )


def block(hit: Hit, project: str, pieces: Iterable[Piece], width: Width) -> str:
    """Write one entity.

    Args:
        hit: The entity.
        project: The project that was searched; another one is named.
        pieces: What is quoted of it, in any order.
        width: How much of it is graphmem's own.
    """
    lines = [_heading(hit, project, width)]
    lines += [_link_line(via, width) for via in hit.via[: width.links]]
    label, previous_piece = "", None
    for run in _runs(pieces):
        own_label = max(run_piece.label(width) for run_piece in run)
        if own_label != label:
            lines.append(f"[{own_label}]")
        elif previous_piece is not None:
            lines.append(GAP if previous_piece.position is not None else "")
        text = "".join(run_piece.text for run_piece in run).strip("\n").rstrip()
        lines.append(quote_lines(text))
        label, previous_piece = own_label, run[-1]
    return "\n".join(lines)


def _heading(hit: Hit, project: str, width: Width) -> str:
    name, title = one_line(hit.name, width.name), one_line(hit.title or "", width.title)
    facts = [one_line(hit.kind, width.word)]
    if hit.lines:
        facts.append(f"lines {hit.lines}")
    if hit.status != "active":
        facts.append(one_line(hit.status, width.word))
    if dates := validity(hit.valid_from, hit.valid_until):
        facts.append(dates)
    if hit.project != project:
        facts.append(f"in {one_line(hit.project, width.word)}")
    title_note = f": {title}" if title and title != name else ""
    return f"## {name} ({', '.join(facts)}){title_note}"


def _link_line(via: Via, width: Width) -> str:
    seed, relation = one_line(via.seed, width.source), one_line(via.relation, width.word)
    note = one_line(via.note or "", width.title)
    ends = (seed, "this") if via.direction == "out" else ("this", seed)
    details = ", ".join(filter(None, (period(via.valid_from, via.valid_until), note)))
    return f"linked: {ends[0]} -{relation}-> {ends[1]}" + (f" ({details})" if details else "")


def _runs(pieces: Iterable[Piece]) -> Iterator[Sequence[Piece]]:
    """Pieces in the order of the text, those that follow each other in it together."""
    in_order = sorted(
        pieces,
        key=lambda item: (item.position is None, item.position or 0, item.index),
    )
    starts: list[int] = []
    for place, item in enumerate(in_order):
        previous = in_order[place - 1] if place else None
        joins_previous = (
            previous is not None
            and previous.position is not None
            and item.position == previous.position + 1
            and not (previous.is_cut or item.is_cut)
        )
        starts.append(starts[-1] if joins_previous else place)
    for _, group in groupby(zip(starts, in_order, strict=True), key=lambda pair: pair[0]):
        yield [item for _, item in group]


def clean(text: str) -> str:
    """A text without what no person sees, its lines divided by line feeds alone."""
    lines = (line.rstrip() for line in visible(f"{text}|").split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines).removesuffix("|"))


def quote_lines(text: str) -> str:
    """A text every line of which says that it is stored content."""
    return "\n".join(f"{QUOTE}{line}".rstrip() for line in text.split("\n"))


def one_line(text: str, most_tokens: int) -> str:
    """A text as part of a line, of at most that many tokens."""
    line, room = visible_line(text), most_tokens * QUARTERS
    return line if quarters(line) <= room else fit_text(line, room)


def fit_text(text: str, room: int) -> str:
    """The beginning of a text, cut where a word or clause ends near, with `…` behind it.

    Args:
        text: Its lines will be quoted, which is counted.
        room: Quarters of a token; what no character fits into gives a blank text.
    """
    room -= quarters(ELLIPSIS)
    end = 0
    for mark, weight in weights(text):
        room -= weight + (quarters(QUOTE) if mark == "\n" else 0)
        if room < 0:
            break
        end += 1
    beginning = text[: word_end(text, 0, end)].rstrip()
    return f"{beginning}{ELLIPSIS}" if beginning else ""
