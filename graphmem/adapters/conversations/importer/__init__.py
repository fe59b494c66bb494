"""Conversations: one entity a turn, linked to the next one and to the conversation it is part of.

Eight shapes are read, and told apart by what they hold: JSON lines of turns (`lines`), sessions of
Claude Code (`claude_code`), Codex (`codex`), Copilot CLI (`copilot_cli`), Gemini CLI (`gemini_cli`)
and OpenCode (`opencode`), and the `conversations.json` of an export of ChatGPT (`chatgpt`) and of
Claude (`claude`). What is gone from a file stays in the store: a log that is rotated or cut takes
nothing with it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from graphmem.adapters.conversations.importer import (
    chatgpt,
    claude,
    claude_code,
    codex,
    copilot_cli,
    gemini_cli,
    lines,
    opencode,
)
from graphmem.adapters.conversations.importer.turns import Transcript, Turn
from graphmem.errors import InvalidInput
from graphmem.importing.format import Format
from graphmem.importing.json_text import parsed_items, parsed_lines
from graphmem.importing.opening import File
from graphmem.importing.reading import MIB, streamed_lines, text_of
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.walking import files_at, with_progress
from graphmem.progress import SILENT, Progress

LINES = (".jsonl", ".ndjson")
DOCUMENT = ".json"
DATABASE = ".db"
# The text is in memory, and one conversation of it beside that; lines may be as many as there are.
DOCUMENT_BYTES = 512 * MIB

_SHAPES = (
    "must be a conversation of an export: an object with `mapping` (ChatGPT), `chat_messages` "
    "(Claude), or `info` and `messages` (OpenCode)"
)


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one file, or the conversations of a folder and its subfolders, in the order of paths.

    Of a folder those are `*.jsonl`, `*.ndjson` and `conversations*.json`, and no database.
    """
    listing = files_at(path, takes=_is_wanted)
    yield from listing.refusals
    transcript, sessions, exported = Transcript(), claude_code.Sessions(), opencode.Sessions()
    for file in with_progress(listing.files, progress):
        has_lines = file.path.suffix.lower() not in {DOCUMENT, DATABASE}
        yield from (
            _lines(file, transcript, sessions)
            if has_lines
            else _document(file, transcript, exported)
        )


FORMAT = Format(
    rows,
    "chats: JSON lines, exports of ChatGPT and Claude, sessions of Claude Code, Codex, "
    "Copilot CLI, Gemini CLI, OpenCode",
)


def _is_wanted(parts: tuple[str, ...]) -> bool:
    name = parts[-1].lower()
    return name.endswith(LINES) or (name.startswith("conversations") and name.endswith(DOCUMENT))


def _lines(file: File, transcript: Transcript, sessions: claude_code.Sessions) -> Iterator[Row]:
    """Read lines, all of the shape that the first one has which is JSON."""
    numbered_lines = parsed_lines(streamed_lines(file))
    placed_lines = ((file.place_of(number), value) for number, value in numbered_lines)
    for place, value in placed_lines:
        if isinstance(value, Refused):
            yield refused(place, value)
            continue
        turns = _lines_reader(value, sessions)(chain([(place, value)], placed_lines), file)
        yield from transcript.rows(turns)


def _lines_reader(
    value: object, sessions: claude_code.Sessions
) -> Callable[[Iterable[tuple[str, object]], File], Iterator[Turn | Row]]:
    """The function that reads lines of this shape."""
    fields: Any = value if isinstance(value, dict) else {}
    if gemini_cli.MARK in fields:
        return gemini_cli.turns
    if "type" not in fields or "conversation" in fields:
        return lines.turns
    if "payload" in fields:
        return codex.turns
    if fields.keys() >= copilot_cli.LINE_FIELDS:
        return copilot_cli.turns
    return lines.turns if claude_code.LINE_FIELDS.isdisjoint(fields) else sessions.turns


def _document(file: File, transcript: Transcript, sessions: opencode.Sessions) -> Iterator[Row]:
    """Read the conversations of an export or a database, one at a time."""
    try:
        for index, (part, value) in enumerate(_conversations(file)):
            place = f"{file.place}:{part}"
            name = f"{file.place}[{index}]"
            if isinstance(value, Refused):
                yield refused(place, value, name=name)
                continue
            try:
                turns = _reader(value, sessions)(value, place=place, file=file.place)
            except InvalidInput as error:
                yield refused(place, error, name=name)
                continue
            yield from transcript.rows(turns)
    except Refused as error:
        yield refused(file.place, error)


def _conversations(file: File) -> Iterator[tuple[int | str, object]]:
    """The conversations of a file, each with its line or its id.

    Raises:
        Refused: The file cannot be read.
    """
    if file.path.suffix.lower() == DATABASE:
        yield from opencode.sessions(file)
    else:
        yield from parsed_items(text_of(file, limit=DOCUMENT_BYTES))


def _reader(value: object, sessions: opencode.Sessions) -> Callable[..., Iterator[Turn | Row]]:
    """The function that reads a conversation of this shape.

    Raises:
        InvalidInput: It has none of them.
    """
    fields: Any = value if isinstance(value, dict) else {}
    if "mapping" in fields:
        return chatgpt.turns
    if "chat_messages" in fields:
        return claude.turns
    if fields.keys() >= opencode.SESSION_FIELDS:
        return sessions.turns
    raise InvalidInput("conversation", value, _SHAPES)
