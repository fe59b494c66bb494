"""MCP over HTTP: where it listens, who may call, and its health."""

import asyncio
import contextlib
import hashlib
import hmac
import ipaddress
import re
import signal
import socket
import sys
from typing import Any, NoReturn

import fastmcp
from fastmcp import FastMCP
from fastmcp.server.auth import AccessToken, TokenVerifier

from graphmem.errors import ConfigurationError
from graphmem.model.secret import Secret
from graphmem.server.health import HealthEndpoint
from graphmem.server.lazy_memory import LazyMemory

STOPPING = (signal.SIGTERM, signal.SIGINT)
TOKEN_CHARACTERS = 16
MAKE_TOKEN = "`python3 -c 'import secrets; print(secrets.token_urlsafe(32))'`"  # noqa: S105 - a hint
# Requests and connections beyond are answered with 503; many more connections are not answered.
CONNECTIONS = 128

_SENDABLE = re.compile("[!-~]+")


class Bearer(TokenVerifier):
    """Lets in who knows the one token."""

    def __init__(self, token: Secret) -> None:
        super().__init__()
        self._token = token

    async def verify_token(self, token: str) -> AccessToken | None:
        """Give the caller's access, or None for a wrong token; takes the same time for both."""
        # Digests are of one length, so that not even the token's length shows in the time.
        caller_digest, own_digest = (
            hashlib.sha256(secret.encode()).digest()
            for secret in (token, self._token.get_secret_value())
        )
        if not hmac.compare_digest(caller_digest, own_digest):
            return None
        return AccessToken(token=token, client_id="graphmem", scopes=[])


def bearer(token: Secret | None, host: str) -> Bearer | None:
    """Who may call at an address: who has the token, or on loopback anyone where none is set.

    Raises:
        ConfigurationError: The address is not loopback and there is no token, or the token is too
            short or cannot be sent.
    """
    if token is not None:
        secret = token.get_secret_value()
        if len(secret) < TOKEN_CHARACTERS or not _SENDABLE.fullmatch(secret):
            raise ConfigurationError(
                f"GRAPHMEM_TOKEN has {len(secret)} characters; it must have at least "
                f"{TOKEN_CHARACTERS} ASCII letters, digits and punctuation marks, without spaces; "
                f"make one with {MAKE_TOKEN}"
            )
        return Bearer(token)
    if not _loopback(host):
        raise ConfigurationError(
            f"--host {host} admits other machines, but no token is set; set GRAPHMEM_TOKEN to a "
            f"secret that callers send as a bearer token, made with {MAKE_TOKEN}, or listen on "
            "127.0.0.1"
        )
    return None


def serve(app: FastMCP[Any], opening: LazyMemory, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT.

    Raises:
        ConfigurationError: Nobody can listen at this address.
    """
    # Imported here for weight: over stdio there is no web server.
    from graphmem.server.patience import PatientProtocol  # noqa: PLC0415

    app.custom_route("/health", methods=["GET"])(HealthEndpoint(opening).__call__)
    with _listening(host, port) as listener:
        port_in_use = listener.getsockname()[1]
        address = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"graphmem serves MCP at http://{address}:{port_in_use}/mcp\n")
        if not _loopback(host):
            sys.stderr.write(
                f"graphmem: other machines can reach {host}, and this is plain HTTP: the token and "
                "every text can be read in transit; docs/serving.md shows how to put TLS in front "
                "of it\n"
            )
        sys.stderr.flush()
        # The web server stops by itself, then raises the signal again; whatever comes before it
        # listens for signals ends the same way.
        for number in STOPPING:
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
                    host_origin_protection=True,
                    allowed_hosts=_names(host),
                    uvicorn_config={
                        "log_config": None,
                        "access_log": False,
                        "http": PatientProtocol,
                        "ws": "none",
                        "limit_concurrency": CONNECTIONS,
                    },
                )
            )


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


def _names(host: str) -> list[str]:
    """The names callers may use for this server besides localhost and the address they reached.

    More of them: FASTMCP_HTTP_ALLOWED_HOSTS, a JSON list.
    """
    more_names = fastmcp.settings.http_allowed_hosts or []
    return [host, socket.gethostname(), *more_names]
