"""A line of the log for each call of a tool: what, where, by whom, how long, and how it ended.

It tells names, times and classes of errors. What callers send beside the project, and what they
get, may be anybody's secret, and is in no line.
"""

import json
import logging
import re
import time
from collections.abc import Collection

import mcp_types
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult

from graphmem.errors import InvalidInput
from graphmem.model.visible import visible
from graphmem.project import check_project_name
from graphmem.server.callers import caller_name, current_caller
from graphmem.server.logs import CALLS

log = logging.getLogger(CALLS)

# For what is not known or not told.
NONE = "-"

_PLAIN = re.compile(r"[^\s\"'=\\]+")


class CallLog(Middleware):
    """Writes a line for each call, at the level INFO.

    Args:
        tools: The names of the tools there are; of other names only that they were called is told.
        project: The default project of calls; None where there is none, or it is the folder's.
    """

    def __init__(self, tools: Collection[str], project: str | None) -> None:
        self._tools = tools
        self._project = project

    async def on_call_tool(
        self,
        context: MiddlewareContext[mcp_types.CallToolRequestParams],
        call_next: CallNext[mcp_types.CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        """Call the tool, and write the line when it has ended."""
        begun = time.perf_counter()
        try:
            result = await call_next(context)
        except BaseException as error:
            self._write(context, begun, _class_of(error))
            raise
        self._write(context, begun, "error" if result.is_error else "ok")
        return result

    def _write(
        self,
        context: MiddlewareContext[mcp_types.CallToolRequestParams],
        begun: float,
        outcome: str,
    ) -> None:
        called = context.message
        log.info(
            "call tool=%s project=%s caller=%s ms=%d outcome=%s",
            called.name if called.name in self._tools else NONE,
            _quoted(self._project_of((called.arguments or {}).get("project"))),
            _quoted(caller_name(context)),
            round((time.perf_counter() - begun) * 1000),
            outcome,
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
