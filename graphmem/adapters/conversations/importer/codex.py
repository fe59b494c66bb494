"""Sessions of Codex, as `~/.codex/sessions` has them: a file of JSON lines for each.

What a person and the agent said to each other is read, and nothing else: neither instructions nor
the agent's reasoning nor what tools were given and returned.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from graphmem.adapters.conversations.importer.sessions import texts_of
from graphmem.adapters.conversations.importer.turns import Conversation, Turn
from graphmem.adapters.conversations.importer.values import (
    identifier,
    is_text,
    moment,
    name_in_export,
    object_or_empty,
)
from graphmem.errors import InvalidInput
from graphmem.importing.opening import File
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row

TOOL = "Codex"
SPEAKERS = frozenset({"user", "assistant"})
# How what a project asks of all agents is handed over, as if the user had said it.
INSTRUCTIONS = "# AGENTS.md instructions"


def turns(lines: Iterable[tuple[str, object]], file: File) -> Iterator[Turn | Row]:
    """Read the lines of a session, each with its place; its first one says which it is."""
    session: dict[str, Any] = {}
    conversation: Conversation | None = None
    number = 0
    for place, value in lines:
        if isinstance(value, Refused):
            yield refused(place, value)
            continue
        line = object_or_empty(value)
        payload = object_or_empty(line.get("payload"))
        if line.get("type") == "session_meta":
            session = session or payload
        text = _text(payload) if line.get("type") == "response_item" else ""
        if not text:
            continue
        try:
            time = moment("timestamp", line.get("timestamp"))
            if conversation is None:
                identity = identifier("session_meta.id", session.get("id"))
                began = moment("session_meta.timestamp", session.get("timestamp")) or time
                name = name_in_export(TOOL, identity, began)
                conversation = Conversation(name, began=began)
        except InvalidInput as error:
            yield refused(place, error)
            continue
        number += 1
        yield Turn(
            place=place,
            file=file.place,
            conversation=conversation,
            id=str(number),
            speaker=str(payload["role"]),
            text=text,
            time=time,
            attributes={"cwd": session["cwd"]} if is_text(session.get("cwd")) else {},
        )


def _text(item: dict[str, Any]) -> str:
    """What was said; nothing for what is no message of a person or of the agent."""
    if item.get("type") != "message" or item.get("role") not in SPEAKERS:
        return ""
    texts = texts_of(item.get("content"))
    return "\n\n".join(text for text in texts if not text.startswith(INSTRUCTIONS))
