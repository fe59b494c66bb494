"""MCP over HTTP: where it listens, who may call, and its health."""

import asyncio
import contextlib
import ipaddress
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import fastmcp
from fastmcp import FastMCP
from fastmcp.server.auth import TokenVerifier
from fastmcp.server.http import HostOriginGuardMiddleware
from starlette.middleware import Middleware

from graphmem.errors import ConfigurationError
from graphmem.model.secret import Secret
from graphmem.server.callers import CallerToken
from graphmem.server.health import HealthEndpoint
from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.refusals import Refusals
from graphmem.server.repair import RepairedBodies
from graphmem.server.stopping import STOP_SIGNALS, Stopping
from graphmem.server.tokens import MAKE_TOKEN, KnownCallers

# Requests and connections beyond are answered with 503; many more connections are not answered.
CONNECTIONS = 128
# So long a server that was told to stop works on for calls in flight; a container waits ten.
STOP_SECONDS = 8


class Bearer(TokenVerifier):
    """Lets in who knows one of the tokens.

    Args:
        callers: Those who may call.
    """

    def __init__(self, callers: KnownCallers) -> None:
        super().__init__()
        self._callers = callers

    async def verify_token(self, token: str) -> CallerToken | None:
        """Give the caller's access, or None for a wrong token; takes the same time for all."""
        caller = self._callers.caller_with(token)
        if caller is None:
            return None
        return CallerToken(
            token=token, client_id=caller.name or "graphmem", scopes=[], caller=caller
        )


def bearer(token: Secret | None, host: str, tokens: Path | None = None) -> Bearer | None:
    """Who may call at an address: who has a token, or on loopback anyone where none is set.

    Args:
        token: The anonymous token.
        host: The address.
        tokens: The file of the named callers.

    Raises:
        ConfigurationError: The address is not loopback and there is no token, a token is too short
            or cannot be sent, or the file cannot be used.
    """
    callers = KnownCallers(token, tokens)
    if callers:
        return Bearer(callers)
    if not _loopback(host):
        raise ConfigurationError(
            f"--host {host} admits other machines, but no token is set; set GRAPHMEM_TOKEN to a "
            f"secret that callers send as a bearer token, made with {MAKE_TOKEN}, or "
            "GRAPHMEM_TOKENS to a file with one for each caller, or listen on 127.0.0.1"
        )
    return None


def serve(
    app: FastMCP[Any],
    opening: LazyMemory,
    host: str,
    port: int,
    *,
    allowed_hosts: Sequence[str] = (),
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        app: What is served.
        opening: Its memory.
        host: The address to listen at.
        port: The port; 0 for any.
        allowed_hosts: More names that callers may use for this server.

    Raises:
        ConfigurationError: Nobody can listen at this address.
    """
    # Imported here for weight: over stdio there is no web server.
    from graphmem.server.http_timeouts import TimeoutProtocol  # noqa: PLC0415

    app.custom_route("/health", methods=["GET"])(HealthEndpoint(opening).__call__)
    with _listening(host, port) as listener:
        port_in_use = listener.getsockname()[1]
        _announce(host, port_in_use, has_token=app.auth is not None)
        # The web server stops by itself, then raises the signal again; whatever comes before it
        # listens for signals ends the same way.
        for number in STOP_SIGNALS:
            signal.signal(number, _interrupt)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(
                app.run_http_async(
                    show_banner=False,
                    host=host,
                    port=port_in_use,
                    sockets=[listener],
                    stateless_http=True,
                    json_response=True,
                    # FastMCP would put its guard before what explains it.
                    host_origin_protection=False,
                    middleware=[
                        Middleware(Stopping, opening, listener),
                        Middleware(Refusals),
                        Middleware(
                            HostOriginGuardMiddleware,
                            allowed_hosts=_names(host, allowed_hosts),
                            allowed_origins=fastmcp.settings.http_allowed_origins,
                            mode="strict",
                        ),
                        Middleware(RepairedBodies),
                    ],
                    uvicorn_config={
                        "log_config": None,
                        "access_log": False,
                        "http": TimeoutProtocol,
                        "ws": "none",
                        "limit_concurrency": CONNECTIONS,
                        "timeout_graceful_shutdown": STOP_SECONDS,
                    },
                )
            )


def _announce(host: str, port: int, *, has_token: bool) -> None:
    """Say on stderr where the server listens, and what whoever runs it should know of that."""
    address = f"[{host}]" if ":" in host else host
    sys.stderr.write(f"graphmem serves MCP at http://{address}:{port}/mcp\n")
    if not _loopback(host):
        sys.stderr.write(
            f"graphmem: other machines can reach {host}, and this is plain HTTP: the token and "
            "every text can be read in transit; docs/serving.md shows how to put TLS in front "
            "of it\n"
        )
    if not has_token:
        sys.stderr.write(
            "graphmem: no token is set, so every user and program of this machine can call "
            "this server; GRAPHMEM_TOKEN sets one\n"
        )
    sys.stderr.flush()


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise ConfigurationError(
            f"cannot listen at {host} port {port} ({error}); give another --host or --port"
        ) from error


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _names(host: str, more: Sequence[str]) -> list[str]:
    """The names callers may use for this server besides localhost and the address they reached.

    FASTMCP_HTTP_ALLOWED_HOSTS, a JSON list, adds some, too.
    """
    configured_names = fastmcp.settings.http_allowed_hosts or []
    return [host, socket.gethostname(), *more, *configured_names]
