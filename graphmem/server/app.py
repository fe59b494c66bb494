"""The server put together: its tools, what it says of itself, and its lifespan."""

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.lifespan import Lifespan, lifespan
from fastmcp.tools import ToolResult
from fastmcp.tools.function_tool import FunctionTool
from fastmcp.utilities.json_schema import dereference_refs
from mcp_types import TextContent, Tool, ToolAnnotations

from graphmem import __version__
from graphmem.errors import InvalidInput
from graphmem.model import Context
from graphmem.model.json_object import JsonObject, compact_json
from graphmem.profiles import ToolSpec, offers_of
from graphmem.server import parameters, pictures
from graphmem.server.agent_text import answer_for_agents, prose, shown
from graphmem.server.call_log import CallLog
from graphmem.server.callers import CallerMemories
from graphmem.server.concise_json import concise_json
from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.malformed_requests import MalformedRequests
from graphmem.server.middleware import ErrorMiddleware, expose_errors
from graphmem.server.prompts import Prompts
from graphmem.server.purging_tools import PurgingTools
from graphmem.server.resources import TEMPLATES, Resources
from graphmem.server.schemas import describe_defaults, plain_schema, schema
from graphmem.server.text_only_clients import TextOnly
from graphmem.server.tools import Tools

if TYPE_CHECKING:
    from fastmcp.server.auth import AuthProvider

# A client that lists no tools gets an open memory all the same.
BEGIN_SECONDS = 3.0

# Left out where nothing can be written.
REMEMBER = """ Remember what will matter later, such as
decisions and their reasons, and link it to what it concerns."""
INSTRUCTIONS = f"""\
A knowledge store for this project: entities (named things), observations about them and typed
relations between them. Search before you answer or decide.{REMEMBER} \
`project` is by default the one the
server runs in."""
# Of a server that no folder and no option gives a project.
INSTRUCTIONS_WITHOUT_PROJECT = f"""\
A knowledge store for several projects: entities (named things), observations about them and typed
relations between them. Search before you answer or decide.{REMEMBER} \
Every call must name its `project`;
`overview` without one lists the projects there are."""
# Agents fill in what is not explained, and clients do not always show them the instructions.
DEFAULT_PROJECT = "Default: this one"
# What clients send for an optional argument that they cannot leave out.
NOTHING = (None, "", "null")
# Types of parameters, in words.
NUMBERS = {"integer": "a whole number", "number": "a number"}


def build(
    opening: LazyMemory,
    *,
    profiles: Sequence[str] = (),
    read_only: bool = False,
    allow_purge: bool = False,
    project: str | None = None,
    detects_project: bool = True,
    auth: "AuthProvider | None" = None,
) -> "FastMCP[dict[str, object]]":
    """Make the server; it opens the memory itself, in the background, and closes it at its end.

    Args:
        opening: Where the tools get their memory.
        profiles: Whose tools are offered instead of graphmem's own.
        read_only: Whether the tools that write are left out.
        allow_purge: Whether graphmem's own tools may delete for good.
        project: The default project of calls, where an option or a setting names it.
        detects_project: Whether it is the one of the folder where none is named.
        auth: Who may call, over HTTP; anyone without it.

    Raises:
        ConfigurationError: There is no such profile, or two have a tool of the same name.
    """
    memory = CallerMemories(opening).memory
    own_tools = PurgingTools if allow_purge else Tools
    tools = offers_of(profiles, memory) if profiles else own_tools(memory).offers()
    writing_tools = frozenset(offer.name for offer in tools if offer.writes)
    has_project = project is not None or detects_project
    instructions = INSTRUCTIONS if has_project else INSTRUCTIONS_WITHOUT_PROJECT
    if read_only:
        instructions = instructions.replace(REMEMBER, "")
    tools = [offer for offer in tools if not (read_only and offer.writes)]
    names = [offer.name for offer in tools]
    prompts = [] if profiles else Prompts(memory).offers(read_only=read_only)
    app: FastMCP[dict[str, object]] = FastMCP(
        "graphmem",
        instructions=None if profiles else instructions,
        version=__version__,
        lifespan=_lifespan(opening),
        middleware=[
            MalformedRequests(),
            CallLog(
                names,
                project,
                prompts=[prompt.name for prompt in prompts],
                resources=[] if profiles else [*TEMPLATES],
            ),
            ErrorMiddleware(opening, names, writing_tools),
        ],
        mask_error_details=True,
        strict_input_validation=False,
        auth=auth,
    )
    default_project = DEFAULT_PROJECT if has_project and not profiles else None
    for offer in tools:
        kind = _LenientTool if offer.ignores_unknown else _Tool if profiles else _OwnTool
        app.add_tool(_tool(offer, kind, default_project))
    if not profiles:
        app.add_middleware(TextOnly())
        Resources(Tools(memory)).offer(app)
    for prompt in prompts:
        app.add_prompt(prompt)
    if any(offer.draw for offer in tools):
        pictures.offer_page(app)
    return app


class _Tool(FunctionTool):
    """A tool whose context is read as it stands, and that lists nothing but what agents read."""

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Call the method without the optional arguments that stand for nothing.

        Clients of strict schemas send something for every parameter.

        Raises:
            ToolError: True or false is given for a number, as which it would count.
        """
        properties = self.parameters.get("properties", {})
        for name, value in arguments.items():
            kind = properties.get(name, {}).get("type")
            if isinstance(value, bool) and kind in NUMBERS:
                error = InvalidInput(name, value, f"must be {NUMBERS[kind]}")
                raise ToolError(str(error), log_level=logging.INFO)
        names = properties.keys()
        optional = names - set(self.parameters.get("required", ()))
        values = {
            name: value
            for name, value in arguments.items()
            if value not in NOTHING or name not in optional
        }
        return await super().run(values)

    def to_mcp_tool(self, **overrides: object) -> Tool:
        """Describe the tool without FastMCP's own notes, nor its name a second time as a title."""
        return super().to_mcp_tool(**{"_meta": self.meta, "title": None, **overrides})

    def convert_result(self, raw_value: object) -> ToolResult:
        """Make content of what the method gave, without what no person sees."""
        if isinstance(raw_value, pictures.Drawn):
            result = self.convert_result(raw_value.answer)
            if raw_value.picture is not None:
                result.meta = {pictures.FIELD: shown(raw_value.picture.to_json())}
            return result
        if not isinstance(raw_value, JsonObject):
            result = super().convert_result(shown(raw_value))
            if raw_value is None:  # of which FastMCP makes no text at all
                result.content = [TextContent(type="text", text="null")]
            return result
        json_answer = answer_for_agents(raw_value.to_json())
        return ToolResult(self._content(raw_value, json_answer), structured_content=json_answer)

    def _content(self, answer: JsonObject, json_answer: dict[str, object]) -> object:  # noqa: ARG002 - `_OwnTool` needs it
        """What stands for the answer as text; None for its JSON."""
        return shown(prose(answer)) if isinstance(answer, Context) else None


class _OwnTool(_Tool):
    """A tool of graphmem's own, whose text is for models; a profile's is as its tool wrote it."""

    def _content(self, answer: JsonObject, json_answer: dict[str, object]) -> object:
        return super()._content(answer, json_answer) or compact_json(concise_json(json_answer))


class _LenientTool(_Tool):
    """A tool that passes over arguments it does not know."""

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Call the method with the arguments that it knows."""
        known = self.parameters.get("properties", {})
        return await super().run({name: arguments[name] for name in arguments if name in known})


def _tool(offer: ToolSpec, kind: type[_Tool], default_project: str | None) -> FunctionTool:
    """Make a tool of a method, its docstring whole as the description.

    Args:
        offer: The method.
        kind: What to make of it.
        default_project: What its `project` is described as, if it has one.
    """
    description = " ".join((inspect.getdoc(offer.tool) or "").split())
    method = offer.tool if offer.draw is None else pictures.with_picture(offer.tool, offer.draw)
    call = expose_errors(method)
    signature = inspect.signature(offer.tool)
    answer = signature.return_annotation
    output: dict[str, Any] = {}
    if isinstance(answer, type) and issubclass(answer, JsonObject):
        output = {"output_schema": schema(answer) if offer.has_output_schema else None}
        # Otherwise FastMCP would make another schema of the class.
        call.__signature__ = signature.replace(return_annotation=ToolResult)  # type: ignore[attr-defined]
    # A docstring would make FastMCP import its parser, a tenth of a second of every handshake.
    call.__doc__ = ""
    tool = kind.from_function(
        call,
        name=offer.name,
        description=description,
        meta=None if offer.draw is None else pictures.TOOL_META,
        annotations=_annotations(offer),
        **output,
    )
    tool.parameters = plain_schema(dereference_refs(tool.parameters))
    tool.parameters["properties"] = properties = {
        name: parameter
        for name, parameter in tool.parameters["properties"].items()
        if parameters.UNLISTED not in parameter
    }
    if default_project is not None and "project" in properties:
        properties["project"]["description"] = default_project
    describe_defaults(tool.parameters)
    return tool


def _annotations(offer: ToolSpec) -> ToolAnnotations:
    """What clients go by when they ask a person, or call a second time after a lost answer."""
    if not offer.writes:
        return ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return ToolAnnotations(
        read_only_hint=False,
        destructive_hint=offer.destructive,
        idempotent_hint=offer.idempotent,
        open_world_hint=False,
    )


def _lifespan(opening: LazyMemory) -> Lifespan:
    @lifespan
    async def living(_: FastMCP[Any]) -> AsyncIterator[dict[str, object]]:
        timer = asyncio.get_running_loop().call_later(BEGIN_SECONDS, opening.begin)
        try:
            yield {}
        finally:
            timer.cancel()
            await asyncio.to_thread(opening.close)

    return living
