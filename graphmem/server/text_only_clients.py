"""Clients that show a model the structured content of an answer get its text alone.

The structured content is for programs: of ten hits it takes half as many tokens again as the text,
and the text of a context is one long line in it.
"""

from collections.abc import Sequence

from fastmcp.server.middleware import Middleware
from fastmcp.tools import Tool, ToolResult

from graphmem.server.callers import client_name
from graphmem.server.request_types import CallTool, ListTools, ToolCall, ToolList

# What they call themselves. Copilot CLI shows its model both, the others the structured content
# instead of the text: docs/decisions.md has how this was seen.
CLIENTS = frozenset((
    "claude-code", "codex-mcp-client", "copilot-cli",
    "Visual Studio Code", "Visual Studio Code - Insiders",
))  # fmt: skip


class TextOnly(Middleware):
    """Leaves out structured content, and the schemas of it, where a model would be shown it."""

    async def on_list_tools(self, context: ToolList, call_next: ListTools) -> Sequence[Tool]:
        """List the tools; one that announces a schema would have to follow it."""
        tools = await call_next(context)
        if client_name(context) not in CLIENTS:
            return tools
        return [tool.model_copy(update={"output_schema": None}) for tool in tools]

    async def on_call_tool(self, context: ToolCall, call_next: CallTool) -> ToolResult:
        """Call the tool."""
        result = await call_next(context)
        if client_name(context) in CLIENTS:
            result.structured_content = None
        return result
