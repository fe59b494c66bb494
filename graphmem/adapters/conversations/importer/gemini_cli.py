"""Sessions of Gemini CLI, as the folders `chats` in `~/.gemini/tmp` have them: JSON lines.

What a person and the agent said to each other is read, and nothing else: neither thoughts nor what
tools were given and returned nor the files that a question names.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any

from graphmem.adapters.conversations.importer.sessions import text_of, turns_of
from graphmem.adapters.conversations.importer.turns import Conversation, Turn
from graphmem.adapters.conversations.importer.values import (
    identifier,
    list_or_empty,
    moment,
    object_or_empty,
    short_id,
)
from graphmem.importing.opening import File
from graphmem.importing.row import Row

TOOL = "Gemini CLI"
# The field that the first line has, and no line of another tool.
MARK = "projectHash"
# Of another kind are the sessions of sub-agents.
MAIN = "main"
SPEAKERS = {"user": "user", "gemini": "assistant"}
# What follows are the files that a question names.
FILES = "--- Content from referenced files ---"


def turns(lines: Iterable[tuple[str, object]], file: File) -> Iterator[Turn | Row]:
    """Read the lines of a session, each with its place; its first one says which it is."""
    return turns_of(lines, _Session(file).turn)


class _Session:
    """What the lines of a session have told so far."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._conversation: Conversation | None = None
        self._ids: set[str] = set()

    def turn(self, line: dict[str, Any], place: str) -> Turn | None:
        """What was said; None for a line of another kind.

        Raises:
            InvalidInput: A field of the line cannot be used.
        """
        if MARK in line and self._conversation is None and line.get("kind", MAIN) == MAIN:
            self._conversation = _conversation(line)
        speaker = SPEAKERS.get(str(line.get("type")))
        text = _text(line.get("content")) if speaker else ""
        if self._conversation is None or speaker is None or not text:
            return None
        identity = short_id(identifier("id", line.get("id")))
        time = moment("timestamp", line.get("timestamp"))
        # A line is written again when a tool has answered, and a session that is resumed begins
        # with its first line.
        if identity in self._ids:
            return None
        self._ids.add(identity)
        return Turn(
            place=place,
            file=self._file.place,
            conversation=self._conversation,
            id=identity,
            speaker=speaker,
            text=text,
            time=time,
        )


def _conversation(line: dict[str, Any]) -> Conversation:
    identity = identifier("sessionId", line.get("sessionId"))
    began = moment("startTime", line.get("startTime"))
    return Conversation.of_export(TOOL, identity, began)


def _text(content: object) -> str:
    """The texts of a message, up to the files that it names."""
    if isinstance(content, str):
        return text_of(content)
    parts = map(object_or_empty, list_or_empty(content))
    return text_of(list(takewhile(lambda part: str(part.get("text")).strip() != FILES, parts)))
