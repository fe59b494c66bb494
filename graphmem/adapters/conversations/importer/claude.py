"""Conversations as Claude exports them: a list of messages, each with its texts and attachments.

The text of an attachment becomes an observation of its turn. Not read are a model's thinking and
what tools were given and returned.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from graphmem.adapters.conversations.importer.turns import Conversation, Turn, title
from graphmem.adapters.conversations.importer.values import (
    identifier,
    is_text,
    list_or_empty,
    moment,
    object_or_empty,
    short_id,
)
from graphmem.errors import InvalidInput
from graphmem.importing.refusing import refused
from graphmem.importing.row import Row
from graphmem.model import limits

TOOL = "Claude"
THINKING = "thinking"


def turns(value: Mapping[str, Any], *, place: str, file: str) -> Iterator[Turn | Row]:
    """Read a conversation, message by message.

    Raises:
        InvalidInput: The conversation itself cannot be used.
    """
    identity = identifier("uuid", value.get("uuid"))
    messages = value["chat_messages"]
    if not isinstance(messages, list):
        raise InvalidInput("chat_messages", messages, "must be a list of messages")
    began = moment("created_at", value.get("created_at"))
    summary = value.get("summary")
    conversation = Conversation.of_export(
        TOOL,
        identity,
        began,
        title=title(value.get("name")),
        summary=summary if is_text(summary) else None,
    )
    return _turns(messages, Turn(place, file, conversation, id="", speaker="", text=""))


def _turns(messages: list[object], blank: Turn) -> Iterator[Turn | Row]:
    by_id: dict[object, str] = {}
    last_turn: str | None = None
    for index, message in enumerate(messages):
        try:
            turn = _turn(message, blank)
        except InvalidInput as error:
            name = f"{blank.conversation.name}/chat_messages[{index}]"
            yield refused(blank.place, error, name=name)
            continue
        if turn is not None:
            fields = object_or_empty(message)
            parent = fields.get("parent_message_uuid")
            previous = by_id.get(parent, last_turn) if isinstance(parent, str) else last_turn
            yield replace(turn, previous=previous, is_first=previous is None)
            last_turn = turn.name
            by_id[fields.get("uuid")] = last_turn


def _turn(message: object, blank: Turn) -> Turn | None:
    """A message as a turn; None where it is empty."""
    if not isinstance(message, dict):
        raise InvalidInput("message", message, "must be an object")
    time = moment("created_at", message.get("created_at"))
    attachments = _objects(message, "attachments")
    files = [*attachments, *_objects(message, "files")]
    names = [fields["file_name"] for fields in files if is_text(fields.get("file_name"))]
    text = _text(message) or "\n".join(f"[{name}]" for name in names)
    if not text:
        _check_empty(message)
        return None
    return replace(
        blank,
        id=short_id(identifier("uuid", message.get("uuid"))),
        speaker=identifier("sender", message.get("sender")),
        text=text,
        time=time,
        observations=tuple(
            {
                "text": attachment["extracted_content"],
                "created_at": time,
                "source": _source(attachment),
            }
            for attachment in attachments
            if is_text(attachment.get("extracted_content"))
        ),
        attributes={"attachments": names} if names else {},
    )


def _text(message: Mapping[str, Any]) -> str:
    """The texts of a message; older exports have them in one field."""
    blocks = _objects(message, "content")
    texts = [block["text"] for block in blocks if is_text(block.get("text"))]
    if texts:
        return "\n\n".join(text.strip() for text in texts)
    text = message.get("text")
    return text.strip() if isinstance(text, str) else ""


def _check_empty(message: Mapping[str, Any]) -> None:
    """Refuse a message that has something in it, but no text."""
    kinds = [str(block.get("type")) for block in _objects(message, "content")]
    other_kinds = [kind for kind in kinds if kind not in {THINKING, "text"}]
    if other_kinds:
        raise InvalidInput("content", other_kinds[0], "must be text; the message has none")


def _source(attachment: Mapping[str, Any]) -> str | None:
    name = attachment.get("file_name")
    return name[: limits.LABEL_CHARACTERS // 4] if is_text(name) else None


def _objects(message: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects in a list of a message; an empty one for what is none."""
    return [object_or_empty(item) for item in list_or_empty(message.get(name))]
