"""A small server for tests that speaks the OpenAI embeddings format, and does as it is told."""

from __future__ import annotations

import json
import threading
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from fakes import vector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DIMENSIONS = 16


@dataclass
class Given:
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        texts: list[str] = self.body["input"]
        return texts


@dataclass
class Reply:
    """What is answered instead of embeddings; a status of None ends the connection unanswered.

    A body in pieces goes out piece by piece.
    """

    status: int | None = 200
    body: str | bytes | Iterator[bytes] = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class EmbeddingServer:
    """Embeds by `fakes.vector`, unless it is told something else.

    Args:
        dimensions: The length of its embeddings, where a request does not name one.
        replies: What is answered to the next requests, in this order.
        refuses: Gives the answer to a request that it refuses; None for one that it serves.
        alters: Changes an answer's list of embeddings before it is sent.
        shortens: Whether it heeds the dimensions of a request.
        begins: Called with each request before it is answered, in a thread of its own.
        requests: What came in.
    """

    dimensions: int = DIMENSIONS
    replies: deque[Reply] = field(default_factory=deque)
    refuses: Callable[[Given], Reply | None] = lambda _: None
    alters: Callable[[list[dict[str, Any]]], object] = lambda items: items
    shortens: bool = True
    begins: Callable[[Given], object] = lambda _: None
    requests: list[Given] = field(default_factory=list)
    port: int = 0
    _server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def embedded(self) -> list[str]:
        """The texts of all requests, beside those that tell a model."""
        return [text for request in self.requests for text in request.texts]

    def start(self) -> None:
        """Listen, on the port of before if there was one."""
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # The body would wait for the head to be acknowledged: 40 ms for each request.
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                with suppress(ConnectionError):
                    server._answer(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        ThreadingHTTPServer.allow_reuse_address = True
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Listen no more; a second call does nothing."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers["Content-Length"])
        given = Given(handler.path, dict(handler.headers), json.loads(handler.rfile.read(length)))
        self.requests.append(given)
        self.begins(given)
        # Connections that are kept from before it was stopped end with it.
        reply = Reply(None) if self._server is None else self._reply(given)
        if reply.status is None:
            handler.close_connection = True
            return
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        if isinstance(body, bytes):
            handler.send_header("Content-Length", str(len(body)))
        else:
            handler.send_header("Connection", "close")
        handler.end_headers()
        for piece in [body] if isinstance(body, bytes) else body:
            handler.wfile.write(piece)

    def _reply(self, given: Given) -> Reply:
        if self.replies:
            return self.replies.popleft()
        if (refusal := self.refuses(given)) is not None:
            return refusal
        asked = given.body.get("dimensions") if self.shortens else None
        items = [
            {
                "object": "embedding",
                "index": index,
                "embedding": vector(text, asked or self.dimensions),
            }
            for index, text in enumerate(given.texts)
        ]
        return Reply(body=json.dumps({"object": "list", "data": self.alters(items)}))


@contextmanager
def serving(*, dimensions: int = DIMENSIONS) -> Iterator[EmbeddingServer]:
    """Give a server that listens on loopback, and see to it that it is stopped."""
    server = EmbeddingServer(dimensions)
    server.start()
    try:
        yield server
    finally:
        server.stop()
