"""A connection that takes its time is closed, one that does not is served: with short times."""

import asyncio
import selectors
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from graphmem.server.http_timeouts import TimeoutProtocol

GET = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"
LARGE = 64 * 1024 * 1024


class Hasty(TimeoutProtocol):
    """The same with times that a test can wait for."""

    head_seconds = 0.3
    body_seconds = 0.6
    read_seconds = 0.3
    most_connections = 3


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI's
    if scope["path"] == "/early":
        head = [(b"content-length", b"1000")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b"y", "more_body": True})
    body = b"x" * LARGE if scope["path"] == "/large" else b""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message.get("body", b"")
        more = message.get("more_body", False)
    head = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})


class SteadySelector(selectors.DefaultSelector):
    """Counts the seconds that are waited for, and no others.

    A process that does not get to run for a while, as on a busy machine, is late with nothing.
    """

    seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        begun = time.monotonic()
        ready = super().select(timeout)
        waited = time.monotonic() - begun
        self.seconds += waited if timeout is None else min(waited, timeout)
        return ready


class SteadyLoop(asyncio.SelectorEventLoop):
    """An event loop by whose clock only waiting takes time."""

    def __init__(self) -> None:
        self._steady = SteadySelector()
        super().__init__(self._steady)

    def time(self) -> float:
        return self._steady.seconds


Connect = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.01)


def serving(test: Callable[[Connect, ServerState], Awaitable[None]]) -> None:
    async def run() -> None:
        config = Config(echo, lifespan="off", log_config=None)
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Hasty(config, state, {}), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        writers = []

        async def connect() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writers.append(writer)
            return reader, writer

        try:
            await test(connect, state)
        finally:
            for writer in writers:
                writer.close()
            server.close()
            for connection in list(state.connections):
                connection.transport.abort()

    with asyncio.Runner(loop_factory=SteadyLoop) as runner:
        runner.run(run())


def test_a_silent_connection_is_closed() -> None:
    async def silent(connect: Connect, _: ServerState) -> None:
        reader, _writer = await connect()
        assert await reader.read() == b""

    serving(silent)


@pytest.mark.parametrize("before", [b"", GET])
def test_slow_request_headers_are_not_waited_for(before: bytes) -> None:
    async def trickling(connect: Connect, _: ServerState) -> None:
        reader, writer = await connect()
        if before:
            writer.write(before)
            assert b"200" in await reader.readuntil(b"\r\n\r\n")
        writer.write(b"GET / HTTP/1.1\r\n")
        sent = 0
        closed = asyncio.ensure_future(reader.read())
        while not closed.done():
            writer.write(b"a")
            sent += 1
            await asyncio.wait({closed}, timeout=0.05)
        (said,) = await asyncio.gather(closed, return_exceptions=True)
        assert isinstance(said, ConnectionError) or said == b""
        assert sent > 1

    serving(trickling)


def test_a_slow_request_body_is_answered_and_closed() -> None:
    async def trickling(connect: Connect, _: ServerState) -> None:
        reader, writer = await connect()
        writer.write(b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n")
        closed = asyncio.ensure_future(reader.read())
        while not closed.done():
            writer.write(b"a")
            await asyncio.wait({closed}, timeout=0.05)
        # Where a byte was on its way when it closed, the network may take back what was said.
        (said,) = await asyncio.gather(closed, return_exceptions=True)
        assert isinstance(said, ConnectionError) or (
            isinstance(said, bytes) and said.startswith(b"HTTP/1.1 408 ")
        )

    serving(trickling)


def test_a_started_response_is_not_followed_by_another() -> None:
    async def trickling(connect: Connect, _: ServerState) -> None:
        reader, writer = await connect()
        writer.write(b"POST /early HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n")
        assert b"200" in await reader.readuntil(b"\r\n\r\n")
        assert await reader.read() == b"y"

    serving(trickling)


def test_a_slow_but_honest_body_is_read() -> None:
    async def slow(connect: Connect, _: ServerState) -> None:
        reader, writer = await connect()
        writer.write(b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n")
        for letter in (b"s", b"l", b"o", b"w"):
            await asyncio.sleep(0.1)
            writer.write(letter)
        assert b"200" in await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(4) == b"slow"

    serving(slow)


def test_an_answer_may_take_longer_than_the_request() -> None:
    async def waiting(connect: Connect, _: ServerState) -> None:
        reader, writer = await connect()
        for _again in range(3):
            writer.write(GET)
            assert b"200" in await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.5)  # longer than a head may take, between two requests

    serving(waiting)


def test_an_answer_that_is_not_read_is_given_up() -> None:
    async def deaf(connect: Connect, state: ServerState) -> None:
        _reader, writer = await connect()
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n")
        await until(lambda: len(state.connections) == 1)
        await until(lambda: not state.connections)

    serving(deaf)


def test_an_answer_that_is_read_in_part_is_given_up_too() -> None:
    async def tired(connect: Connect, state: ServerState) -> None:
        reader, writer = await connect()
        writer.write(b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n")
        await reader.readexactly(8 * 1024 * 1024)
        await until(lambda: not state.connections)

    serving(tired)


def test_an_answer_that_is_read_slowly_arrives() -> None:
    async def slow(connect: Connect, _: ServerState) -> None:
        reader, writer = await connect()
        writer.write(b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        left, pauses = LARGE, 8
        while left:
            if pauses:
                await asyncio.sleep(0.1)
                pauses -= 1
            left -= len(await reader.readexactly(min(left, LARGE // 8)))

    serving(slow)


def test_connections_beyond_the_most_are_closed_and_the_others_are_served() -> None:
    async def many(connect: Connect, state: ServerState) -> None:
        held = [await connect() for _ in range(Hasty.most_connections)]
        await until(lambda: len(state.connections) == Hasty.most_connections)
        reader, _writer = await connect()
        assert await reader.read() == b""
        reader, writer = held[0]
        writer.write(GET)
        assert b"200" in await reader.readuntil(b"\r\n\r\n")

    serving(many)
