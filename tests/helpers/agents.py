"""A real MCP client of a server, for tests without a loop of their own.

The server is a process, or, where a test is about what its tools answer, in this one.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError
from mcp.client.extension import ClientExtension
from mcp_types import Implementation

from graphmem.embedding import Embedder
from graphmem.memory import Memory
from graphmem.memory.access import Access
from graphmem.server import LazyMemory, build

# A busy machine starts a server for longer than an agent waits.
OPEN_SECONDS = 240.0
SERVE = ("-m", "graphmem", "serve")
# What the agent calls itself.
CLIENT = Implementation(name="an agent of the tests", version="1")


@dataclass
class Agent:
    """A client that is used from tests without a loop of their own."""

    portal: BlockingPortal
    client: Client[Any]

    def tools(self) -> set[str]:
        return {tool.name for tool in self.portal.call(self.client.list_tools)}

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        result = self.portal.call(self.client.call_tool, tool, arguments)
        assert result.structured_content is not None
        return dict(result.structured_content)

    def text(self, tool: str, **arguments: object) -> str:
        result = self.portal.call(self.client.call_tool, tool, arguments)
        return "\n".join(str(part.text) for part in result.content)

    def refusal(self, tool: str, **arguments: object) -> str:
        with pytest.raises(ToolError) as raised:
            self.call(tool, **arguments)
        return str(raised.value)


@contextmanager
def agent_of(
    environment: Mapping[str, str],
    folder: Path,
    *options: str,
    extensions: Sequence[ClientExtension] = (),
    client: Implementation = CLIENT,
) -> Iterator[Agent]:
    transport = StdioTransport(
        sys.executable,
        [*SERVE, *options],
        env=dict(environment),
        cwd=str(folder),
        keep_alive=False,
        log_file=folder / "log",
    )
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(
            Client(transport, extensions=extensions, client_info=client)
        ) as connected,
    ):
        yield Agent(portal, connected)


@contextmanager
def serving(
    embedder: Embedder,
    profile: str | None,
    *,
    project: str | None = None,
    layers: Iterable[str] = (),
    folder: Path | None = None,
) -> Iterator[Agent]:
    """Serve a profile, or without one graphmem's own tools, in this process.

    It is as `graphmem serve` once its model is loaded.
    """

    def opens() -> Memory:
        return Memory.open(
            project=project,
            folder=folder,
            embedder=embedder,
            wait_for_model=False,
            access=Access(project, frozenset(layers)),
        )

    profiles = [] if profile is None else [profile]
    app = build(LazyMemory(opens, seconds=OPEN_SECONDS), profiles=profiles)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(app)) as client,
    ):
        yield Agent(portal, client)


def checkout(folder: Path, remote: str) -> Path:
    """A folder that git takes for a checkout of a remote."""
    for part in ("objects", "refs"):
        (folder / ".git" / part).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = https://{remote}.git\n')
    return folder
