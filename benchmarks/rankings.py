"""The rankings that `sets.py` compares: graphmem's default, its parts, and simpler ones."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from evaluation_sets import DEPTH, Loaded, Question

from graphmem.memory import Memory
from graphmem.memory.searches.options import SearchOptions
from graphmem.model import Answer
from graphmem.search import Weights
from graphmem.text import name_tokens

POOL = 100

Ranker: TypeAlias = Callable[[Question], list[str]]


def graphmem_ranking(options: SearchOptions) -> Callable[[Memory, Loaded], Ranker]:
    """A search of graphmem's own, by its options."""

    def of_set(memory: Memory, loaded: Loaded) -> Ranker:

        def rank(question: Question) -> list[str]:
            wanted: SearchOptions = {"limit": loaded.hits, **options}
            return [hit.name for hit in _answer(memory, question, wanted).hits]

        return rank

    return of_set


def convex(memory: Memory, loaded: Loaded) -> Ranker:
    """Half the text leg and half the vector leg, each over its own range in the answer."""

    def rank(question: Question) -> list[str]:
        legs: list[dict[str, float]] = []
        for options in (WORDS, MEANING):
            wanted: SearchOptions = {"limit": POOL, "explain": True, **options}
            hits = _answer(memory, question, wanted).hits
            raw = {hit.name: hit.explanation.legs[0].raw for hit in hits if hit.explanation}
            low = 0.0 if options is WORDS else min(raw.values(), default=0.0)
            width = max(raw.values(), default=0.0) - low or 1.0
            legs.append({name: (score - low) / width for name, score in raw.items()})
        scores = {name: sum(leg.get(name, 0.0) for leg in legs) for name in {**legs[0], **legs[1]}}
        return sorted(scores, key=lambda name: (-scores[name], name))[: loaded.hits]

    return rank


def grep(memory: Memory, loaded: Loaded) -> Ranker:
    """Documents by how many distinct words of the question they contain, then by name."""
    del memory
    bags = {
        project: {name: set(name_tokens(text)) for name, text in texts.items()}
        for project, texts in loaded.texts.items()
    }

    def rank(question: Question) -> list[str]:
        words = {word for word in name_tokens(question.text) if word.isalnum()}
        of_project = bags[question.project]
        return sorted(of_project, key=lambda name: (-len(words & of_project[name]), name))[:DEPTH]

    return rank


def _answer(memory: Memory, question: Question, options: SearchOptions) -> Answer:
    wanted: SearchOptions = {"scope": "project", "detail": "names", **options}
    answer = memory.search(question.text, project=question.project, **wanted)
    if answer.degraded:
        raise SystemExit(f"a search was degraded: {answer.degraded}")
    return answer


WORDS: SearchOptions = {
    "mode": "keyword", "expand": False, "weights": replace(Weights(), name=0.0),
}  # fmt: skip
MEANING: SearchOptions = {"mode": "semantic", "expand": False}

ROWS: dict[str, Callable[[Memory, Loaded], Ranker]] = {
    "default": graphmem_ranking({}),
    "no links": graphmem_ranking({"expand": False}),
    "text": graphmem_ranking(WORDS),
    "vector": graphmem_ranking(MEANING),
    "RRF": graphmem_ranking({"ranking": "rrf", "expand": False}),
    "convex": convex,
    "grep": grep,
}
