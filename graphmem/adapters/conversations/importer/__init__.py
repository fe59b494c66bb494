"""Conversations: one entity a turn, linked to the next one and to the conversation it is part of.

Three shapes are read, and told apart by what they hold: JSON lines of turns (`lines`), and the
`conversations.json` of an export of ChatGPT (`chatgpt`) and of Claude (`claude`). What is gone from
a file stays in the store: a log that is rotated or cut takes nothing with it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graphmem.adapters.conversations.importer import chatgpt, claude, lines
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
# The text is in memory, and one conversation of it beside that; lines may be as many as there are.
DOCUMENT_BYTES = 512 * MIB

_SHAPES = (
    "must be a conversation of an export: an object with `mapping` (ChatGPT) or `chat_messages` "
    "(Claude)"
)


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one file, or the conversations of a folder and its subfolders, in the order of paths.

    Of a folder those are `*.jsonl`, `*.ndjson` and `conversations*.json`.
    """
    listing = files_at(path, takes=_is_wanted)
    yield from listing.refusals
    transcript = Transcript()
    for file in with_progress(listing.files, progress):
        is_document = file.path.suffix.lower() == DOCUMENT
        yield from (_document(file, transcript) if is_document else _lines(file, transcript))


FORMAT = Format(rows, "chats, as JSON lines of turns or as an export of ChatGPT or Claude")


def _is_wanted(parts: tuple[str, ...]) -> bool:
    name = parts[-1].lower()
    return name.endswith(LINES) or (name.startswith("conversations") and name.endswith(DOCUMENT))


def _lines(file: File, transcript: Transcript) -> Iterator[Row]:
    for number, value in parsed_lines(streamed_lines(file)):
        place = f"{file.place}:{number}" if number else file.place
        if isinstance(value, Refused):
            yield refused(place, value)
            continue
        try:
            turn = lines.turn(value, place=place, file=file.place)
        except InvalidInput as error:
            yield refused(place, error)
        else:
            yield from transcript.rows(turn)


def _document(file: File, transcript: Transcript) -> Iterator[Row]:
    try:
        items = parsed_items(text_of(file, limit=DOCUMENT_BYTES))
    except Refused as error:
        yield refused(file.place, error)
        return
    for index, (line, value) in enumerate(items):
        place = f"{file.place}:{line}"
        name = f"{file.place}[{index}]"
        if isinstance(value, Refused):
            yield refused(place, value, name=name)
            continue
        try:
            turns = _reader(value)(value, place=place, file=file.place)
        except InvalidInput as error:
            yield refused(place, error, name=name)
            continue
        for turn in turns:
            yield from ([turn] if isinstance(turn, Row) else transcript.rows(turn))


def _reader(value: object) -> Callable[..., Iterator[Turn | Row]]:
    """The function that reads a conversation of this shape.

    Raises:
        InvalidInput: It has neither.
    """
    fields: Any = value if isinstance(value, dict) else {}
    if "mapping" in fields:
        return chatgpt.turns
    if "chat_messages" in fields:
        return claude.turns
    raise InvalidInput("conversation", value, _SHAPES)
