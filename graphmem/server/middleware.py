"""What happens around every call: wrong arguments in plain words, and the first start.

Errors of graphmem pass as they are; anything else is masked by FastMCP and logged.
"""

import asyncio
import functools
import logging
from collections.abc import Callable, Collection, Sequence
from typing import ParamSpec, TypeVar

import mcp_types
import pydantic
from fastmcp.exceptions import FastMCPError, NotFoundError, ToolError, ValidationError
from fastmcp.prompts import Prompt
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool, ToolResult

from graphmem.calls import acting
from graphmem.errors import GraphmemError, SchemaMismatch, shortened
from graphmem.model.visible import visible
from graphmem.server import wrong_arguments
from graphmem.server.agent_text import for_agents
from graphmem.server.callers import caller_name, client_name, current_caller
from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.request_types import CallTool, ListTools, ToolCall, ToolList
from graphmem.server.version_check import MISMATCHES, UPGRADED, was_upgraded

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# Those that have the model write.
WRITING_PROMPTS = frozenset({"remember"})
# Clients that pass on the first word of an argument alone, whether it is quoted or not.
SPLITTING_CLIENTS = frozenset({"claude-code"})
# So long after the list of tools went out, the import of torch no longer delays its arrival.
AFTER_LIST_SECONDS = 0.2


def expose_errors(
    tool: Callable[Parameters, Result], exposed: type[FastMCPError] = ToolError
) -> Callable[Parameters, Result]:
    """Make a tool tell the agent graphmem's own errors word for word, and of an upgrade.

    Args:
        tool: The tool, prompt or resource.
        exposed: The class of errors of which clients see the text.
    """

    @functools.wraps(tool)
    def telling(*arguments: Parameters.args, **keywords: Parameters.kwargs) -> Result:
        try:
            return tool(*arguments, **keywords)
        except MISMATCHES as error:
            if was_upgraded():
                raise exposed(UPGRADED) from error
            raise
        except GraphmemError as error:
            if isinstance(error, SchemaMismatch) and was_upgraded():
                raise exposed(UPGRADED, log_level=logging.INFO) from error
            raise exposed(visible(for_agents(str(error))), log_level=logging.INFO) from error

    return telling


class ErrorMiddleware(Middleware):
    """Begins to open the memory once tools were listed; says in a sentence what was wrong.

    Args:
        opening: Where the memory is opened.
        tools: The names of the tools there are, in the order in which they are listed.
        writing: The names of those that write, which not every caller may use.
    """

    def __init__(
        self, opening: LazyMemory, tools: Collection[str], writing: Collection[str]
    ) -> None:
        self._opening = opening
        self._tools = tools
        self._writing = writing

    async def on_list_tools(self, context: ToolList, call_next: ListTools) -> Sequence[Tool]:
        """List the tools that the caller may use, and soon after begin to open the memory."""
        tools = await call_next(context)
        asyncio.get_running_loop().call_later(AFTER_LIST_SECONDS, self._opening.begin)
        if current_caller().read_only:
            return [tool for tool in tools if tool.name not in self._writing]
        return tools

    async def on_list_prompts(
        self,
        context: MiddlewareContext[mcp_types.ListPromptsRequest],
        call_next: CallNext[mcp_types.ListPromptsRequest, Sequence[Prompt]],
    ) -> Sequence[Prompt]:
        """List the prompts that are of use to the caller."""
        prompts = await call_next(context)
        if current_caller().read_only:
            prompts = [prompt for prompt in prompts if prompt.name not in WRITING_PROMPTS]
        if client_name(context) not in SPLITTING_CLIENTS:
            return prompts
        return [prompt.model_copy(update={"arguments": []}) for prompt in prompts]

    async def on_call_tool(self, context: ToolCall, call_next: CallTool) -> ToolResult:
        """Call the tool.

        Raises:
            ToolError: An argument is not allowed; a sentence names it, its value and what is. Or
                there is no such tool, or it writes and the caller may only read.
        """
        name = context.message.name
        if name in self._writing and current_caller().read_only:
            raise ToolError(
                f"{name} writes, but this caller may only read; whoever runs the server can allow "
                "it to write",
                log_level=logging.INFO,
            )
        try:
            with acting(caller_name(context)):
                return await call_next(context)
        except NotFoundError as error:
            tools = ", ".join(self._listed_tools())
            raise ToolError(
                f"there is no tool {shortened(name)}; the tools are {tools}", log_level=logging.INFO
            ) from error
        except ValidationError as error:
            if not isinstance(error.__cause__, pydantic.ValidationError):
                raise
            sentences = await wrong_arguments.sentences(
                context, error.__cause__, self._listed_tools()
            )
            raise ToolError(visible("\n".join(sentences)), log_level=logging.INFO) from None

    def _listed_tools(self) -> list[str]:
        """The names of the tools that the caller may use."""
        may_write = not current_caller().read_only
        return [name for name in self._tools if may_write or name not in self._writing]
