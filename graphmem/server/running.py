"""`graphmem serve`: what it needs is checked, then it serves until it is told to stop."""

import os
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from graphmem import import_cost, settings
from graphmem import project as projects
from graphmem.arguments import expanded_path
from graphmem.server import http, logs, stdio
from graphmem.server.app import build
from graphmem.server.lazy_memory import LazyMemory
from graphmem.settings import ineffective

if TYPE_CHECKING:
    from graphmem.memory import Memory

Transport = Literal["stdio", "http"]
# For a person who runs in a terminal what a client is to run.
AT_TERMINAL = (
    "graphmem serves MCP over stdio: a client such as Claude Code starts this command and writes "
    "to it. docs/agents.md shows how. Ctrl-C ends it.\n"
)

# So long the first calls wait for the model, and no later one ever.
FIRST_SEARCH_SECONDS = 5.0


def run(
    *,
    project: str | None = None,
    transport: Transport = "stdio",
    host: str = "127.0.0.1",
    port: int = 8765,
    profiles: Sequence[str] = (),
    read_only: bool = False,
    allow_purge: bool = False,
    layers: Iterable[str] = (),
    folders: Iterable[Path] = (),
) -> int:
    """Serve MCP until stdin closes (stdio) or SIGTERM or SIGINT arrives (both transports).

    Args:
        project: The one project that calls read and write, beside the layers that are read behind
            it. Without it calls may name any; over stdio the one of the folder the server was
            started in is the default, over HTTP there is none.
        transport: `stdio`, or `http` at `/mcp`, with `/health` beside it.
        host: Address to listen at. Other than loopback it takes GRAPHMEM_TOKEN or GRAPHMEM_TOKENS.
        port: Port to listen at; 0 for any free one, named on stderr.
        profiles: Whose tools are offered instead of graphmem's own.
        read_only: Whether only reading tools are offered and the memory refuses writes.
        allow_purge: Whether agents may delete for good.
        layers: The layers that may be written, of `@user` and `@system`.
        folders: The folders of this machine that callers over HTTP may name; over stdio any.

    Returns:
        0: a server that was told to stop, and stopped, did nothing wrong. Where threads still work
        in the background (a model being imported), the process ends at once instead.

    Raises:
        ConfigurationError: A setting cannot be used, a token is missing, the address is taken, or
            the profiles do not go together.
        InvalidInput: The project's name is not allowed, or no home directory is known that the `~`
            of a folder stands for.
    """
    config = settings.load()
    # Over stdio a client may show its user what a server writes.
    logs.to_stderr(config.log_level, calls=transport == "http")
    ineffective.warn()
    if project is not None:
        project = projects.check_project_name(project)
    detect_project = transport == "stdio"
    allowed_folders = (
        None
        if detect_project
        else tuple(expanded_path("--folder", folder).absolute() for folder in folders)
    )
    open_memory = partial(
        _open,
        config,
        project,
        layers=frozenset(layers),
        folders=allowed_folders,
        detect_project=detect_project,
        read_only=read_only,
    )
    opening = LazyMemory(open_memory)
    build_app = partial(
        build,
        opening,
        profiles=profiles,
        read_only=read_only,
        allow_purge=allow_purge,
        project=project or config.project,
    )
    if transport == "stdio":
        if sys.stdin.isatty():
            sys.stderr.write(AT_TERMINAL)
        stdio.serve(build_app(), opening)
    else:
        auth = http.bearer(config.token, host, config.tokens)
        app = build_app(detects_project=False, auth=auth)
        http.serve(app, opening, host, port, allowed_hosts=config.allowed_hosts or ())
    return _end()


def _open(
    config: settings.Settings,
    project: str | None,
    *,
    layers: frozenset[str],
    folders: tuple[Path, ...] | None,
    detect_project: bool,
    read_only: bool,
) -> "Memory":
    # Imported here for weight, in this thread; the model begins to load afterwards.
    with import_cost.without(*import_cost.DRIVER_EXTRAS):
        from graphmem.embedding import configured_embedder  # noqa: PLC0415
        from graphmem.memory import Memory  # noqa: PLC0415
        from graphmem.memory.access import Access  # noqa: PLC0415

    embedder = configured_embedder(config, start=False)
    memory = Memory.open(
        project=project,
        access=Access(project, layers, folders),
        config=config,
        embedder=embedder,
        wait_for_model=False,
        detect_project=detect_project,
        read_only=read_only,
    )
    # Only now: the import of torch takes the interpreter from everything else for seconds. A model
    # that onnxruntime has on this machine is there in one, and the first search is to use it.
    embedder.wait(FIRST_SEARCH_SECONDS)
    if memory.reranker is not None:
        memory.reranker.start()
    return memory


def _end() -> int:
    """Give the exit code, or leave at once where a thread would hold up or crash the end."""
    if threading.active_count() > 1:
        sys.stderr.flush()
        os._exit(0)
    return 0
