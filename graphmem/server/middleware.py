"""What happens around every call: wrong arguments in plain words, and the first start.

Errors of graphmem pass as they are; anything else is masked by FastMCP and logged.
"""

import asyncio
import functools
import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import mcp_types
import pydantic
from fastmcp.exceptions import FastMCPError, NotFoundError, ToolError, ValidationError
from fastmcp.prompts import Prompt
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool, ToolResult
from pydantic_core import ErrorDetails

from graphmem.calls import acting
from graphmem.errors import (
    VALUE_CHARACTERS,
    GraphmemError,
    InvalidInput,
    SchemaMismatch,
    shortened,
)
from graphmem.model.intended_names import intended_names
from graphmem.model.visible import visible
from graphmem.server.agent_text import for_agents
from graphmem.server.callers import caller_name, client_name, current_caller
from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.version_check import MISMATCHES, UPGRADED, was_upgraded

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

PROBLEMS_SHOWN = 5
# What pydantic calls an argument that no parameter takes, and a field that no object has.
UNKNOWN, UNKNOWN_FIELD = "unexpected_keyword_argument", "extra_forbidden"
# What it calls a number of 4,300 digits and more, or one such as 1e300.
TOO_MANY_DIGITS = "int_parsing_size"
# What it calls the name of a field, where that is what is wrong.
KEY = "[key]"
# What pydantic begins its sentences with.
_SUBJECT = re.compile(r"^\w+ should")
_PLAIN = {
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "a valid string": "text",
    "a valid integer": "a whole number",
    "a valid number": "a number",
    "a valid boolean": "true or false",
    "a valid list": "a list",
    "a valid tuple": "a list",
    "a valid dictionary": "an object",
}
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

    async def on_list_tools(
        self,
        context: MiddlewareContext[mcp_types.ListToolsRequest],
        call_next: CallNext[mcp_types.ListToolsRequest, Sequence[Tool]],
    ) -> Sequence[Tool]:
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

    async def on_call_tool(
        self,
        context: MiddlewareContext[mcp_types.CallToolRequestParams],
        call_next: CallNext[mcp_types.CallToolRequestParams, ToolResult],
    ) -> ToolResult:
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
            cause = error.__cause__
            if not isinstance(cause, pydantic.ValidationError):
                raise
            problems = [
                problem
                for problem in cause.errors(include_url=False, include_context=False)
                # Of a list whose items are wrong, pydantic says that it is empty, too.
                if problem["type"] != "too_short" or not problem["input"]
            ]
            sentences = [sentence(problem) for problem in problems[:PROBLEMS_SHOWN]]
            unknown: dict[tuple[int | str, ...], list[str]] = {}
            for problem in problems:
                if problem["type"] in {UNKNOWN, UNKNOWN_FIELD}:
                    *owner, field = problem["loc"]
                    unknown.setdefault(tuple(owner), []).append(str(field))
            listed_tools = self._listed_tools()
            sentences += [
                await _listing(context, *names, listed_tools) for names in unknown.items()
            ]
            raise ToolError(visible("\n".join(sentences)), log_level=logging.INFO) from None

    def _listed_tools(self) -> list[str]:
        """The names of the tools that the caller may use."""
        may_write = not current_caller().read_only
        return [name for name in self._tools if may_write or name not in self._writing]


async def _listing(
    context: MiddlewareContext[mcp_types.CallToolRequestParams],
    owner: tuple[int | str, ...],
    unknown: Sequence[str],
    tools: Sequence[str],
) -> str:
    """The parameters that the called tool has, or the fields of an object in one of them.

    Of the first names that are none of them, it asks whether one of these is meant, or says which
    of the tools have such a parameter.
    """
    name = context.message.name
    schema = await _parameters(context, name)
    for step in owner:
        schema = schema.get("items" if isinstance(step, int) else "properties", {})
        schema = schema if isinstance(step, int) else schema.get(step, {})
    names = list(schema.get("properties", {}))
    whose = f"fields of {_path(owner)}" if owner else f"parameters of {name}"
    shown_names = unknown[:PROBLEMS_SHOWN]
    list_name, fields = _list_of(schema, shown_names)
    question = intended_names([field for field in shown_names if field not in fields], names)
    belonging = [f"`{field}`" for field in shown_names if field in fields]
    place = f"{' and '.join(belonging)} may be in an object of `{list_name}`" if belonging else None
    if place is None and question is None and not owner:
        schemas = {tool: await _parameters(context, tool) for tool in tools}
        place = "; ".join(_owners(shown_names, schemas))
    return "; ".join(filter(None, [f"The {whose} are {', '.join(names)}", place, question]))


async def _parameters(
    context: MiddlewareContext[mcp_types.CallToolRequestParams], tool_name: str
) -> Mapping[str, Any]:
    """The schema of the arguments of a tool; empty where there is no such tool."""
    server = context.fastmcp_context
    tool = None if server is None else await server.fastmcp.get_tool(tool_name)
    return {} if tool is None else tool.parameters


def _owners(names: Sequence[str], schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Which tools have parameters of some names, a clause for each that any has."""
    for name in names:
        tools = [tool for tool, schema in schemas.items() if name in schema.get("properties", {})]
        if tools:
            yield f"`{name}` is one of {', '.join(tools)}"


def _list_of(schema: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Collection[str]]:
    """The list whose objects have most of some names as fields, and all fields of these."""
    fields_by_list: dict[str, Collection[str]] = {
        name: parameter.get("items", {}).get("properties", {})
        for name, parameter in schema.get("properties", {}).items()
    }
    most = max(
        fields_by_list,
        key=lambda name: sum(field in fields_by_list[name] for field in names),
        default="",
    )
    return most, fields_by_list.get(most, ())


def _path(steps: tuple[int | str, ...]) -> str:
    """An argument, or a part of one, as `entities[0].name`."""
    parameter, *path = steps or ("arguments",)
    return _name(parameter) + "".join(
        f"[{step}]" if isinstance(step, int) else f".{_name(step)}" for step in path if step != KEY
    )


def _name(step: int | str) -> str:
    """A name as it was sent; as an error shows a value if it is long or not to be seen whole."""
    name = str(step)
    return name if name.isprintable() and len(name) <= VALUE_CHARACTERS else shortened(name)


def sentence(problem: ErrorDetails) -> str:
    """Write one of pydantic's problems as graphmem writes its own."""
    argument = _path(problem["loc"])
    kind = problem["type"]
    if kind in {"missing", "missing_argument"}:
        return f"{argument} is required"
    if kind == UNKNOWN:
        return f"{argument} is not a parameter of this tool"
    if kind == UNKNOWN_FIELD:
        return f"{argument} is not a field that this tool takes"
    if kind == TOO_MANY_DIGITS:
        return str(InvalidInput(argument, problem["input"], "must be a smaller whole number"))
    requirement = _SUBJECT.sub("must", problem["msg"])
    for ending in (" after validation", " or instance of", ", unable to", ", got a number"):
        requirement = requirement.partition(ending)[0]
    for technical_words, plain_words in _PLAIN.items():
        requirement = requirement.replace(technical_words, plain_words)
    return str(InvalidInput(argument, problem["input"], requirement))
