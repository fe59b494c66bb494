"""MCP over stdio, line by line: what each line is answered, and when the end of the input ends."""

import fcntl
import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Sequence
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

import pytest

from agents import SERVE
from graphmem.server.malformed_requests import INITIALIZE_FIRST
from graphmem.server.repair import NO_BATCH, NO_JSON, NO_MESSAGE
from graphmem.server.wire import Answers, Input, Requests

REQUEST = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
# Requests whose parameters are wrong, with what they are told.
MALFORMED_REQUESTS = [
    ("tools/call", {"name": "get", "arguments": "{}"}, "arguments must be an object, got '{}'"),
    ("tools/call", {"arguments": {}}, "params.name is required"),
    ("tools/call", None, "params is required"),
    ("tools/list", {"cursor": 5}, "params.cursor must be text, got 5"),
    ("prompts/get", {"name": "a", "arguments": {"b": 5}}, "params.arguments.b must be text, got 5"),
    ("logging/setLevel", {"level": "loud"}, "params.level must be 'alert', 'critical', 'debug'"),
    ("initialize", {"capabilities": {}}, "params.clientInfo is required\nparams.protocolVersion"),
]
NESTED = '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":' + "[" * 5_000 + "]" * 5_000 + "}}"


def answered(environment: dict[str, str], folder: Path, lines: Sequence[str]) -> list[Any]:
    """The answers to lines after which the input ends; the server ends in order."""
    ended = subprocess.run(
        [sys.executable, *SERVE],
        env=environment,
        cwd=folder,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def opening() -> list[str]:
    parameters = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    return [
        json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": parameters}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ]


def test_all_requests_are_answered_before_the_end_of_the_input_ends_the_server(
    environment: dict[str, str], tmp_path: Path, project: str
) -> None:
    calls = [
        {"name": "remember", "arguments": {"entities": [{"name": f"Boat {number}"}]}}
        for number in range(4)
    ] + [{"name": "search", "arguments": {"query": "boat", "mode": "keyword"}}] * 2
    requests = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call})
        for number, call in enumerate(calls, start=1)
    ]
    own = environment | {"GRAPHMEM_PROJECT": project}
    answers = answered(own, tmp_path, opening() + requests)
    assert sorted(answer["id"] for answer in answers) == list(range(len(calls) + 1))
    assert [answer for answer in answers if answer["result"].get("isError")] == []


def test_what_is_no_message_is_answered_with_the_error_of_json_rpc(
    environment: dict[str, str], tmp_path: Path
) -> None:
    wrong_lines = [NESTED, json.dumps(REQUEST | {"id": None}), "garbage", "", "[]", "[7]"]
    answers = answered(environment, tmp_path, [*opening(), *wrong_lines, json.dumps(REQUEST)])
    errors = [answer["error"] for answer in answers if answer["id"] is None]
    assert [(error["code"], error["message"]) for error in errors] == [
        (-32700, NO_JSON),
        (-32600, NO_MESSAGE),
        (-32700, NO_JSON),
        (-32600, NO_BATCH),
        (-32600, NO_MESSAGE),
    ]
    assert {answer["id"] for answer in answers} == {0, 7, None}


@pytest.mark.parametrize("wrong", [{"params": []}, {"method": 7}, {"jsonrpc": "1.0"}])
def test_a_wrong_message_is_answered_under_its_id(wrong: dict[str, object]) -> None:
    read, written = os.pipe()
    requests = Requests(BytesIO(json.dumps(REQUEST | wrong).encode()), Answers(written))
    assert requests.read() == b""
    os.close(written)
    with os.fdopen(read) as answers:
        (answer,) = map(json.loads, answers)
    assert (answer["id"], answer["error"]["code"]) == (7, -32600)


def test_a_wrong_parameter_of_a_request_is_named(
    environment: dict[str, str], tmp_path: Path
) -> None:
    requests = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        for number, (method, parameters, _) in enumerate(MALFORMED_REQUESTS, start=1)
    ]
    answers = answered(environment, tmp_path, opening() + requests)
    errors = {answer["id"]: answer["error"] for answer in answers if answer["id"] != 0}
    for number, (method, _, told) in enumerate(MALFORMED_REQUESTS, start=1):
        assert errors[number]["code"] == -32602, method
        assert told in errors[number]["message"]


def test_a_client_that_did_not_begin_is_told_to(
    environment: dict[str, str], tmp_path: Path
) -> None:
    call = json.dumps(REQUEST | {"method": "tools/list"})
    (answer,) = answered(environment, tmp_path, [call])
    assert answer["error"] == {"code": -32602, "message": INITIALIZE_FIRST}


def test_an_error_does_not_stand_in_the_middle_of_an_answer() -> None:
    read, written = os.pipe()
    answers = Answers(written)
    answers.write(b'{"jsonrpc": "2.0", "id": 7, ')
    assert Requests(BytesIO(b"garbage"), answers).read() == b""
    answers.write(b'"result": {}}\n')
    os.close(written)
    with os.fdopen(read) as lines:
        assert [json.loads(line)["id"] for line in lines] == [None, 7]


def test_pipes_that_do_not_block_lose_nothing(environment: dict[str, str], tmp_path: Path) -> None:
    server_input, written = os.pipe()
    read, server_output = os.pipe()
    os.set_blocking(server_input, False)
    os.set_blocking(server_output, False)
    lists = [json.dumps(REQUEST | {"id": number, "method": "tools/list"}) for number in range(20)]
    with subprocess.Popen(
        [sys.executable, *SERVE],
        env=environment,
        cwd=tmp_path,
        stdin=server_input,
        stdout=server_output,
    ) as server:
        os.close(server_input)
        os.close(server_output)
        with os.fdopen(written, "w") as requests, os.fdopen(read) as answers:
            requests.write(f"{opening()[0]}\n")
            requests.flush()
            assert json.loads(answers.readline())["id"] == 0
            # More than a pipe holds, and nobody reads it yet.
            requests.write("".join(f"{line}\n" for line in [opening()[1], *lists, "garbage"]))
            requests.flush()
            received = [json.loads(answers.readline()) for _ in range(len(lists) + 1)]
    assert server.returncode == 0
    assert {answer["id"] for answer in received} == {None, *range(20)}


def test_what_a_client_writes_is_read_whatever_the_number_of_the_descriptor() -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], 2048), limits[1]))
    read, written = os.pipe()
    end, reading = os.pipe()
    high = fcntl.fcntl(read, fcntl.F_DUPFD_CLOEXEC, 1500)
    try:
        os.write(written, b"a message\n")
        assert BufferedReader(Input(high, end)).readline() == b"a message\n"
        os.close(reading)
        assert BufferedReader(Input(high, end)).readline() == b""
    finally:
        for descriptor in (read, written, end, high):
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


# The end of the input


def requests_of(
    *messages: dict[str, object], broken: bool = False
) -> tuple[BufferedReader, Answers]:
    """What a client wrote that then closed its end, and with it, if broken, its reading."""
    read, written = os.pipe()
    if broken:
        os.close(read)
    answers = Answers(written)
    lines = BytesIO(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    return BufferedReader(Requests(lines, answers)), answers


def test_the_end_of_the_input_is_told_once_the_last_answer_is_written() -> None:
    requests, answers = requests_of(REQUEST, REQUEST | {"id": "eight"})
    assert json.loads(requests.readline()) == REQUEST
    requests.readline()
    ends: list[bytes] = []
    end = threading.Thread(target=lambda: ends.append(requests.readline()))
    end.start()
    answers.write(b'{"jsonrpc": "2.0", "method": "notifications/message"}\n')
    answers.write(b'{"jsonrpc": "2.0", "id": "eight", "result": {}}\n{"jsonrpc"')
    assert ends == []
    answers.write(b': "2.0", "id": 7, "result": {}}\n')
    end.join()
    assert ends == [b""]


def test_a_request_that_was_cancelled_is_not_waited_for() -> None:
    cancelled = {"method": "notifications/cancelled", "params": {"requestId": 7}}
    requests, _ = requests_of(REQUEST, {"jsonrpc": "2.0", **cancelled})
    assert len(requests.readlines()) == 2


def test_a_client_that_reads_no_more_is_not_waited_for() -> None:
    requests, answers = requests_of(REQUEST, broken=True)
    with pytest.raises(BrokenPipeError):
        answers.write(b'{"jsonrpc": "2.0", "method": "notifications/message"}\n')
    assert len(requests.readlines()) == 1


def test_answers_that_cannot_be_written_are_not_waited_for() -> None:
    with Path(os.devnull).open("rb") as not_to_be_written:
        answers = Answers(not_to_be_written.fileno())
        requests = BufferedReader(Requests(BytesIO(json.dumps(REQUEST).encode()), answers))
        with pytest.raises(OSError, match="Bad file descriptor"):
            answers.write(b'{"jsonrpc": "2.0", "id": 7, "result": {}}\n')
        assert len(requests.readlines()) == 1


def test_an_answer_that_never_comes_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("graphmem.server.wire.ANSWER_SECONDS", 0.01)
    requests, _ = requests_of(REQUEST)
    assert len(requests.readlines()) == 1
