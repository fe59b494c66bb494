"""Conversations as ChatGPT exports them: a tree of messages, of which one branch is shown.

A message that was edited, or an answer that was made anew, begins a branch. Each branch is read;
what the conversation no longer shows has the status `superseded`. Not read are messages that are
hidden from the conversation, a model's thinking, what it asks a search for, and nodes without a
message.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from graphmem.adapters.conversations.importer.citations import shown_text
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

TOOL = "ChatGPT"
THINKING = frozenset({"thoughts", "reasoning_recap"})

# Tools that search for the model: what it asks them is JSON that nobody sees.
SEARCHES = frozenset({"browser", "file_search", "web"})

_HIDDEN = "is_visually_hidden_from_conversation"
# Where the kinds of content keep their text.
_TEXTS = ("text", "result", "user_profile", "user_instructions")
_POINTER = "_asset_pointer"


def turns(value: Mapping[str, Any], *, place: str, file: str) -> Iterator[Turn | Row]:
    """Read a conversation, each message after the one it answers.

    Raises:
        InvalidInput: The conversation itself cannot be used.
    """
    identity = identifier("conversation_id", value.get("conversation_id") or value.get("id"))
    nodes = value["mapping"]
    if not isinstance(nodes, dict) or not all(isinstance(node, dict) for node in nodes.values()):
        raise InvalidInput("mapping", nodes, "must be an object of nodes")
    began = moment("create_time", value.get("create_time"))
    conversation = Conversation.of_export(TOOL, identity, began, title=title(value.get("title")))
    blank = Turn(place, file, conversation, id="", speaker="", text="")
    return _turns(nodes, _branch(nodes, value.get("current_node")), blank)


def _turns(
    nodes: Mapping[str, dict[str, Any]], branch: frozenset[str], blank: Turn
) -> Iterator[Turn | Row]:
    """The turns, each with the nearest one above it in the tree."""
    nearest_turns: dict[str, str | None] = {}
    for name in _in_order(nodes):
        node = nodes[name]
        parent = node.get("parent")
        previous = nearest_turns.get(parent) if isinstance(parent, str) else None
        nearest_turns[name] = previous
        try:
            turn = _turn(name, node.get("message"), blank)
        except InvalidInput as error:
            full_name = f"{blank.conversation.name}/{short_id(name)}"
            yield refused(blank.place, error, name=full_name)
            continue
        if turn is not None:
            nearest_turns[name] = turn.name
            status = None if name in branch else "superseded"
            yield replace(turn, previous=previous, is_first=previous is None, status=status)


def _in_order(nodes: Mapping[str, dict[str, Any]]) -> list[str]:
    """The names of the nodes, parents before children; what hangs on nothing comes last."""
    children: dict[str | None, list[str]] = {}
    for name, node in nodes.items():
        parent = node.get("parent")
        is_known = isinstance(parent, str) and parent in nodes
        children.setdefault(parent if is_known else None, []).append(name)
    order: dict[str, None] = {}
    stack = children.get(None, [])[::-1]
    while stack:
        name = stack.pop()
        order[name] = None
        stack += children.get(name, [])[::-1]
    return [*order, *(name for name in nodes if name not in order)]


def _branch(nodes: Mapping[str, dict[str, Any]], current: object) -> frozenset[str]:
    """The nodes that the conversation shows; all of them where it does not say."""
    branch: set[str] = set()
    while isinstance(current, str) and current in nodes and current not in branch:
        branch.add(current)
        current = nodes[current].get("parent")
    return frozenset(branch or nodes)


def _turn(node: str, message: object, blank: Turn) -> Turn | None:
    """A message as a turn; None where nothing of it is to be read."""
    if message is None:
        return None
    if not isinstance(message, dict):
        raise InvalidInput("message", message, "must be an object")
    metadata = object_or_empty(message.get("metadata"))
    author = object_or_empty(message.get("author"))
    content = object_or_empty(message.get("content"))
    is_thinking = str(content.get("content_type")) in THINKING
    is_search = str(message.get("recipient")).partition(".")[0] in SEARCHES
    if metadata.get(_HIDDEN) or is_thinking or is_search:
        return None
    exported_text = _text(content)
    if not exported_text:
        _check_empty(content)
    text = shown_text(exported_text, metadata).strip()
    if not text:
        return None
    return replace(
        blank,
        id=short_id(identifier("id", message.get("id") or node)),
        speaker=identifier("author.role", author.get("role")),
        text=text,
        time=moment("create_time", message.get("create_time")),
        attributes=_attributes(author, metadata),
    )


def _text(content: Mapping[str, Any]) -> str:
    pieces = [_piece(part) for part in list_or_empty(content.get("parts"))]
    pieces += [content[name] for name in _TEXTS if isinstance(content.get(name), str)]
    return "\n\n".join(piece.strip() for piece in pieces if piece.strip())


def _piece(part: object) -> str:
    """A part of a message as text: what is no text is named, such as `[image]`."""
    if isinstance(part, str):
        return part
    fields = object_or_empty(part)
    text = fields.get("text")
    if isinstance(text, str):
        return text
    kind = fields.get("content_type")
    return f"[{kind.removesuffix(_POINTER).replace('_', ' ')}]" if isinstance(kind, str) else ""


def _check_empty(content: Mapping[str, Any]) -> None:
    """Refuse a content that holds something of which no text is known."""
    full_fields = [
        name for name, value in content.items() if name != "content_type" and _holds(value)
    ]
    if full_fields:
        kind = content.get("content_type")
        raise InvalidInput(
            "content", kind, f"must have its text in parts or text, not in {full_fields[0]}"
        )


def _holds(value: object) -> bool:
    if isinstance(value, list):
        return any(_holds(item) for item in value)
    return (
        bool(value.strip()) if isinstance(value, str) else isinstance(value, dict) and bool(value)
    )


def _attributes(author: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, object]:
    """The author's own name, the model, and the names of the attachments, where they are said."""
    origin = {"author": author.get("name"), "model": metadata.get("model_slug")}
    attributes: dict[str, object] = {
        name: value for name, value in origin.items() if is_text(value)
    }
    attachments = map(object_or_empty, list_or_empty(metadata.get("attachments")))
    names = [name for attachment in attachments if is_text(name := attachment.get("name"))]
    return attributes | ({"attachments": names} if names else {})
