"""Sessions of Copilot CLI, as the folders in `~/.copilot/session-state` have them: JSON lines.

What a person and the agent said to each other is read, and nothing else: neither the agent's
reasoning nor what tools and sub-agents were given and returned, nor a summary of what stands before
it.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from graphmem.adapters.conversations.importer.sessions import text_of, turns_of
from graphmem.adapters.conversations.importer.turns import Conversation, Turn
from graphmem.adapters.conversations.importer.values import (
    identifier,
    is_text,
    list_or_empty,
    moment,
    object_or_empty,
    short_id,
)
from graphmem.importing.opening import File
from graphmem.importing.row import Row

TOOL = "Copilot CLI"
# The fields that each line has, and no line of another tool.
LINE_FIELDS = frozenset({"data", "parentId"})
SPEAKERS = {"user.message": "user", "assistant.message": "assistant"}


def turns(lines: Iterable[tuple[str, object]], file: File) -> Iterator[Turn | Row]:
    """Read the lines of a session, each with its place; its first one says which it is."""
    return turns_of(lines, _Session(file).turn)


class _Session:
    """What the lines of a session have told so far."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._start: dict[str, Any] = {}
        self._conversation: Conversation | None = None

    def turn(self, line: dict[str, Any], place: str) -> Turn | None:
        """What was said; None for a line of another kind.

        Raises:
            InvalidInput: A field of the line, or of the first one, cannot be used.
        """
        data = object_or_empty(line.get("data"))
        if line.get("type") == "session.start":
            self._start = self._start or data
        speaker = SPEAKERS.get(str(line.get("type")))
        text = _text(data)
        # A line of a sub-agent says which one it is.
        if speaker is None or not text or line.get("agentId") is not None:
            return None
        time = moment("timestamp", line.get("timestamp"))
        if self._conversation is None:
            identity = identifier("session.start.sessionId", self._start.get("sessionId"))
            began = moment("session.start.startTime", self._start.get("startTime")) or time
            self._conversation = Conversation.of_export(TOOL, identity, began)
        context = object_or_empty(self._start.get("context"))
        return Turn(
            place=place,
            file=self._file.place,
            conversation=self._conversation,
            id=short_id(identifier("id", line.get("id"))),
            speaker=speaker,
            text=text,
            time=time,
            attributes={
                name: context[name] for name in ("cwd", "branch") if is_text(context.get(name))
            },
        )


def _text(data: dict[str, Any]) -> str:
    """The text of a message below the images that came with it."""
    attachments = map(object_or_empty, list_or_empty(data.get("attachments")))
    images = ({"mime": attachment.get("mimeType")} for attachment in attachments)
    return text_of([*images, {"text": data.get("content")}])
