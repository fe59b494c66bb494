"""What clients send and the MCP library does not take: made readable, or refused in a sentence."""

import json
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pydantic
from mcp_types import JSONRPCNotification, jsonrpc_message_adapter
from pydantic_core import from_json
from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The MCP library refuses larger bodies.
BODY_BYTES = 4 * 1024 * 1024
# In JSON: an escaped backslash, a character written as two halves, a half on its own.
_ESCAPES = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)

# Errors of JSON-RPC, with what is allowed.
PARSE_ERROR, INVALID_REQUEST = -32700, -32600
NO_JSON = "a message must be JSON, with objects and lists nested at most 200 deep"
NO_MESSAGE = (
    'a message must be an object with "jsonrpc": "2.0" and a method; the id of a request must be '
    "text or a whole number, and its params an object"
)
NO_BATCH = "a message must be an object, not a list; send each message of the list on its own"


def repaired(json_text: bytes) -> bytes:
    """JSON in which the replacement character stands for half a character, of the same length.

    Clients that count as JavaScript does cut texts in the middle of an emoji. The MCP library takes
    no such text: over stdio the call would never be answered, and over HTTP it would fail.
    """
    return _ESCAPES.sub(lambda match: rb"\ufffd" if match[1] else match[0], json_text)


def messages(line: bytes) -> list[bytes]:
    """The messages of a line: those of a batch, which MCP 2025-03-26 has, each as its own line.

    The MCP library would answer none of them.
    """
    if not line.lstrip().startswith(b"["):
        return [line]
    try:
        return [json.dumps(message).encode() + b"\n" for message in json.loads(line)] or [line]
    except (ValueError, RecursionError):
        return [line]


def handshake_first(lines: list[bytes]) -> list[bytes]:
    """The lines of a client, its `initialize` before all others.

    A client of MCP 2026-07-28 asks for `server/discover`; if the server takes some seconds to
    start, it does not wait any longer and sends `initialize`. The MCP library stays with the
    protocol of the first request, and would refuse every later one of such a client.
    """
    return sorted(lines, key=lambda line: not _is_initialize(line))


def _is_initialize(line: bytes) -> bool:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("method") == "initialize"


def refusal(message: bytes) -> bytes | None:
    """The answer to a message that is not JSON-RPC; None for one that the MCP library reads.

    The library would leave it without an answer over stdio, and describe its own types over HTTP.
    """
    text = message.decode(errors="replace")
    try:
        read = jsonrpc_message_adapter.validate_json(text, by_name=False)
    except pydantic.ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
            return _error(PARSE_ERROR, NO_JSON)
    else:
        # The library takes a request whose id it does not know for a notification.
        if not isinstance(read, JSONRPCNotification) or "id" not in from_json(text):
            return None
    fields = from_json(text)
    if isinstance(fields, list):
        return _error(INVALID_REQUEST, NO_BATCH)
    return _error(
        INVALID_REQUEST, NO_MESSAGE, fields.get("id") if isinstance(fields, dict) else None
    )


def _error(code: int, sentence: str, request: object = None) -> bytes:
    """An error of JSON-RPC; its id is null where the message has none that is allowed."""
    known = request if isinstance(request, str | int) and not isinstance(request, bool) else None
    error: dict[str, Any] = {"code": code, "message": sentence}
    return json.dumps({"jsonrpc": "2.0", "id": known, "error": error}).encode()


class RepairedBodies:
    """Passes on requests with their bodies repaired, and answers those that hold no message.

    Nothing is read before the application asks for it, so that the body of a caller who is refused
    is not kept, nor more than the application takes.

    Args:
        app: What answers the requests.
    """

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        error: bytes | None = None
        is_answered = False

        async def receive_repaired() -> "Message":
            nonlocal error
            body = b""
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return message
                body += message.get("body", b"")
                is_too_large = len(body) > BODY_BYTES
                if is_too_large or not message.get("more_body", False):
                    body = repaired(body)
                    error = None if is_too_large or scope["method"] != "POST" else refusal(body)
                    # Nothing of a message that is refused reaches a tool.
                    return {**message, "body": body if error is None else b""}

        async def send_error(message: "Message") -> None:
            nonlocal is_answered
            if error is None:
                await send(message)
            elif not is_answered:
                is_answered = True
                answer = Response(error, HTTPStatus.BAD_REQUEST, media_type="application/json")
                await answer(scope, receive, send)

        await self._app(scope, receive_repaired, send_error)
