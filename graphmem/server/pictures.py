"""Pictures in a chat: clients that speak MCP Apps show the page of `graphmem view` with a search.

The page is a resource, and the picture travels in the result's `_meta`, which the model does not
read. Clients that do not speak MCP Apps are told nothing of either.
"""

import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mcp_types
from fastmcp.apps import UI_EXTENSION_ID, AppConfig, app_config_to_meta_dict
from fastmcp.resources import Resource
from fastmcp.server.dependencies import get_context
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool

from graphmem.errors import DatabaseError
from graphmem.server.request_types import ListTools, ToolList

if TYPE_CHECKING:
    from fastmcp import FastMCP

    from graphmem.view import Picture

PAGE = "ui://graphmem/picture.html"
# Where the page looks for its picture; `graphmem/view/assets/host.js` has the same.
FIELD = "graphmem/picture"
TOOL_META = {"ui": app_config_to_meta_dict(AppConfig(resource_uri=PAGE))}


@dataclass(frozen=True, slots=True)
class Drawn:
    """An answer with the picture of it, or None where there is nothing to draw."""

    answer: object
    picture: "Picture | None"


def client_draws() -> bool:
    """Whether the client that calls shows pages of tools."""
    try:
        return get_context().client_supports_extension(UI_EXTENSION_ID)
    except RuntimeError:  # nobody calls
        return False


def with_picture(
    tool: Callable[..., object], draw: Callable[[Any], "Picture | None"]
) -> Callable[..., object]:
    """Make a tool draw its answer too, for clients that show it."""

    @functools.wraps(tool)
    def call(*arguments: object, **keywords: object) -> object:
        answer = tool(*arguments, **keywords)
        if not client_draws():
            return answer
        picture = None
        with suppress(DatabaseError):  # the answer stands without it
            picture = draw(answer)
        return Drawn(answer, picture)

    return call


def offer_page(app: "FastMCP[Any]") -> None:
    """Offer the page that shows the pictures."""

    def page() -> str:
        from graphmem.view import html  # noqa: PLC0415 - few clients ask for it

        return html(None)

    app.resource(
        PAGE,
        name="picture",
        description="A search as a picture",
        app=AppConfig(prefers_border=True),
    )(page)
    app.add_middleware(_PageMiddleware())


class _PageMiddleware(Middleware):
    """Tells of the page to those clients alone that can show it."""

    async def on_list_tools(self, context: ToolList, call_next: ListTools) -> Sequence[Tool]:
        tools = await call_next(context)
        return tools if client_draws() else [_without_page(tool) for tool in tools]

    async def on_list_resources(
        self,
        context: MiddlewareContext[mcp_types.ListResourcesRequest],
        call_next: CallNext[mcp_types.ListResourcesRequest, Sequence[Resource]],
    ) -> Sequence[Resource]:
        resources = await call_next(context)
        return (
            resources
            if client_draws()
            else [resource for resource in resources if str(resource.uri) != PAGE]
        )


def _without_page(tool: Tool) -> Tool:
    return tool if tool.meta is None else tool.model_copy(update={"meta": None})
