"""Sessions of Claude Code, as `~/.claude/projects` has them: a file of JSON lines for each.

What a person and the agent said to each other is read, and nothing else: neither the agent's
thinking nor what tools were given and returned, nor what agents told each other, nor a summary of
what stands before it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graphmem.adapters.conversations.importer.sessions import text_of, turns_of
from graphmem.adapters.conversations.importer.turns import Conversation, Turn, title
from graphmem.adapters.conversations.importer.values import (
    identifier,
    is_text,
    moment,
    object_or_empty,
    short_id,
)
from graphmem.importing.json_text import parse_or_refusal
from graphmem.importing.opening import File
from graphmem.importing.reading import streamed_lines
from graphmem.importing.refusing import Refused
from graphmem.importing.row import Row

TOOL = "Claude Code"
SPEAKERS = frozenset({"user", "assistant"})
# Of these each line has one, whatever its type.
LINE_FIELDS = frozenset({"sessionId", "uuid", "leafUuid", "messageId"})
# What a session is called, by the agent and by its user, who counts more.
TITLES = {"ai-title": "aiTitle", "custom-title": "customTitle"}
TITLE_LINE_BYTES = 10_000
# Lines that nobody said: what a sub-agent works on, what a command needs, a summary, an error.
UNSPOKEN_FLAGS = ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage")
ATTRIBUTES = {"cwd": "cwd", "gitBranch": "branch"}
# What is said of the branch where there is none.
NO_BRANCH = "HEAD"


class Sessions:
    """The sessions of one import; a session that is continued in another file is one."""

    def __init__(self) -> None:
        self._conversations: dict[str, Conversation] = {}
        # Digests of lines: a session that is resumed may repeat them in another file.
        self._read: set[int] = set()

    def turns(self, lines: Iterable[tuple[str, object]], file: File) -> Iterator[Turn | Row]:
        """Read the lines of a file, each with its place."""
        titles = _titles(file)
        return turns_of(lines, lambda line, place: self._turn(line, place, file, titles))

    def _turn(
        self, line: dict[str, Any], place: str, file: File, titles: Mapping[str, str]
    ) -> Turn | None:
        """What was said; None for a line of another kind.

        Raises:
            InvalidInput: A field of the line cannot be used.
        """
        if line.get("type") not in SPEAKERS or any(line.get(name) for name in UNSPOKEN_FLAGS):
            return None
        text = text_of(object_or_empty(line.get("message")).get("content"))
        if not text:
            return None
        session = identifier("sessionId", line.get("sessionId"))
        identity = identifier("uuid", line.get("uuid"))
        digest = hash((session, identity))
        if digest in self._read:
            return None
        self._read.add(digest)
        time = moment("timestamp", line.get("timestamp"))
        if session not in self._conversations:
            conversation = Conversation.of_export(TOOL, session, time, title=titles.get(session))
            self._conversations[session] = conversation
        return Turn(
            place=place,
            file=file.place,
            conversation=self._conversations[session],
            id=short_id(identity),
            speaker=str(line["type"]),
            text=text,
            time=time,
            attributes={
                name: line[field]
                for field, name in ATTRIBUTES.items()
                if is_text(line.get(field)) and line[field] != NO_BRANCH
            },
        )


def _titles(file: File) -> dict[str, str]:
    """What the sessions in a file are called; their titles stand below what was said."""
    titles: dict[str, dict[str, str]] = {kind: {} for kind in TITLES}
    for _, line in streamed_lines(file):
        if isinstance(line, Refused) or len(line) > TITLE_LINE_BYTES or b"-title" not in line:
            continue
        fields = object_or_empty(parse_or_refusal(line))
        kind, session = fields.get("type"), fields.get("sessionId")
        if kind in TITLES and isinstance(session, str):
            name = title(fields.get(TITLES[kind]))
            titles[kind] |= {session: name} if name else {}
    return titles["ai-title"] | titles["custom-title"]
