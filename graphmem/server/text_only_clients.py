"""Clients that show a model the structured content of an answer get its text alone.

The structured content is for programs: of ten hits it takes half as many tokens again as the text,
and the text of a context is one long line in it.
"""

from collections.abc import Sequence

import mcp_types
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool, ToolResult

from graphmem.server.callers import client_name

# What they call themselves. Copilot CLI shows its model both, the others the structured content
# instead of the text: docs/decisions.md has how this was seen.
CLIENTS = frozenset((
    "claude-code", "codex-mcp-client", "copilot-cli",
    "Visual Studio Code", "Visual Studio Code - Insiders",
))  # fmt: skip


class TextOnly(Middleware):
    """Leaves out structured content, and the schemas of it, where a model would be shown it."""

    async def on_list_tools(
        self,
        context: MiddlewareContext[mcp_types.ListToolsRequest],
        call_next: CallNext[mcp_types.ListToolsRequest, Sequence[Tool]],
    ) -> Sequence[Tool]:
        """List the tools; one that announces a schema would have to follow it."""
        tools = await call_next(context)
        if client_name(context) not in CLIENTS:
            return tools
        return [tool.model_copy(update={"output_schema": None}) for tool in tools]

    async def on_call_tool(
        self,
        context: MiddlewareContext[mcp_types.CallToolRequestParams],
        call_next: CallNext[mcp_types.CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        """Call the tool."""
        result = await call_next(context)
        if client_name(context) in CLIENTS:
            result.structured_content = None
        return result
