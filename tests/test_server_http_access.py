"""Who may call the MCP server over HTTP."""

import asyncio
import socket

import pytest

from graphmem.errors import ConfigurationError
from graphmem.model.secret import Secret
from graphmem.server import http

TOKEN = "open-sesame-open"  # noqa: S105 - a test's own


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
def test_a_loopback_address_needs_no_token(host: str) -> None:
    assert http.bearer(None, host) is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])  # noqa: S104 - what is refused
def test_any_other_address_needs_a_token(host: str) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_TOKEN"):
        http.bearer(None, host)


@pytest.mark.parametrize(
    ("sent", "let_in"), [(TOKEN, True), (TOKEN[:-1], False), ("öpen", False), ("", False)]
)
def test_only_the_token_grants_access(sent: str, let_in: bool) -> None:  # noqa: FBT001 - a table
    door = http.bearer(Secret(TOKEN), "127.0.0.1")
    assert door is not None
    assert (asyncio.run(door.verify_token(sent)) is not None) == let_in


@pytest.mark.parametrize(
    "token", ["a", "fifteen-letters", "open sesame open sesame", "öpen-sesame-öpen-sesame"]
)
def test_a_token_that_can_be_guessed_or_not_sent_is_refused_without_being_told(token: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        http.bearer(Secret(token), "127.0.0.1")
    assert "at least 16" in str(raised.value)
    assert "secrets.token_urlsafe" in str(raised.value)
    assert len(token) == 1 or token not in str(raised.value)


def test_a_port_in_use_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"at 127.0.0.1 port {port}"):
            http._listening("127.0.0.1", port)
