"""`graphmem serve`."""

from typing import Annotated, Literal

from cyclopts import Parameter

from graphmem import arguments, import_cost
from graphmem.cli.options import WITH_DEFAULT, Layers, Place, place, writable_layers
from graphmem.errors import NOT_SHOWN, ConfigurationError, InvalidInput
from graphmem.profiles import PROFILES

# As defaults of the parameters they would not differ from the same values on the command line.
HOST = "127.0.0.1"
PORT = 8765
HIGHEST_PORT = 65_535


def serve(
    *,
    project: Annotated[
        str | None,
        Parameter(help="Allow only this project; by default the folder's, and calls may name any."),
    ] = None,
    transport: Annotated[
        Literal["stdio", "http"],
        Parameter(help="stdio: a client starts the server; http: clients connect to it."),
        WITH_DEFAULT,
    ] = "stdio",
    host: Annotated[
        str | None, Parameter(help="Address to listen on with http.", show_default=HOST)
    ] = None,
    port: Annotated[
        int | None,
        Parameter(
            help="Port to listen on with http, to 65535; 0 is any free one.", show_default=str(PORT)
        ),
    ] = None,
    profile: Annotated[
        list[str] | None,
        Parameter(help="Serve the tools of another program; may be repeated.", choices=PROFILES),
    ] = None,
    read_only: Annotated[bool, Parameter(help="Serve only tools that do not write.")] = False,
    allow_purge: Annotated[
        bool,
        Parameter(help="Allow agents to delete for good, by the action purge of the tool forget."),
    ] = False,
    layers: Layers = None,
    folder: Annotated[
        list[Place] | None,
        Parameter(
            help="With http: a folder that callers of the profile rye may name in project_path, "
            "with everything below it; may be repeated.",
            negative="",
        ),
    ] = None,
) -> int:
    """Serve the memory to agents over MCP.

    MCP clients start this command themselves: `claude mcp add graphmem -- graphmem
    serve`, or {"command": "graphmem", "args": ["serve"]} in their configuration.
    """
    _check_descriptions()
    other = "--read-only" if read_only else "--profile" if profile else None
    if allow_purge and other is not None:
        raise InvalidInput("--allow-purge", NOT_SHOWN, f"cannot be combined with {other}")
    _check_address(transport, folder, host, port)
    with import_cost.uncollected():  # FastMCP takes most of a second
        from graphmem import server

    return server.run(
        project=project,
        layers=writable_layers(layers, project),
        folders=tuple(place("--folder", text) for text in folder or ()),
        transport=transport,
        host=HOST if host is None else host,
        port=PORT if port is None else port,
        profiles=profile or (),
        read_only=read_only,
        allow_purge=allow_purge,
    )


def _check_descriptions() -> None:
    if serve.__doc__ is None:
        raise ConfigurationError(
            "PYTHONOPTIMIZE: at level 2 (`python -OO`), Python drops the descriptions by which "
            "agents choose tools; set it to 1, or unset it"
        )


def _check_address(
    transport: str, folder: list[Place] | None, host: str | None, port: int | None
) -> None:
    if port is not None:
        arguments.number("port", port, 0, HIGHEST_PORT)
    if host is not None and not host.strip():
        hint = "An empty one would be every address of this machine, which 0.0.0.0 is."
        raise InvalidInput("--host", host, "must be an address or a name", hint=hint)
    if transport != "stdio":
        return
    must = "must be given with --transport http"
    if folder:
        hint = "Over stdio a caller may name any folder, since the client runs on this machine."
        raise InvalidInput("--folder", folder[0], must, hint=hint)
    for option, value in (("--host", host), ("--port", port)):
        if value is not None:
            hint = "Over stdio the client starts the server, which listens at no address."
            raise InvalidInput(option, value, must, hint=hint)
