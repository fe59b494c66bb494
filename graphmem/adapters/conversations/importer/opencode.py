"""Sessions of OpenCode: those of its database `opencode.db`, and what `opencode export` writes.

What a person and the agent said to each other is read, and nothing else: neither the agent's
reasoning nor what tools and sub-agents were given and returned, nor what was undone, nor a summary
of what stands before it.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any

from graphmem.adapters.conversations.importer.sessions import joined, text_of
from graphmem.adapters.conversations.importer.turns import Conversation, Turn, title
from graphmem.adapters.conversations.importer.values import (
    identifier,
    is_text,
    list_or_empty,
    moment,
    object_or_empty,
)
from graphmem.errors import InvalidInput
from graphmem.importing.database import opened_database
from graphmem.importing.json_text import parse_or_refusal
from graphmem.importing.opening import File
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row

TOOL = "OpenCode"
# The fields that an exported session has.
SESSION_FIELDS = frozenset({"info", "messages"})
SPEAKERS = frozenset({"user", "assistant"})
# What a session is called until the agent has found a title.
NO_TITLE = re.compile(r"New session - \d{4}-\d{2}-\d{2}T\S*")

_SESSIONS = """
SELECT id, parent_id AS parentID, title, directory, time_created AS created, revert
FROM session
ORDER BY time_created, id
"""
# What tools returned is left in the database.
_PARTS = """
SELECT message.id AS id, message.data AS message, part.data AS part
FROM message JOIN part ON part.message_id = message.id
WHERE message.session_id = ?
  AND CASE WHEN json_valid(part.data)
    THEN json_extract(part.data, '$.type') IN ('text', 'file') ELSE TRUE END
ORDER BY message.time_created, message.id, part.id
"""


class Sessions:
    """The sessions of one import; what a fork repeats of another session is read once."""

    def __init__(self) -> None:
        # Digests: a fork has copies of messages, with the same moments under other ids.
        self._read: set[int] = set()

    def turns(self, session: Mapping[str, Any], *, place: str, file: str) -> Iterator[Turn | Row]:
        """Read a session; that of a sub-agent has no turns.

        Raises:
            InvalidInput: The session itself cannot be used.
        """
        info = object_or_empty(session["info"])
        if info.get("parentID") is not None:
            return iter(())
        identity = identifier("info.id", info.get("id"))
        began = _moment("info.time.created", info)
        name = title(info.get("title"))
        if name and NO_TITLE.fullmatch(name):
            name = None
        conversation = Conversation.of_export(TOOL, identity, began, title=name)
        messages = session["messages"]
        if not isinstance(messages, list):
            raise InvalidInput("messages", messages, "must be a list of messages")
        # What was undone is kept until the session goes on.
        end = object_or_empty(info.get("revert")).get("messageID")
        kept = takewhile(lambda message: end is None or _info(message).get("id") != end, messages)
        folder = {"cwd": info["directory"]} if is_text(info.get("directory")) else {}
        blank = Turn(place, file, conversation, id="", speaker="", text="", attributes=folder)
        return joined(self._turns(kept, blank))

    def _turns(self, messages: Iterable[object], blank: Turn) -> Iterator[Turn | Row]:
        for index, message in enumerate(messages):
            try:
                turn = _turn(message, blank)
            except (Refused, InvalidInput) as error:
                name = _info(message).get("id") or f"messages[{index}]"
                yield refused(blank.place, error, name=f"{blank.conversation.name}/{name}")
                continue
            if turn is not None and not self._is_repeated(turn):
                yield turn

    def _is_repeated(self, turn: Turn) -> bool:
        digest = hash((turn.time, turn.speaker, turn.text))
        is_repeated = turn.time is not None and digest in self._read
        self._read.add(digest)
        return is_repeated


def sessions(file: File) -> Iterator[tuple[str, dict[str, Any]]]:
    """The sessions in a database as they are exported, the oldest first, each with its id.

    Raises:
        Refused: It cannot be read, or is a database of another program.
    """
    with opened_database(file, program=TOOL) as connection:
        for session in connection.execute(_SESSIONS).fetchall():
            # All at once, so that nothing is held open until they are written.
            rows = connection.execute(_PARTS, (session["id"],)).fetchall()
            messages = [_message(list(parts)) for _, parts in groupby(rows, itemgetter("id"))]
            revert = _parsed(session["revert"])
            info = {**dict(session), "time": {"created": session["created"]}, "revert": revert}
            yield session["id"], {"info": info, "messages": messages}


def _message(rows: Sequence[sqlite3.Row]) -> dict[str, Any]:
    """A message as it is exported; what is no JSON is among its parts, as `Refused`."""
    value = _parsed(rows[0]["message"])
    parts = [_parsed(row["part"]) for row in rows]
    info = {**object_or_empty(value), "id": rows[0]["id"]}
    return {"info": info, "parts": [value, *parts] if isinstance(value, Refused) else parts}


def _parsed(value: object) -> object:
    return parse_or_refusal(str(value))


def _turn(message: object, blank: Turn) -> Turn | None:
    """What was said; None for what nobody said.

    Raises:
        Refused: A part of the message is no JSON.
        InvalidInput: A field of it cannot be used.
    """
    info = _info(message)
    parts = list_or_empty(object_or_empty(message).get("parts"))
    if broken := [part for part in parts if isinstance(part, Refused)]:
        raise broken[0]
    speaker = str(info.get("role"))
    if speaker not in SPEAKERS or info.get("summary") is True:
        return None
    text = text_of([part for part in parts if _is_spoken(object_or_empty(part))])
    if not text:
        return None
    return replace(
        blank,
        id=identifier("info.id", info.get("id")),
        speaker=speaker,
        text=text,
        time=_moment("info.time.created", info),
    )


def _is_spoken(part: Mapping[str, Any]) -> bool:
    """Whether a part of a message is an image, or a text that no program put in."""
    if part.get("type") == "file":
        return True
    return part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")


def _info(message: object) -> dict[str, Any]:
    return object_or_empty(object_or_empty(message).get("info"))


def _moment(argument: str, info: Mapping[str, Any]) -> datetime | None:
    return moment(argument, object_or_empty(info.get("time")).get("created"), per_second=1000)
