"""The best hits of a search in the order of a reranker, and pages of them.

A search finds and scores as it does without one. Its best 30 hits are then put in order; what
comes after them stays as it was. A page within the 30 is cut from all of them, ordered anew, so
that pages fit together; the page after them is that of the search itself.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from graphmem import lucene
from graphmem.model import Answer, Hit
from graphmem.model.filters import Filters
from graphmem.search import cursor as cursors
from graphmem.search.plan import Plan
from graphmem.search.response import CHANGED

DEPTH = 30

# How well each text answers the query; or None, and why that is not known.
Score = Callable[[str, Sequence[str]], tuple[list[float] | None, str | None]]
# Gives the page of a plan after a cursor.
Run = Callable[[Plan, str | None], Answer]


def reranked(
    query: str, filters: Filters, plan: Plan, cursor: str | None, *, run: Run, score: Score
) -> Answer:
    """Search, and put the best 30 hits in the order of their scores by a reranker.

    Args:
        query: As it was given.
        filters: What a hit must be.
        plan: How the search is done; another order than by score stays as it is.
        cursor: Where the page before ended, or None.
        run: Runs the search.
        score: Asks the reranker; without its scores the hits stay as they are, and `degraded` says
            why.

    Raises:
        InvalidInput: The cursor is not one of this search.
    """
    position = None if cursor is None else cursors.decode_rerank(cursor, query, filters, plan)
    if plan.sort != "score" or (cursor is not None and position is None):
        return run(plan, cursor)
    wide_plan = replace(plan, limit=max(DEPTH, plan.limit), passages=max(1, plan.passages))
    answer = run(wide_plan, None)
    answer = _rerank(query, answer, score)
    start = position.offset if position else 0
    end = start + plan.limit
    hits = answer.hits[start:end]
    notes = answer.notes
    if position and (start > len(answer.hits) or answer.hits[start - 1].key != position.key):
        notes = (*notes, CHANGED)
    next_cursor = answer.cursor
    if end < len(answer.hits):
        position = cursors.RerankPosition(end, hits[-1].key)
        next_cursor = cursors.encode_rerank(query, filters, plan, position)
    page = hits if plan.passages else tuple(replace(hit, passages=()) for hit in hits)
    return replace(answer, hits=page, notes=notes, cursor=next_cursor)


def _rerank(query: str, answer: Answer, score: Score) -> Answer:
    """The answer with its best 30 hits in the order of the reranker."""
    head, tail = answer.hits[:DEPTH], answer.hits[DEPTH:]
    if not head:
        return answer
    began = time.perf_counter()
    scores, reason = score(lucene.clean(query), [_text(hit) for hit in head])
    duration = (time.perf_counter() - began) * 1000
    total = answer.took_ms.get("total", 0.0) + duration
    took_ms = {**answer.took_ms, "rerank": duration, "total": total}
    if scores is None:
        note = f"{reason}; the hits are in the order of their scores"
        degraded = note if answer.degraded is None else f"{answer.degraded}; {note}"
        return replace(answer, degraded=degraded, took_ms=took_ms)
    order = sorted(range(len(head)), key=lambda index: (-scores[index], index))
    reordered = tuple(_with_score(head[index], scores[index]) for index in order)
    return replace(answer, hits=(*reordered, *tail), took_ms=took_ms)


def _with_score(hit: Hit, score: float) -> Hit:
    if hit.explanation is None:
        return hit
    return replace(hit, explanation=replace(hit.explanation, reranked=score))


def _text(hit: Hit) -> str:
    """What the reranker reads of a hit: what it is called, and its best passage."""
    passage = hit.passages[0].text if hit.passages else hit.kind
    return f"{hit.title or hit.name}\n{passage}"
