"""What the logs of coding agents have in common: what was said, without what a program put in."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from graphmem.adapters.conversations.importer.turns import Turn
from graphmem.adapters.conversations.importer.values import list_or_empty, object_or_empty
from graphmem.errors import InvalidInput
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row

# A person asks, and an agent says something before and after each of many steps: that is one turn.
TURN_CHARACTERS = 100_000
IMAGE = "[image]"
# Of Claude Code and of Codex.
IMAGE_TYPES = frozenset({"image", "input_image"})
# What programs put into what a user says, between tags of these names.
TAGS = (
    "bash-input", "bash-stderr", "bash-stdout", "command-args", "command-contents",
    "command-message", "command-name", "environment_context", "ide_diagnostics", "ide_opened_file",
    "ide_selection", "local-command-caveat", "local-command-stderr", "local-command-stdout",
    "session_context", "subagent_notification", "system-reminder", "task-notification",
    "turn_aborted", "user-memory-input", "user-prompt-submit-hook", "user_instructions",
    "user_shell_command",
)  # fmt: skip
_OPENING = re.compile(rf"<({'|'.join(TAGS)})(?:\s[^<>]*)?>")


def without_insertions(text: str) -> str:
    """A text without what programs put into it; of a command its name and what it was given."""
    kept: list[str] = []
    tagged: dict[str, str] = {}
    unclosed: set[str] = set()
    place = 0
    for opening in _OPENING.finditer(text):
        name = opening[1]
        if opening.start() < place or name in unclosed:
            continue
        end = text.find(f"</{name}>", opening.end())
        if end < 0:
            unclosed.add(name)
            continue
        kept.append(text[place : opening.start()])
        tagged[name] = text[opening.end() : end].strip()
        place = end + len(f"</{name}>")
    kept.append(text[place:])
    if tagged.get("command-args"):
        kept.insert(0, f"{tagged.get('command-name', '')} {tagged['command-args']}\n")
    return "".join(kept).strip()


def texts_of(content: object) -> list[str]:
    """The texts of a message that are not blank, without insertions; images are named.

    Args:
        content: A text, or a list of objects that have a `text` or are an image.
    """
    pieces = [{"text": content}] if isinstance(content, str) else list_or_empty(content)
    texts: list[str] = []
    for piece in map(object_or_empty, pieces):
        is_image = (
            piece.get("type") in IMAGE_TYPES
            or "inlineData" in piece
            or str(piece.get("mime")).startswith("image/")
        )
        text = IMAGE if is_image else piece.get("text")
        texts.append(without_insertions(text) if isinstance(text, str) else "")
    return [text for text in texts if text]


def text_of(content: object) -> str:
    """The same as one text, empty where nothing was said."""
    return "\n\n".join(texts_of(content))


def turns_of(
    lines: Iterable[tuple[str, object]], turn_of: Callable[[dict[str, Any], str], Turn | None]
) -> Iterator[Turn | Row]:
    """The joined turns of the lines of a session, and a refusal of each line that cannot be used.

    Args:
        lines: The values of the lines, each with its place.
        turn_of: What was said in a line at a place; None where nothing was. It may raise
            `InvalidInput`.
    """
    return joined(_turns(lines, turn_of))


def _turns(
    lines: Iterable[tuple[str, object]], turn_of: Callable[[dict[str, Any], str], Turn | None]
) -> Iterator[Turn | Row]:
    for place, value in lines:
        try:
            if isinstance(value, Refused):
                raise value
            turn = turn_of(object_or_empty(value), place)
        except (Refused, InvalidInput) as error:
            yield refused(place, error)
            continue
        if turn is not None:
            yield turn


def joined(turns: Iterable[Turn | Row]) -> Iterator[Turn | Row]:
    """Join what one speaker said, one after the other in a session, to one turn."""
    pending: Turn | None = None
    for turn in turns:
        if isinstance(turn, Row):
            yield turn
        elif pending is not None and _is_continued(pending, turn):
            pending = replace(pending, text=f"{pending.text}\n\n{turn.text}")
        else:
            if pending is not None:
                yield pending
            pending = turn
    if pending is not None:
        yield pending


def _is_continued(turn: Turn, next_turn: Turn) -> bool:
    is_same = (turn.group_name, turn.speaker) == (next_turn.group_name, next_turn.speaker)
    return is_same and len(turn.text) + len(next_turn.text) < TURN_CHARACTERS
