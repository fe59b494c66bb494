"""Conversations as tests write them, and the rows that an import makes of them."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS, Row

# An id of an export whose first digits tell it from the others.
UUID = "6b1c2f3a-9d0e-4c2{}-8f00-000000000000"
BEGAN = datetime(2026, 3, 1, 10, tzinfo=UTC)


def exported(folder: Path, *conversations: object) -> list[Row]:
    """The rows of an export of these conversations."""
    path = folder / "conversations.json"
    path.write_text(json.dumps(list(conversations), indent=1), encoding="utf-8")
    return list(FORMATS["conversations"].read(path))


def entities(made: list[Row]) -> dict[str, Entity]:
    return {row.value.name: row.value for row in made if isinstance(row.value, Entity)}


def turns(made: list[Row]) -> list[Entity]:
    return [entity for entity in entities(made).values() if entity.kind == "Turn"]


def links(made: list[Row], relation: str = "NEXT") -> list[tuple[str, str]]:
    relations = [row.value for row in made if isinstance(row.value, Relation)]
    return [(one.start, one.end) for one in relations if one.relation == relation]


def refused(made: list[Row]) -> dict[str, str]:
    return {row.place: row.value.reason or "" for row in made if isinstance(row.value, Item)}


def lead_ins(made: list[Row]) -> dict[str | None, str | None]:
    """By text, what leads in to each turn."""
    return {entity.text: entity.lead_in for entity in turns(made)}


def node(
    number: int, parent: int | None, text: str | None = None, **message: object
) -> dict[str, Any]:
    """A node of ChatGPT's tree; without a text it has no message."""
    said = None if text is None else {
        "id": UUID.format(number), "author": {"role": "user" if number % 2 else "assistant"},
        "create_time": BEGAN.timestamp() + number, "metadata": {},
        "content": {"content_type": "text", "parts": [text]},
    } | message  # fmt: skip
    return {
        "id": str(number), "message": said,
        "parent": None if parent is None else str(parent), "children": [],
    }  # fmt: skip


def chatgpt(*nodes: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {
        "conversation_id": UUID.format(0), "title": "Redis eviction",
        "create_time": BEGAN.timestamp(), "mapping": {node["id"]: node for node in nodes},
        "current_node": nodes[-1]["id"] if nodes else None,
    } | fields  # fmt: skip


def message(number: int, text: str, **fields: object) -> dict[str, Any]:
    return {
        "uuid": UUID.format(number), "sender": "human" if number % 2 else "assistant",
        "text": text, "content": [{"type": "text", "text": text}] if text else [],
        "created_at": f"2026-03-01T10:0{number}:00.000000Z", "attachments": [], "files": [],
    } | fields  # fmt: skip


def claude(*messages: object, **fields: object) -> dict[str, Any]:
    return {
        "uuid": UUID.format(0), "name": "Redis eviction", "created_at": "2026-03-01T10:00:00Z",
        "summary": "About caches.", "chat_messages": list(messages),
    } | fields  # fmt: skip
