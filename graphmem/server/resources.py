"""Resources: what people attach to a message in their client, such as `memory://overview`."""

import inspect
from typing import TYPE_CHECKING, Any

from fastmcp.exceptions import ResourceError
from fastmcp.resources import FunctionResource
from fastmcp.resources.template import FunctionResourceTemplate
from mcp_types import Resource, ResourceTemplate

from graphmem.arguments import renaming_arguments
from graphmem.model.json_object import JsonObject, compact_json
from graphmem.server.agent_text import answer_for_agents
from graphmem.server.concise_json import concise_json
from graphmem.server.middleware import expose_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastmcp import FastMCP

    from graphmem.server.tools import Tools

OVERVIEW = "memory://overview"
# By their names, the addresses under which a method answers.
TEMPLATES = {
    "overview": f"{OVERVIEW}{{?project}}",
    "entity": "memory://entity/{name*}{?project}",
}
JSON = "application/json"


class _Resource(FunctionResource):
    """A resource that lists nothing but what people read."""

    def to_mcp_resource(self, **overrides: object) -> Resource:
        """Describe the resource without FastMCP's own notes."""
        return super().to_mcp_resource(**{"_meta": self.meta, **overrides})


class _Template(FunctionResourceTemplate):
    """A template, likewise."""

    def to_mcp_template(self, **overrides: object) -> ResourceTemplate:
        """Describe the template, likewise."""
        return super().to_mcp_template(**{"_meta": self.meta, **overrides})


class Resources:
    """What a server shows without a call of a tool: the answers of its tools as texts.

    Args:
        tools: The tools.
    """

    def __init__(self, tools: "Tools") -> None:
        self._tools = tools

    def offer(self, app: "FastMCP[Any]") -> None:
        """Offer the overview, which clients list, and the entities, which they do not."""
        app.add_resource(
            _Resource.from_function(
                self._own_overview, OVERVIEW, name="overview",
                description=inspect.getdoc(self.overview), mime_type=JSON,
            )
        )  # fmt: skip
        methods: dict[str, Callable[..., str]] = {"overview": self.overview, "entity": self.entity}
        for name, template in TEMPLATES.items():
            method = methods[name]
            call = expose_errors(method, ResourceError)
            # A docstring would make FastMCP import its parser.
            call.__doc__ = ""
            app.add_template(
                _Template.from_function(
                    call, template, name=name, description=inspect.getdoc(method),
                    mime_type=JSON, security=None,  # a name is no path
                )
            )  # fmt: skip

    def _own_overview(self) -> str:
        return expose_errors(self.overview, ResourceError)()

    def overview(self, project: str = "") -> str:
        """What a project holds: counts, what changed last, hubs and stubs."""
        return _text(self._tools.overview(project=project or None))

    def entity(self, name: str, project: str = "") -> str:
        """An entity in full, with its relations."""
        with renaming_arguments(**{"names[0]": "name"}):
            return _text(self._tools.get((name,), project=project or None, whole=True))


def _text(answer: JsonObject) -> str:
    return compact_json(concise_json(answer_for_agents(answer.to_json())))
