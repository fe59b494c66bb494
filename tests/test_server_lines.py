"""Lines that clients send over stdio or HTTP before the MCP server reads them."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, cast

import pytest

from graphmem.server import repair
from stub_memories import REQUEST


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud83d"', "�"),
        (r'"\uDE00 \ud83d\ud83d\ude00"', "� �😀"),
        (r'"\\ud83d \\\ud83d"', "\\ud83d \\�"),
        (r'"\u0041 \n"', "A \n"),
    ],
)
def test_a_lone_surrogate_is_replaced_and_nothing_else(line: str, read: str) -> None:
    assert json.loads(repair.repaired(line.encode())) == read


@pytest.mark.parametrize("line", [b'{"id": 1}\n', b"\n", b"[\n", b"[" * 100_000, b"7\n"])
def test_a_line_that_is_no_batch_is_passed_on_as_it_is(line: bytes) -> None:
    assert repair.messages(line) == [line]


def test_a_handshake_goes_before_what_was_sent_while_the_server_started() -> None:
    initialize = b'{"method": "initialize", "id": 1}\n'
    others = [b'{"method": "server/discover", "id": 0}\n', b"[1]\n", b"{\n", b'{"id": 2}\n']
    lines = [*others[:2], initialize, *others[2:]]
    assert repair.handshake_first(lines) == [initialize, *others]
    assert repair.handshake_first(others) == others


@pytest.mark.parametrize("before", [b"", b" \t"])
def test_each_message_of_a_batch_is_a_line(before: bytes) -> None:
    lines = repair.messages(before + b'[{"id": 1}, {"id": 2}]\n')
    assert lines == [b'{"id": 1}\n', b'{"id": 2}\n']


def test_no_more_of_a_body_is_kept_than_is_taken() -> None:
    received = 0

    async def endless() -> dict[str, Any]:
        nonlocal received
        received += 1
        return {"type": "http.request", "body": b"x" * 1024 * 1024, "more_body": received < 50}

    async def app(scope: object, receive: Callable[[], Any], send: object) -> None:  # noqa: ARG001 - what a server calls
        message = await receive()
        assert message["more_body"]
        assert len(message["body"]) > repair.BODY_BYTES

    async def answer() -> None:
        await repair.RepairedBodies(app)(REQUEST, endless, cast("Any", None))

    asyncio.run(answer())
    assert received == repair.BODY_BYTES // (1024 * 1024) + 1
