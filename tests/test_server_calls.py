"""Calls of the MCP server: who made them, which line of the log they get, and what refuses them."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, cast

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams, Implementation

from graphmem import calls
from graphmem.errors import GraphmemError
from graphmem.server import build, call_log, callers, refusals
from graphmem.server.tokens import Caller
from stub_memories import REQUEST, Stub, opening


@pytest.mark.parametrize("product", ["HTTPX", "httpx2", "Python-urllib", "python", "Node", "curl"])
def test_the_name_of_an_http_library_is_not_a_caller(product: str) -> None:
    assert callers.is_generic(product)
    assert not callers.is_generic(f"my-{product}")


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("harbour-agent", "harbour-agent"),
        ("an\x1b[31m agent\nof the\u202e harbour", "an[31m agent of the harbour"),
        ("n" * 513, "n" * 512),
        ("\x1b\u202e", "an agent"),
        ("", "an agent"),
    ],
)
def test_what_a_client_calls_itself_is_noted_on_one_line(name: str, by: str) -> None:
    class Noting(Stub):
        def overview(self, **_: object) -> None:
            raise GraphmemError(calls.current().by)

    async def ask() -> str:
        client = Client(
            build(opening(Noting())), client_info=Implementation(name=name, version="1")
        )
        async with client:
            with pytest.raises(ToolError) as raised:
                await client.call_tool("overview", {})
        return str(raised.value)

    assert asyncio.run(ask()) == by


@pytest.fixture
def line_of_call(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> Callable[[ToolResult], str]:
    """Gives the line that the log has of a call, by what the call gives."""
    # Whatever tests before this one did with the log of the server.
    monkeypatch.setattr(call_log, "log", logging.getLogger("tests.calls"))
    caplog.set_level(logging.INFO, logger="tests.calls")

    def line(result: ToolResult) -> str:
        async def answer(context: object) -> ToolResult:  # noqa: ARG001 - a tool's
            return result

        message = CallToolRequestParams(name="overview", arguments={})
        log = call_log.CallLog(["overview"], None)
        asyncio.run(log.on_call_tool(MiddlewareContext(message=message), answer))
        return caplog.messages[-1]

    return line


@pytest.mark.parametrize(("is_error", "outcome"), [(True, "error"), (False, "ok")])
def test_a_call_that_tells_of_an_error_is_logged_as_one(
    line_of_call: Callable[[ToolResult], str],
    is_error: bool,  # noqa: FBT001 - a table
    outcome: str,
) -> None:
    line = line_of_call(ToolResult(content="said", is_error=is_error))
    assert line.startswith("call tool=overview project=- caller=")
    assert line.endswith(f" outcome={outcome}")


@pytest.mark.parametrize(("projects", "project"), [({"a"}, "a"), ({"a", "b"}, "-"), (None, "-")])
def test_the_log_names_the_only_project_of_a_caller_and_none_of_several(
    line_of_call: Callable[[ToolResult], str],
    monkeypatch: pytest.MonkeyPatch,
    projects: set[str] | None,
    project: str,
) -> None:
    allowed = None if projects is None else frozenset(projects)
    monkeypatch.setattr(call_log, "current_caller", lambda: Caller(projects=allowed))
    assert f" project={project} " in line_of_call(ToolResult(content="said"))


@pytest.mark.parametrize("status", [200, 401])
def test_a_refusal_is_one_answer_that_says_what_to_send(status: int) -> None:
    sent: list[dict[str, Any]] = []

    async def app(scope: object, receive: object, send: Callable[[Any], Any]) -> None:  # noqa: ARG001 - what a server calls
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"the app's", "more_body": True})
        await send({"type": "http.response.body", "body": b" own"})

    async def send(message: Any) -> None:  # noqa: ANN401 - ASGI's
        sent.append(message)

    asyncio.run(refusals.Refusals(app)(REQUEST, cast("Any", None), send))
    said = b"".join(message.get("body", b"") for message in sent)
    if status == 200:
        assert said == b"the app's own"
    else:
        assert json.loads(said) == {"error_description": refusals.MISSING}
        assert [message["type"] for message in sent] == [
            "http.response.start",
            "http.response.body",
        ]
