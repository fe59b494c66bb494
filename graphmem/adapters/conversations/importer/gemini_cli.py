"""Sessions of Gemini CLI, as the folders `chats` in `~/.gemini/tmp` have them: JSON lines.

What a person and the agent said to each other is read, and nothing else: neither thoughts nor what
tools were given and returned nor the files that a question names.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any

from graphmem.adapters.conversations.importer.sessions import texts_of
from graphmem.adapters.conversations.importer.turns import Conversation, Turn
from graphmem.adapters.conversations.importer.values import (
    identifier,
    list_or_empty,
    moment,
    name_in_export,
    object_or_empty,
    short_id,
)
from graphmem.errors import InvalidInput
from graphmem.importing.opening import File
from graphmem.importing.refusing import Refused, refused
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
    conversation: Conversation | None = None
    ids: set[str] = set()
    for place, value in lines:
        if isinstance(value, Refused):
            yield refused(place, value)
            continue
        line = object_or_empty(value)
        try:
            if MARK in line and conversation is None and line.get("kind", MAIN) == MAIN:
                conversation = _conversation(line)
            turn = None if conversation is None else _turn(line, conversation, place, file)
        except InvalidInput as error:
            yield refused(place, error)
            continue
        # A line is written again when a tool has answered, and a session that is resumed begins
        # with its first line.
        if turn is not None and turn.id not in ids:
            ids.add(turn.id)
            yield turn


def _conversation(line: dict[str, Any]) -> Conversation:
    identity = identifier("sessionId", line.get("sessionId"))
    began = moment("startTime", line.get("startTime"))
    return Conversation(name_in_export(TOOL, identity, began), began=began)


def _turn(line: dict[str, Any], conversation: Conversation, place: str, file: File) -> Turn | None:
    """What was said; None for a line of another kind.

    Raises:
        InvalidInput: A field of the line cannot be used.
    """
    speaker = SPEAKERS.get(str(line.get("type")))
    text = _text(line.get("content")) if speaker else ""
    if speaker is None or not text:
        return None
    return Turn(
        place=place,
        file=file.place,
        conversation=conversation,
        id=short_id(identifier("id", line.get("id"))),
        speaker=speaker,
        text=text,
        time=moment("timestamp", line.get("timestamp")),
    )


def _text(content: object) -> str:
    """The texts of a message, up to the files that it names."""
    if isinstance(content, str):
        return "\n\n".join(texts_of(content))
    parts = takewhile(
        lambda part: str(object_or_empty(part).get("text")).strip() != FILES,
        list_or_empty(content),
    )
    return "\n\n".join(texts_of(list(parts)))
