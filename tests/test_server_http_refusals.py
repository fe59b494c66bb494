"""HTTP: what is answered to a request that is not a call, in a sentence that says what to do."""

import http.client
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from graphmem.server.repair import NO_BATCH, NO_JSON, NO_MESSAGE
from test_server_http import LIST, Door, door_of

JSON_TYPE = {"Content-Type": "application/json", "Accept": "application/json"}
NO_HEADERS: dict[str, str] = {}
# Libraries write so about their own types.
FOREIGN_WORDS = (
    "validation error",
    "union[",
    "pydantic",
    "Misdirected",
    "Not Found",
    "Not Allowed",
)


@pytest.fixture(scope="module")
def door(environment: dict[str, str]) -> Iterator[Door]:
    with door_of(environment) as door:
        yield door


def answer(
    door: Door, method: str, path: str, body: bytes | str, headers: dict[str, str] = NO_HEADERS
) -> tuple[int, str]:
    connection = http.client.HTTPConnection(urlsplit(door.url).netloc)
    connection.request(method, path, body, JSON_TYPE | headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


@pytest.mark.parametrize(
    ("request_line", "headers", "status", "sentence"),
    [
        ("POST /mcp", {"Host": "evil.example"}, 421, "not called 'evil.example'; whoever runs it"),
        ("POST /mcp", {"Host": "evil.example"}, 421, "add the name to GRAPHMEM_ALLOWED_HOSTS"),
        ("POST /mcp", {"Origin": "http://evil.example"}, 403, "page of 'http://evil.example'"),
        ("GET /sse", {}, 404, "MCP is at /mcp"),
        ("GET /mcp", {}, 405, "to /mcp by POST"),
        ("POST /health", {}, 405, "/health by GET"),
        ("POST /mcp", {"Content-Type": "text/plain"}, 400, "`Content-Type: application/json`"),
    ],
)
def test_a_refused_request_is_told_what_to_do(
    door: Door, request_line: str, headers: dict[str, str], status: int, sentence: str
) -> None:
    method, path = request_line.split()
    got_status, text = answer(door, method, path, json.dumps(LIST), headers)
    assert got_status == status
    assert sentence in text
    assert not any(word in text for word in FOREIGN_WORDS)


def test_a_body_that_is_too_large_is_told_the_limit(door: Door) -> None:
    status, text = answer(door, "POST", "/mcp", b"x" * (4 * 1024 * 1024 + 1))
    assert (status, text) == (413, "a request may have at most 4 MiB; send less at a time\n")


@pytest.mark.parametrize(
    ("body", "code", "sentence", "known"),
    [
        ("garbage", -32700, NO_JSON, None),
        ("[" * 5_000, -32700, NO_JSON, None),
        (json.dumps([LIST]), -32600, NO_BATCH, None),
        (json.dumps(LIST | {"id": None}), -32600, NO_MESSAGE, None),
        (json.dumps(LIST | {"jsonrpc": "1.0"}), -32600, NO_MESSAGE, 1),
    ],
)
def test_a_body_that_is_no_message_is_answered_with_the_error_of_json_rpc(
    door: Door, body: str, code: int, sentence: str, known: int | None
) -> None:
    status, text = answer(door, "POST", "/mcp", body)
    told = json.loads(text)
    assert status == 400
    assert (told["id"], told["error"]) == (known, {"code": code, "message": sentence})


def test_a_slash_at_the_end_of_the_path_leads_nowhere_else(door: Door) -> None:
    status, text = answer(door, "POST", "/mcp/", json.dumps(LIST))
    assert status == 200
    assert json.loads(text)["result"]["tools"]
