"""Sessions of Codex, as `~/.codex/sessions` has them: a file of JSON lines for each.

What a person and the agent said to each other is read, and nothing else: neither instructions nor
the agent's reasoning nor what tools were given and returned.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from graphmem.adapters.conversations.importer.sessions import texts_of, turns_of
from graphmem.adapters.conversations.importer.turns import Conversation, Turn
from graphmem.adapters.conversations.importer.values import (
    identifier,
    is_text,
    moment,
    object_or_empty,
)
from graphmem.importing.opening import File
from graphmem.importing.row import Row

TOOL = "Codex"
SPEAKERS = frozenset({"user", "assistant"})
# How what a project asks of all agents is handed over, as if the user had said it.
INSTRUCTIONS = "# AGENTS.md instructions"


def turns(lines: Iterable[tuple[str, object]], file: File) -> Iterator[Turn | Row]:
    """Read the lines of a session, each with its place; its first one says which it is."""
    return turns_of(lines, _Session(file).turn)


class _Session:
    """What the lines of a session have told so far."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._meta: dict[str, Any] = {}
        self._conversation: Conversation | None = None
        self._number = 0

    def turn(self, line: dict[str, Any], place: str) -> Turn | None:
        """What was said; None for a line of another kind.

        Raises:
            InvalidInput: A field of the line, or of the first one, cannot be used.
        """
        payload = object_or_empty(line.get("payload"))
        if line.get("type") == "session_meta":
            self._meta = self._meta or payload
        text = _text(payload) if line.get("type") == "response_item" else ""
        if not text:
            return None
        time = moment("timestamp", line.get("timestamp"))
        if self._conversation is None:
            identity = identifier("session_meta.id", self._meta.get("id"))
            began = moment("session_meta.timestamp", self._meta.get("timestamp")) or time
            self._conversation = Conversation.of_export(TOOL, identity, began)
        self._number += 1
        return Turn(
            place=place,
            file=self._file.place,
            conversation=self._conversation,
            id=str(self._number),
            speaker=str(payload["role"]),
            text=text,
            time=time,
            attributes={"cwd": self._meta["cwd"]} if is_text(self._meta.get("cwd")) else {},
        )


def _text(item: dict[str, Any]) -> str:
    """What was said; nothing for what is no message of a person or of the agent."""
    if item.get("type") != "message" or item.get("role") not in SPEAKERS:
        return ""
    texts = texts_of(item.get("content"))
    return "\n\n".join(text for text in texts if not text.startswith(INSTRUCTIONS))
