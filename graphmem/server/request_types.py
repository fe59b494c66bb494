"""The requests that several middlewares see, and what goes on with each."""

from collections.abc import Sequence
from typing import TypeAlias

import mcp_types
from fastmcp.server.middleware import CallNext, MiddlewareContext
from fastmcp.tools import Tool, ToolResult

ToolList: TypeAlias = MiddlewareContext[mcp_types.ListToolsRequest]
ListTools: TypeAlias = CallNext[mcp_types.ListToolsRequest, Sequence[Tool]]
ToolCall: TypeAlias = MiddlewareContext[mcp_types.CallToolRequestParams]
CallTool: TypeAlias = CallNext[mcp_types.CallToolRequestParams, ToolResult]
