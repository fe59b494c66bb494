"""`graphmem serve --transport http`: who may call, what must be said, how it ends."""

import getpass
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from anyio.from_thread import start_blocking_portal
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError
from mcp_types import Implementation

from graphmem.server.app import INSTRUCTIONS, INSTRUCTIONS_WITHOUT_PROJECT
from graphmem.server.brief_overviews import NAME_ONE

SERVE = (sys.executable, "-m", "graphmem", "serve", "--transport", "http", "--port")
TOKEN = "open-sesame-open-sesame"  # noqa: S105 - a test's own
CLIENT = Implementation(name="harbour-agent", version="1")
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@dataclass
class Door:
    """A running server."""

    process: subprocess.Popen[str]
    url: str

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(self.url, client_info=CLIENT)) as client,
        ):
            result = portal.call(client.call_tool, tool, arguments)
        assert result.structured_content is not None
        return dict(result.structured_content)

    def instructions(self) -> str | None:
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(self.url)) as client,
        ):
            return cast("str | None", client.instructions)

    def ask(self, method: str, path: str, **headers: str) -> http.client.HTTPResponse:
        """Send a request as no client of ours would; the answer is read whole."""
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=120)
        wanted = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        connection.request(method, path, json.dumps(LIST) if method == "POST" else None, {
            **wanted, **{name.replace("_", "-"): value for name, value in headers.items()}
        })  # fmt: skip
        response = connection.getresponse()
        response.body = response.read()  # type: ignore[attr-defined]
        connection.close()
        return response

    def status(self, **headers: str) -> int:
        return self.ask("POST", "/mcp", **headers).status


@contextmanager
def door_of(environment: Mapping[str, str], *options: str) -> Iterator[Door]:
    with subprocess.Popen(
        [*SERVE, "0", *options], stderr=subprocess.PIPE, env=dict(environment), text=True
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert line.startswith("graphmem serves MCP at http://"), line
            if "GRAPHMEM_TOKEN" not in environment and "GRAPHMEM_TOKENS" not in environment:
                assert "every user and program of this machine" in process.stderr.readline()
            yield Door(process, line.split()[-1])
        finally:
            process.kill()


@pytest.fixture(scope="module")
def door(environment: dict[str, str]) -> Iterator[Door]:
    with door_of(environment) as door:
        yield door


def test_a_client_remembers_and_finds(door: Door, project: str) -> None:
    door.call("remember", entities=[{"name": "Redis cache"}], project=project)
    reply = door.call("search", query="redis", mode="keyword", project=project)
    assert [hit["name"] for hit in reply["hits"]] == ["Redis cache"]


# Who made a change


def author_of(door: Door, project: str, mode: str, name: str, **headers: str) -> str:
    """Who is noted for what a client does that calls itself so."""
    transport = StreamableHttpTransport(door.url, headers)
    client = Client(transport, mode=mode, client_info=Implementation(name=name, version="1"))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        wanted: dict[str, object] = {"entities": [{"name": uuid.uuid4().hex}], "project": project}
        portal.call(client.call_tool, "remember", wanted)
    (first, *_) = door.call("history", project=project)["changes"]
    return str(first["by"])


@pytest.mark.parametrize(
    ("mode", "agent", "by"),
    [
        ("auto", "some-editor/2.1 (linux)", "an agent of the tests"),
        # A client that told its name in a handshake, of which a later request knows nothing.
        ("legacy", "some-editor/2.1 (linux)", "some-editor"),
        ("legacy", "python-httpx2/2.16", "an agent"),
        ("legacy", "Node", "an agent"),
        ("legacy", "", "an agent"),
    ],
)
def test_a_change_is_recorded_under_what_the_client_sends(
    door: Door, project: str, mode: str, agent: str, by: str
) -> None:
    sent = {"User-Agent": agent}
    assert author_of(door, project, mode, "an agent of the tests", **sent) == by


def test_no_client_has_the_name_of_the_user_by_saying_so(door: Door, project: str) -> None:
    assert author_of(door, project, "auto", getpass.getuser().upper()) == "an agent"


# A server without a project


def test_the_project_must_be_named_and_the_error_names_some(door: Door, project: str) -> None:
    door.call("remember", entities=[{"name": "Redis cache"}], project=project)
    with pytest.raises(ToolError, match="project is required: the server has no pr") as raised:
        door.call("search", query="redis")
    _, told, names = str(raised.value).partition("Name it in every call. Known projects are ")
    assert told
    assert 1 <= len(re.findall(r"[^ ,]+/[^ ,]+", names)) <= 10


def test_an_overview_without_a_project_lists_the_projects(door: Door, project: str) -> None:
    door.call("remember", entities=[{"name": "A"}, {"name": "B"}], project=project)
    reply = door.call("overview")
    newest = reply["projects"][0]
    assert (newest["project"], newest["entities"], newest["relations"]) == (project, 2, 0)
    assert reply["notes"] == [NAME_ONE]


def test_the_instructions_say_whether_calls_have_a_project(
    environment: dict[str, str], door: Door, project: str
) -> None:
    assert door.instructions() == INSTRUCTIONS_WITHOUT_PROJECT
    with door_of(environment, "--project", project) as bound:
        assert bound.instructions() == INSTRUCTIONS
    with door_of(environment | {"GRAPHMEM_PROJECT": project}) as told:
        assert told.instructions() == INSTRUCTIONS


def test_health_needs_no_token(door: Door) -> None:
    said, statuses = {"status": ""}, set[tuple[int, str]]()
    while said["status"] != "ok":
        response = door.ask("GET", "/health")
        said = json.loads(response.body)  # type: ignore[attr-defined]
        statuses.add((response.status, said["status"]))
    assert statuses <= {(503, "starting"), (200, "ok")}
    assert said.keys() == {"status", "version", "memory"}
    assert said["memory"] == "ready"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost"}, 200),
        # As a container calls another one by its name.
        ({"Host": f"{socket.gethostname()}:8765"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:3000"}, 200),
    ],
)
def test_host_and_origin_are_checked(door: Door, headers: dict[str, str], status: int) -> None:
    assert door.status(**headers) == status


def test_further_host_names_are_those_of_the_settings(environment: dict[str, str]) -> None:
    told = environment | {
        "GRAPHMEM_ALLOWED_HOSTS": "memory.example, graphmem",
        "FASTMCP_HTTP_ALLOWED_HOSTS": '["older.example"]',
    }
    hosts = ["memory.example", "graphmem:8765", "older.example", "evil.example"]
    with door_of(told) as door:
        assert [door.status(Host=host) for host in hosts] == [200, 200, 200, 421]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": TOKEN}, 401),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
    ],
)
def test_a_token_is_required_if_one_is_set(
    guarded: Door, headers: dict[str, str], status: int
) -> None:
    assert guarded.status(**headers) == status


@pytest.mark.parametrize(
    ("headers", "challenge", "reason"),
    [
        ({}, "Bearer", "this server takes a token: send"),
        (
            {"Authorization": "Bearer wrong"},
            'Bearer error="invalid_token", error_description="this server does not know the token',
            "this server does not know the token that was sent: send",
        ),
    ],
)
def test_a_request_without_a_token_is_told_what_to_send(
    guarded: Door, headers: dict[str, str], challenge: str, reason: str
) -> None:
    response = guarded.ask("POST", "/mcp", **headers)
    assert str(response.getheader("WWW-Authenticate")).startswith(challenge)
    told = json.loads(response.body)["error_description"]  # type: ignore[attr-defined]
    assert told.startswith(f"{reason} the header `Authorization: Bearer TOKEN`")
    assert "re-register" not in told


@pytest.fixture(scope="module")
def guarded(environment: dict[str, str]) -> Iterator[Door]:
    with door_of(environment | {"GRAPHMEM_TOKEN": TOKEN}, "--host", "0.0.0.0") as door:  # noqa: S104 - with a token
        yield door


def test_serving_unencrypted_beyond_this_machine_gives_a_warning(guarded: Door) -> None:
    assert guarded.process.stderr is not None
    warning = guarded.process.stderr.readline()
    assert "this is plain HTTP" in warning
    assert "docs/serving.md" in warning
    assert TOKEN not in warning


def test_half_a_character_fails_no_call(door: Door) -> None:
    call = (
        b'{"jsonrpc":"2.0","id":3,"method":"tools/call",'
        b'"params":{"name":"\\ud83d\\ude00 \\ud83d","arguments":{}}}'
    )
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    inside_the_half = call.index(b'\\ud83d"') + 3
    for body in (call, iter([call[:inside_the_half], call[inside_the_half:]])):
        connection = http.client.HTTPConnection(urlsplit(door.url).netloc)
        connection.request("POST", "/mcp", body, headers, encode_chunked=body is not call)
        response = connection.getresponse()
        assert "there is no tool '😀 �'" in response.read().decode()
        assert response.status == 200
        connection.close()


def test_more_than_4_mib_are_refused_whether_announced_or_streamed(door: Door) -> None:
    whole = b"x" * (4 * 1024 * 1024 + 1)
    for body in (whole, iter([whole[: len(whole) // 2]] * 3)):
        connection = http.client.HTTPConnection(urlsplit(door.url).netloc)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        connection.request("POST", "/mcp", body, headers, encode_chunked=body is not whole)
        assert connection.getresponse().status == 413
        connection.close()


def test_other_machines_are_not_let_in_without_a_token(environment: dict[str, str]) -> None:
    ended = subprocess.run(
        [*SERVE, "0", "--host", "0.0.0.0"],  # noqa: S104 - what is refused
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode != 0
    assert "GRAPHMEM_TOKEN" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_the_project_of_its_start_until_a_signal(
    environment: dict[str, str], number: signal.Signals, project: str
) -> None:
    with door_of(environment, "--project", project) as door:
        assert door.call("overview")["project"] == project
        door.process.send_signal(number)
        assert door.process.wait(120) == 0
        assert door.process.stderr is not None
        (line,) = door.process.stderr.read().splitlines()
        assert f"call tool=overview project={project} caller={CLIENT.name} ms=" in line


# A line for each call


def logged(door: Door) -> list[str]:
    """The lines of a server that is told to end, without the time and what a call took."""
    door.process.terminate()
    assert door.process.wait(120) == 0
    assert door.process.stderr is not None
    lines = door.process.stderr.read().splitlines()
    return [re.sub(r"^[\d-]+ [\d:,]+ |ms=\d+ ", "", line) for line in lines]


def test_each_call_is_a_line_that_tells_neither_texts_nor_secrets(
    environment: dict[str, str], project: str
) -> None:
    secret, url = "hunter" + "2", f"https://user:hunter2@{project}.git"
    with door_of(environment | {"GRAPHMEM_TOKEN": TOKEN}) as door:
        transport = StreamableHttpTransport(door.url, auth=TOKEN)
        name = Implementation(name="some\neditor", version="1")
        client = Client(transport, client_info=name)
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
            wanted: list[tuple[str, dict[str, object]]] = [
                ("remember", {"entities": [{"name": secret}], "project": url}),
                ("search", {"query": secret, "mode": "keyword", "project": project}),
                ("search", {"query": secret}),
                ("search", {"query": secret, "limit": 0, "project": f"{secret}#"}),
                (secret, {"query": secret}),
            ]
            for tool, arguments in wanted:
                with suppress(ToolError):
                    portal.call(client.call_tool, tool, arguments)
            for prompt in ("recall", secret):
                with suppress(MCPError):
                    asked = {"question": secret, "project": project}
                    portal.call(client.get_prompt, prompt, asked)
            for address in (f"overview?project={project}", f"entity/{secret}", secret):
                with suppress(MCPError):
                    portal.call(client.read_resource, f"memory://{address}")
        lines = logged(door)
    own = [line for line in lines if "graphmem.calls" in line]
    by = 'caller="some editor"'
    assert own == [
        f"INFO graphmem.calls: call {what} project={where} {by} outcome={end}"
        for what, where, end in [
            ("tool=remember", project, "ok"),
            ("tool=search", project, "ok"),
            ("tool=search", "-", "InvalidInput"),
            ("tool=search", "-", "ValidationError"),
            ("tool=-", "-", "NotFoundError"),
            ("prompt=recall", project, "ok"),
            ("prompt=-", project, "NotFoundError"),
            ("resource=overview", project, "ok"),
            ("resource=entity", "-", "InvalidInput"),
            ("resource=-", "-", "NotFoundError"),
        ]
    ]
    assert not any(secret in line or TOKEN in line for line in lines)


def test_the_lines_are_left_out_where_only_errors_are_logged(
    environment: dict[str, str], project: str
) -> None:
    with door_of(environment | {"GRAPHMEM_LOG_LEVEL": "ERROR"}) as door:
        door.call("overview", project=project)
        assert logged(door) == []
