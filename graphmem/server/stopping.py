"""The end of a server: the signals for it, and calls over HTTP that take longer than it waits."""

import asyncio
import os
import signal
import socket
import sys
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

from graphmem.server.lazy_memory import LazyMemory

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
# So long the answers to the calls that it no longer waits for may take to be sent.
SEND_SECONDS = 0.2
CLOSED = -1
GIVEN_UP = (
    b"the server stops and waits no longer for this call; what it was to write may be stored all "
    b"the same: look before you send it again\n"
)


def leave(opening: LazyMemory) -> None:
    """Close the memory and end the process with 0, in a thread: that may take seconds."""

    def close_and_exit() -> None:
        opening.close()
        sys.stderr.flush()
        os._exit(0)

    threading.Thread(target=close_and_exit, name="graphmem-stop", daemon=True).start()


class Stopping:
    """Ends the process soon after the web server gave up the calls in flight.

    The web server cancels their requests, and then waits for the threads that work on them, however
    long these take.

    Args:
        app: What answers the requests.
        opening: The memory, which is closed before.
        listener: What the server listens with; the web server closes it when it stops.
    """

    def __init__(self, app: "ASGIApp", opening: LazyMemory, listener: socket.socket) -> None:
        self._app = app
        self._opening = opening
        self._listener = listener
        self._is_leaving = False

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request, with a 503 if the server gives it up."""
        is_begun = False

        async def send_noting(message: "Message") -> None:
            nonlocal is_begun
            is_begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_noting)
        except asyncio.CancelledError:
            if scope["type"] != "http" or self._listener.fileno() != CLOSED:
                raise
            if not self._is_leaving:
                self._is_leaving = True
                # The loop sends on while the process ends.
                asyncio.get_running_loop().call_later(SEND_SECONDS, leave, self._opening)
            if not is_begun:
                answer = PlainTextResponse(GIVEN_UP, HTTPStatus.SERVICE_UNAVAILABLE)
                await answer(scope, receive, send)
