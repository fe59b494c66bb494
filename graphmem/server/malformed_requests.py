"""Requests of MCP whose parameters are wrong: what is wrong with them, for whoever writes a client.

The MCP library checks them before a tool is called, and answers three words for all of them.
"""

from typing import Any

import mcp_types
import pydantic
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from mcp.shared.exceptions import MCPError

from graphmem.model.visible import visible
from graphmem.server.wrong_arguments import first_sentences

INITIALIZE_FIRST = "send `initialize` first, and go on when it is answered"


class MalformedRequests(Middleware):
    """Says in a sentence why the MCP library refuses a request."""

    async def on_request(
        self,
        context: MiddlewareContext[mcp_types.Request[Any, Any]],
        call_next: CallNext[mcp_types.Request[Any, Any], Any],
    ) -> Any:  # noqa: ANN401 - the result of any method
        """Answer a request.

        Raises:
            MCPError: A parameter is missing or not allowed, or the client has not begun yet.
        """
        try:
            return await call_next(context)
        except pydantic.ValidationError as error:
            raise MCPError(mcp_types.INVALID_PARAMS, visible(first_sentences(error))) from None
        except MCPError as error:
            # The library tells nothing in only one case: nobody has sent `initialize`.
            if (error.code, error.data) != (mcp_types.INVALID_PARAMS, ""):
                raise
            raise MCPError(error.code, INITIALIZE_FIRST) from error
