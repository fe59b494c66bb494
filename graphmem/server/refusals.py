"""What a client reads whose request is refused before it is a call: what to send instead."""

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from graphmem.errors import shortened
from graphmem.model.visible import visible

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SEND = (
    "send the header `Authorization: Bearer TOKEN` with the one in GRAPHMEM_TOKEN or "
    "GRAPHMEM_TOKENS, which whoever runs the server knows"
)
MISSING = f"this server takes a token: {SEND}"
WRONG = f"this server does not know the token that was sent: {SEND}"
MCP, HEALTH = "/mcp", "/health"
# Where the libraries say a word, or nothing.
SENTENCES = {
    HTTPStatus.BAD_REQUEST: "send the header `Content-Type: application/json`",
    HTTPStatus.FORBIDDEN: (
        "a web page of {origin} may not call this server; only those of its own address and of "
        "localhost may"
    ),
    HTTPStatus.NOT_FOUND: (
        f"nothing is at this path; MCP is at {MCP}, and the server's health at {HEALTH}"
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: (
        f"send messages of MCP to {MCP} by POST, and ask for {HEALTH} by GET"
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "a request may have at most 4 MiB; send less at a time",
    HTTPStatus.MISDIRECTED_REQUEST: (
        "this server is not called {host}; whoever runs it can add the name to "
        "GRAPHMEM_ALLOWED_HOSTS"
    ),
}


class Refusals:
    """Says in a sentence why a request is refused, where the libraries say a word or nothing.

    Of a wrong token they say that a client gets a new one by itself, as if the server spoke OAuth.
    Clients show their user the body of such an answer.

    Args:
        app: What answers the requests.
    """

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        is_refused = False

        async def send_plain(message: "Message") -> None:
            nonlocal is_refused
            if message["type"] == "http.response.start":
                if message["status"] == HTTPStatus.UNAUTHORIZED:
                    is_refused = True
                    await _refuse(message, send)
                    return
                sentence = _sentence(scope, message)
                if sentence is not None:
                    is_refused = True
                    content = b"" if scope["method"] == "HEAD" else f"{sentence}\n".encode()
                    await _answer(message, send, content, b"text/plain; charset=utf-8")
                    return
            if not is_refused:
                await send(message)

        # A slash at the end would be led to an address without what a proxy has before it.
        if scope["type"] == "http" and scope["path"] == f"{MCP}/":
            scope = {**scope, "path": MCP, "raw_path": MCP.encode()}
        await self._app(scope, receive, send_plain)


def _sentence(scope: "Scope", start: "Message") -> str | None:
    """Why a request is refused; None for what is said already, or is no refusal of these."""
    if dict(start["headers"]).get(b"content-type", b"").startswith(b"application/json"):
        return None
    headers = Headers(scope=scope)
    sentence = SENTENCES.get(start["status"])
    return sentence and sentence.format(
        host=_shown(headers.get("host")), origin=_shown(headers.get("origin"))
    )


def _shown(value: str | None) -> str:
    return visible(shortened(value or ""))


async def _refuse(start: "Message", send: "Send") -> None:
    """Send the whole answer; as the standard asks, only of a wrong token it is an error."""
    headers = dict(start["headers"])
    answer = {"error_description": MISSING}
    challenge = "Bearer"
    if b"error=" in headers.get(b"www-authenticate", b""):
        answer = {"error": "invalid_token", "error_description": WRONG}
        challenge = f'Bearer error="invalid_token", error_description="{WRONG}"'
    body = json.dumps(answer).encode()
    challenged = {**start, "headers": [*headers.items(), (b"www-authenticate", challenge.encode())]}
    await _answer(challenged, send, body, b"application/json")


async def _answer(start: "Message", send: "Send", body: bytes, content_type: bytes) -> None:
    """Send an answer with another body."""
    fields = {b"content-type": content_type, b"content-length": str(len(body)).encode()}
    await send({**start, "headers": list((dict(start["headers"]) | fields).items())})
    await send({"type": "http.response.body", "body": body})
