"""Callers over HTTP that take their time, by the hundred, at a real server's real sockets."""

import http.client
import selectors
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from fault_table import Record
from test_server_http import Door, door_of

pytestmark = pytest.mark.faults

HEAD = b"POST /mcp HTTP/1.1\r\nhost: localhost\r\n"
BODY = HEAD + b"content-type: application/json\r\ncontent-length: 1000000\r\n\r\n"


@pytest.fixture(scope="module")
def door(environment: dict[str, str]) -> Iterator[Door]:
    with door_of(environment) as door:
        while door.ask("GET", "/health").status != 200:
            time.sleep(0.2)
        yield door


def connections(door: Door, count: int) -> list[socket.socket]:
    place = urlsplit(door.url)
    assert place.hostname is not None
    return [socket.create_connection((place.hostname, place.port or 0)) for _ in range(count)]


def closed_after_trickling(door: Door, slow: list[socket.socket], begin: bytes) -> tuple[int, int]:
    """Send a byte a second on each until all are closed; gives how many, and honest answers."""
    with selectors.DefaultSelector() as watched:
        for one in slow:
            one.sendall(begin)
            one.setblocking(False)  # noqa: FBT003 - the library's
            watched.register(one, selectors.EVENT_READ)
        open_ones, honest = set(slow), 0
        while open_ones:
            honest += door.status() == 200
            for key, _ in watched.select(timeout=1):
                ready = key.fileobj
                assert isinstance(ready, socket.socket)
                if _ended(ready):
                    watched.unregister(ready)
                    open_ones.discard(ready)
            for one in open_ones:
                _trickle(one)
    return len(slow), honest


def _ended(one: socket.socket) -> bool:
    try:
        return one.recv(65_536) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def _trickle(one: socket.socket) -> None:
    try:
        one.send(b"a")
    except (BlockingIOError, ConnectionError):
        return  # the next look sees that it is closed


@pytest.mark.parametrize("begin", [b"", HEAD, BODY], ids=["silent", "head", "body"])
def test_a_hundred_slow_clients_are_closed_and_others_are_served_meanwhile(
    door: Door, begin: bytes, record: Record
) -> None:
    slow = connections(door, 100)
    try:
        closed, honest = closed_after_trickling(door, slow, begin)
    finally:
        for client in slow:
            client.close()
    assert closed == 100
    assert honest > 3
    record("slow callers over HTTP", times=100, lost=f"nothing; {honest} honest calls meanwhile")


def test_more_connections_than_there_may_be_stop_nobody_for_good(door: Door) -> None:
    many = connections(door, 400)
    try:
        busy = refused(door)
    finally:
        for client in many:
            client.close()
    assert busy in {503, None}
    while refused(door) != 200:
        time.sleep(0.1)


def refused(door: Door) -> int | None:
    """The status of an honest call; None where not even the connection was taken."""
    try:
        return door.status()
    except (ConnectionError, http.client.HTTPException):
        return None


def _received(one: socket.socket) -> bytes:
    try:
        return one.recv(1_000_000)
    except ConnectionError:
        return b""


def test_an_answer_nobody_reads_is_given_up_and_the_server_goes_on(
    door: Door, project: str
) -> None:
    names = [f"large {number}" for number in range(6)]
    for name in names:
        entity = {"name": name, "attributes": {"large": "word " * 200_000}}
        door.call("remember", entities=[entity], project=project)
    (deaf,) = connections(door, 1)
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listed = ", ".join(f'"{name}"' for name in names)
    body = (
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", '
        f'"arguments": {{"names": [{listed}], "project": "{project}"}}}}}}'
    ).encode()
    head = (
        b"content-type: application/json\r\naccept: application/json, text/event-stream\r\n"
        b"content-length: %d\r\n\r\n" % len(body)
    )
    deaf.sendall(HEAD + head + body)
    # Nothing is read for longer than the server waits, then what there still is.
    time.sleep(45)
    read = 0
    while chunk := _received(deaf):
        read += len(chunk)
    deaf.close()
    assert read < 6_000_000
    assert door.status() == 200
