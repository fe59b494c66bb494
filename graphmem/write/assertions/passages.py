"""The passages that a text and observations are stored and searched as: pure, no I/O."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.model import Entity, Observation
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.provenance import FIRST_LINE, LAST_LINE
from graphmem.write.assertions.corrections import observation_id
from graphmem.write.assertions.facts import TEXT
from graphmem.write.assertions.provenance import Fact
from graphmem.write.assertions.shape import Stored, passage_of
from graphmem.write.assertions.splitting import split_text

# What the code of a file has beside it: where it stands there.
LINES: frozenset[Fact] = frozenset({("attribute", FIRST_LINE), ("attribute", LAST_LINE)})


def text_passages(
    stored: Stored, facts: Mapping[Fact, object], created_at: datetime | None, now: datetime
) -> list[dict[str, Any]]:
    """The passages of the text among the facts that count; those that were there keep their moment.

    A text that was there keeps its passages.
    """
    body = str(facts.get(TEXT) or "")
    stored_passages = [dict(p) for p in stored.passages if p["origin"] == "text"]
    if body == "".join(passage["text"] for passage in stored_passages):
        return stored_passages
    moments = {p["id"]: p.get("created_at") for p in stored.passages}
    passages = _passages(split_text(body, is_code=facts.keys() >= LINES), created_at)
    for passage in passages:
        passage["created_at"] = moments.get(passage["id"]) or passage.get("created_at") or now
    return passages


def _passages(pieces: Iterable[str], created_at: datetime | None) -> list[dict[str, Any]]:
    by_id = {text.digest("text", piece, place): piece for place, piece in enumerate(pieces)}
    return [
        passage_of(passage_id, "text", Observation(piece, created_at))
        for passage_id, piece in by_id.items()
    ]


def observation_passages(entity: Entity) -> list[dict[str, Any]]:
    """The observations that an entity asserts, each once."""
    return [
        passage_of(observation_id(observation), "observation", observation)
        for observation in distinct_observations(entity.observations)
    ]


def distinct_observations(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """The observations, each once; of a field that is given several times, the later value counts.

    Two whose texts differ in white space alone are the same; the first text stays.
    """
    by_id: dict[str, Observation] = {}
    for later in observations:
        earlier = by_id.setdefault(observation_id(later), later)
        if earlier is not later:
            by_id[observation_id(later)] = _joined(earlier, later)
    return tuple(by_id.values())


def _joined(earlier: Observation, later: Observation) -> Observation:
    fields: dict[str, Any] = {
        name: value
        for name in OBSERVATION_FIELDS
        if (value := getattr(later, name)) is not None or name in later.unset
    }
    return replace(earlier, **fields)
