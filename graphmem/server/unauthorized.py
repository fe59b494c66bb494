"""What a caller without a token of the server reads: what to send, and who has it."""

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SEND = (
    "send the header `Authorization: Bearer TOKEN` with the one in GRAPHMEM_TOKEN or "
    "GRAPHMEM_TOKENS, which whoever runs the server knows"
)
REFUSED = HTTPStatus.UNAUTHORIZED
MISSING = f"this server takes a token: {SEND}"
WRONG = f"this server does not know the token that was sent: {SEND}"


class Unauthorized:
    """Says in a sentence why a request is refused, where the MCP libraries send nothing.

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
            if message["type"] == "http.response.start" and message["status"] == REFUSED:
                is_refused = True
                await _refuse(message, send)
            elif not is_refused:
                await send(message)

        await self._app(scope, receive, send_plain)


async def _refuse(start: "Message", send: "Send") -> None:
    """Send the whole answer; as the standard asks, only of a wrong token it is an error."""
    headers = dict(start["headers"])
    answer = {"error_description": MISSING}
    challenge = "Bearer"
    if b"error=" in headers.get(b"www-authenticate", b""):
        answer = {"error": "invalid_token", "error_description": WRONG}
        challenge = f'Bearer error="invalid_token", error_description="{WRONG}"'
    body = json.dumps(answer).encode()
    fields = {
        b"content-type": b"application/json",
        b"content-length": str(len(body)).encode(),
        b"www-authenticate": challenge.encode(),
    }
    await send({**start, "headers": list((headers | fields).items())})
    await send({"type": "http.response.body", "body": body})
