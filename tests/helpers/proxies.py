"""A proxy between driver and server that loses bytes on purpose; it reads none of them."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK = 65536


class Proxy:
    """Forwards bytes both ways until it is told to lose some; a context manager.

    Args:
        port: Where the server listens, on 127.0.0.1.

    Attributes:
        port: Where the proxy listens.
        losing: How many of the server's next answers are lost, each with its connection.
        swallowing: How many of the server's next answers are lost while their connections stay.
        holding: Whether the next bytes of the client are held back and its connection is lost.
        held: Sends the server what was held back; None while nothing is.
        dropped: Ends the server's side of the connection whose bytes were held back.
    """

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._sockets: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self.losing = 0
        self.swallowing = 0
        self.holding = False
        self.held: Callable[[], None] | None = None
        self.dropped: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        self._run(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        # What blocks in `accept` is woken by this, and not by closing alone.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join()

    def cut(self) -> None:
        """End every connection now, whatever is under way."""
        for connection in list(self._sockets):
            self._end(connection)

    def lose_answer(self) -> None:
        """Lose the server's next answer, and the connection with it."""
        self.losing = 1

    def swallow_answer(self) -> None:
        """Lose the server's next answer, and leave the connection open."""
        self.swallowing = 1

    def hold(self) -> None:
        """Hold back what the client sends next, and end its connection; the server's stays."""
        self.holding = True

    def _run(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server_port))
                self._sockets |= {client, server}
                self._run(self._to_server, client, server)
                self._run(self._to_client, server, client)

    def _to_server(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(CHUNK):
                if self.holding:
                    self.holding = False
                    self.dropped = lambda: self._end(server)
                    self.held = lambda data=data: server.sendall(data)
                    self._end(client)
                    return
                server.sendall(data)
        self._end(server)

    def _to_client(self, server: socket.socket, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(CHUNK):
                if self.swallowing > 0:
                    self.swallowing -= 1
                    continue
                if self.losing > 0:
                    self.losing -= 1
                    break
                client.sendall(data)
        self._end(server)
        self._end(client)

    def _end(self, one: socket.socket) -> None:
        self._sockets.discard(one)
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
