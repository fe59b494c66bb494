"""Hits with their title and trust: read page by page, filtered by evidence, ranked once more.

That a query's words stand in the title, that an artifact is active and that evidence vouches for it
is evidence for it too, the last two in proportion to how well it matches at all:

    score = 1 - (1 - match)(1 - 0.25 · title)(1 - match · (0.05 if active + 0.1 · R_eff))

where `title` is the share of the query's words that begin a word of the title. So a title counts
more than a body that says the word often; trust decides between equals and near-equals and lifts
nothing that does not match; nothing reaches 1; and a neighbour, which no title lifts, stays below
the artifact that led to it, since a link passes on 0.95 · match^1.5 at most, which trust cannot
lift above the match. ForgePlan gives a word in a title 1.6 times what it gives one in a body, and
multiplies by 1 + 0.1 if active + 0.2 · R_eff.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem import lucene, snippets
from graphmem.adapters.forgeplan.profile.artifact import trust_of
from graphmem.adapters.forgeplan.profile.request import LIMIT, Request
from graphmem.adapters.forgeplan.profile.tag_matches import TagMatches, beginnings

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model import Answer
    from graphmem.model.answer import Hit

ACTIVE = "active"
ACTIVE_SHARE = 0.05
TRUST_SHARE = 0.1
TITLE = 0.25
# Of 200 hits each: so many are read for those that pass a filter, and for those that a title lifts.
MOST_PAGES = 20
MOST_RANKED_PAGES = 3

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit and the trust of its artifact.

    Args:
        hit: As the search gave it.
        place: Its place in the order of the search alone, from 0.
        r_eff: In [0, 1].
        score: What is made of both, in [0, 1).
    """

    hit: "Hit"
    place: int
    r_eff: float
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """What was found.

    Args:
        rows: Best first, ties by key; at most as many as asked for.
        total: How many matched.
        total_exact: Whether that is all there are; False means "at least".
        degraded: Why the answer is less than it could be, or None.
        notes: What was cut or ignored, a sentence each.
    """

    rows: tuple[Ranked, ...]
    total: int
    total_exact: bool
    degraded: str | None
    notes: tuple[str, ...]


def rank(memory: "Memory", request: Request) -> Ranking:
    """Search until no hit that was not read can be among those asked for.

    Raises:
        InvalidInput: The query is not allowed.
        DatabaseError: The database does not answer or refuses.
    """
    candidates: list[Ranked] = []
    cursor: str | None = None
    stems = () if request.id_forms else snippets.stems_of(lucene.parse(request.query))
    tag_matches = TagMatches(memory, () if request.id_forms else beginnings(request.query))
    for page in range(MOST_RANKED_PAGES if request.is_trusted is None else MOST_PAGES):
        options = request.options(LIMIT, "names", memory.model.calibration, cursor=cursor)
        answer = memory.search(request.text, **options)
        places = {hit.key: place for place, hit in enumerate(answer.hits, page * LIMIT)}
        candidates += _rows_of(memory, tag_matches.without(answer.hits), request, stems, places)
        candidates.sort(key=lambda candidate: (-candidate.score, candidate.hit.key))
        cursor = answer.cursor
        if cursor is None or _is_enough(candidates, answer, request):
            break
    is_unfiltered = request.is_trusted is None
    return Ranking(
        rows=tuple(candidates[: request.limit]),
        total=answer.total - tag_matches.dropped if is_unfiltered else len(candidates),
        total_exact=answer.total_exact
        and (cursor is None or (is_unfiltered and not tag_matches.dropped)),
        degraded=answer.degraded,
        notes=answer.notes,
    )


def combined_score(match: float, *, title: float, is_active: bool, r_eff: float) -> float:
    """The score of an artifact that matches so well; see the head of this file."""
    share = ACTIVE_SHARE * is_active + TRUST_SHARE * r_eff
    return 1 - (1 - match) * (1 - TITLE * title) * (1 - match * share)


def title_share(title: str, stems: Collection[str]) -> float:
    """The share of stems that begin a word of a title, in [0, 1]."""
    words = _WORD.findall(title.casefold())
    matching_stems = [stem for stem in stems if any(word.startswith(stem) for word in words)]
    return len(matching_stems) / len(stems) if stems else 0.0


def _rows_of(
    memory: "Memory",
    hits: Sequence["Hit"],
    request: Request,
    stems: Collection[str],
    places: Mapping[str, int],
) -> list[Ranked]:
    trust = trust_of(memory, [hit.key for hit in hits]) if hits else {}
    rows: list[Ranked] = []
    for hit in hits:
        r_eff = trust[hit.key].r_eff
        if request.is_trusted is None or request.is_trusted == (r_eff > 0):
            is_active = hit.status.casefold() == ACTIVE
            by_words = hit.matched.text > 0 or hit.matched.name > 0
            title = title_share(hit.title or "", stems) if by_words else 0.0
            score = combined_score(hit.score, title=title, is_active=is_active, r_eff=r_eff)
            rows.append(Ranked(hit, places[hit.key], r_eff, score))
    return rows


def _is_enough(candidates: list[Ranked], answer: "Answer", request: Request) -> bool:
    """Whether no hit of a later page can rank among those shown; a total needs every page."""
    if request.is_trusted is not None or len(candidates) < request.limit:
        return False
    best_to_come = combined_score(answer.hits[-1].score, title=1.0, is_active=True, r_eff=1.0)
    return candidates[request.limit - 1].score > best_to_come
