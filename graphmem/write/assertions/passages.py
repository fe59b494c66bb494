"""The passages that a text and observations are stored and searched as: pure, no I/O."""

from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.model import Entity, Observation
from graphmem.write.assertions.corrections import observation_id
from graphmem.write.assertions.shape import Stored, passage_of
from graphmem.write.assertions.splitting import split_text


def text_passages(
    stored: Stored, body: object | None, created_at: datetime | None, now: datetime
) -> list[dict[str, Any]]:
    """The passages of a text; those that were there keep their moment."""
    stored_passages = [dict(p) for p in stored.passages if p["origin"] == "text"]
    if body == "".join(passage["text"] for passage in stored_passages):
        return stored_passages
    moments = {p["id"]: p.get("created_at") for p in stored.passages}
    passages = _pieces(str(body) if body is not None else "", created_at)
    for passage in passages:
        passage["created_at"] = moments.get(passage["id"]) or passage.get("created_at") or now
    return passages


def _pieces(body: str, created_at: datetime | None) -> list[dict[str, Any]]:
    pieces = {
        text.digest("text", piece, place): piece for place, piece in enumerate(split_text(body))
    }
    return [
        passage_of(passage_id, "text", Observation(piece, created_at))
        for passage_id, piece in pieces.items()
    ]


def observation_passages(entity: Entity) -> list[dict[str, Any]]:
    """The observations that an entity asserts, each once."""
    passages: dict[str, dict[str, Any]] = {}
    for observation in entity.observations:
        passage_id = observation_id(observation)
        passages.setdefault(passage_id, passage_of(passage_id, "observation", observation))
    return list(passages.values())
