"""The passages that a text and observations are stored and searched as: pure, no I/O."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.model import Entity, Observation
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
    passages: dict[str, dict[str, Any]] = {}
    for observation in entity.observations:
        passage_id = observation_id(observation)
        passages.setdefault(passage_id, passage_of(passage_id, "observation", observation))
    return list(passages.values())
