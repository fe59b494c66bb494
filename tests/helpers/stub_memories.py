"""A memory without a database, and a server of it."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError

from agents import OPEN_SECONDS
from graphmem.memory import Memory
from graphmem.server import LazyMemory, build

# As a web server describes it.
REQUEST: dict[str, Any] = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}


class Stub:
    """A memory that knows nothing but what it is told to raise."""

    project = "p"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.closed = False

    def close(self) -> None:
        self.closed = True

    def stats(self, **_: object) -> None:
        if self.error is not None:
            raise self.error

    def overview(self, **_: object) -> None:
        self.stats()

    def remember(self, *_: object, **__: object) -> None:
        self.stats()


def as_memory(stub: Stub) -> Memory:
    return cast("Memory", stub)


def opening(*outcomes: Stub | Exception) -> LazyMemory:
    """An opening that has these outcomes one after the other."""
    left = list(outcomes)

    def opens() -> Memory:
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return as_memory(outcome)

    return LazyMemory(opens, seconds=OPEN_SECONDS)


def listed(**options: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - those of `build`
    async def ask() -> list[dict[str, Any]]:
        app = build(opening(Stub()), **options)
        async with Client(app) as client:
            result = await client.list_tools_mcp()
        return cast(
            "list[dict[str, Any]]", result.model_dump(by_alias=True, exclude_none=True)["tools"]
        )

    return asyncio.run(ask())


def refusal(
    tool: str,
    arguments: dict[str, object],
    stub: Stub | None = None,
    profiles: Sequence[str] = (),
) -> str:
    """What an agent reads when a call fails."""

    async def ask() -> str:
        async with Client(build(opening(stub or Stub()), profiles=profiles)) as client:
            with pytest.raises(ToolError) as raised:
                await client.call_tool(tool, arguments)
        return str(raised.value)

    return asyncio.run(ask())
