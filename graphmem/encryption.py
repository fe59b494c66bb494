"""Encrypted connections that trust one certificate and no other."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import socket

HANDSHAKE_SECONDS = 10.0


class _Context(ssl.SSLContext):
    """Gives up a handshake that nobody answers; the driver alone would wait three times as long."""

    def wrap_socket(self, sock: socket.socket, *args: Any, **options: Any) -> ssl.SSLSocket:  # noqa: ANN401 - as the standard library's
        timeout = sock.gettimeout()
        sock.settimeout(HANDSHAKE_SECONDS if timeout is None else min(timeout, HANDSHAKE_SECONDS))
        secured_socket = super().wrap_socket(sock, *args, **options)
        secured_socket.settimeout(timeout)
        return secured_socket


def trusting(certificate: str) -> ssl.SSLContext:
    """Make a context for a client that speaks to the owner of one certificate and to nobody else.

    Args:
        certificate: As PEM; also the server's address must be one that it names.

    Raises:
        ssl.SSLError, ValueError: The text is no certificate.
    """
    context = _Context(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_verify_locations(cadata=certificate)
    return context
