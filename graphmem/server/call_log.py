"""A line of the log for each call: what, where, by whom, how long, and how it ended.

That is of a tool, or of a prompt or a resource that a client asks for.

It tells names, times and classes of errors. What callers send beside the project, and what they
get, may be anybody's secret, and is in no line.
"""

import json
import logging
import re
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

import mcp_types
from fastmcp.prompts import PromptResult
from fastmcp.resources import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult

from graphmem.errors import InvalidInput
from graphmem.model.visible import visible
from graphmem.project import check_project_name
from graphmem.server.callers import caller_name, current_caller
from graphmem.server.logs import CALLS
from graphmem.server.request_types import CallTool, ToolCall

log = logging.getLogger(CALLS)

# For what is not known or not told.
NONE = "-"

_PLAIN = re.compile(r"[^\s\"'=\\]+")


@dataclass(slots=True)
class _Call:
    """A call, which project it names, and how it ended."""

    what: str
    project: object
    outcome: str = "ok"


class CallLog(Middleware):
    """Writes a line for each call, at the level INFO.

    Args:
        tools: The names of the tools there are; of other names only that they were called is told.
        project: The default project of calls; None where there is none, or it is the folder's.
        prompts: The names of the prompts, likewise.
        resources: Those of the resources.
    """

    def __init__(
        self,
        tools: Collection[str],
        project: str | None,
        *,
        prompts: Collection[str] = (),
        resources: Collection[str] = (),
    ) -> None:
        self._tools = tools
        self._prompts = prompts
        self._resources = resources
        self._project = project

    async def on_call_tool(self, context: ToolCall, call_next: CallTool) -> ToolResult:
        """Call the tool, and write the line when it has ended."""
        called = context.message
        name = called.name if called.name in self._tools else NONE
        call = _Call(f"tool={name}", (called.arguments or {}).get("project"))
        with self._written(context, call):
            result = await call_next(context)
            call.outcome = "error" if result.is_error else "ok"
        return result

    async def on_get_prompt(
        self,
        context: MiddlewareContext[mcp_types.GetPromptRequestParams],
        call_next: CallNext[mcp_types.GetPromptRequestParams, PromptResult],
    ) -> PromptResult:
        """Make the prompt, likewise."""
        named = context.message
        name = named.name if named.name in self._prompts else NONE
        with self._written(
            context, _Call(f"prompt={name}", (named.arguments or {}).get("project") or None)
        ):
            return await call_next(context)

    async def on_read_resource(
        self,
        context: MiddlewareContext[mcp_types.ReadResourceRequestParams],
        call_next: CallNext[mcp_types.ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        """Read the resource, likewise; behind its first word stands what somebody asks for."""
        path, _, query = str(context.message.uri).partition("?")
        first_word = path.removeprefix("memory://").partition("/")[0]
        name = first_word if first_word in self._resources else NONE
        projects = parse_qs(query).get("project", [None])
        with self._written(context, _Call(f"resource={name}", projects[0])):
            return await call_next(context)

    @contextmanager
    def _written(self, context: MiddlewareContext[Any], call: "_Call") -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        except BaseException as error:
            call.outcome = _class_of(error)
            raise
        finally:
            log.info(
                "call %s project=%s caller=%s ms=%d outcome=%s",
                call.what,
                _quoted(self._project_of(call.project)),
                _quoted(caller_name(context)),
                round((time.perf_counter() - begun) * 1000),
                call.outcome,
            )

    def _project_of(self, project: object) -> str:
        """The project of a call, of a remote's URL without the password that may be in it."""
        if isinstance(project, str):
            try:
                return check_project_name(project)
            except InvalidInput:
                return NONE
        allowed = current_caller().projects
        if allowed is None or self._project in allowed:
            return self._project or NONE
        return next(iter(allowed)) if len(allowed) == 1 else NONE


def _class_of(error: BaseException) -> str:
    """The class of what went wrong, below the one that carries it to the client."""
    return type(error.__cause__ or error.__context__ or error).__name__


def _quoted(text: str) -> str:
    """A value of which nobody can make two, nor another line."""
    plain = visible(text)
    return plain if _PLAIN.fullmatch(plain) else json.dumps(plain, ensure_ascii=False)
