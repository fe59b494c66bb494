"""Is the server there? Asked over its own two ports, without the driver."""

from __future__ import annotations

import json
import socket
import ssl

from graphmem.encryption import trusting
from graphmem.errors import StartFailed
from graphmem.neo4j_process.home.configuration import HOST
from graphmem.neo4j_process.home.state import Ports

ANSWER_SECONDS = 2.0
# The magic number of Bolt, then four proposals of a version: 5.8 down to 5.0, and three empty.
BOLT_GREETING = bytes.fromhex("6060b017 00080805 00000000 00000000 00000000")
BOLT_ANSWER_BYTES = 4


class PortTaken(StartFailed):
    """Another process got one of the chosen ports first; other ports are worth a try."""


def answering_version(ports: Ports, certificate: str) -> str | None:
    """Ask for the server's version; None while it does not yet speak on both of its ports.

    Args:
        ports: Where it listens.
        certificate: The one by which it is known, as PEM.

    Raises:
        PortTaken: another server answers on its Bolt port, without that certificate.
    """
    speaks_bolt = _speaks_bolt(ports.bolt, certificate)
    return _discovered_version(ports.http) if speaks_bolt else None


def free_ports(preferred: Ports | None) -> Ports:
    """Choose two free ports on 127.0.0.1.

    Args:
        preferred: Those of the previous start, kept where they are free: bookmarks stay valid.
    """
    choice = preferred or Ports(bolt=0, http=0)
    with _bound(choice.bolt) as for_bolt, _bound(choice.http) as for_http:
        return Ports(bolt=for_bolt.getsockname()[1], http=for_http.getsockname()[1])


def _bound(port: int) -> socket.socket:
    """Bind that port, or any when it is taken."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # As the JVM does: a port whose connections ended a moment ago is free.
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((HOST, port))
    except OSError:
        bound.bind((HOST, 0))
    return bound


def _speaks_bolt(port: int, certificate: str) -> bool:
    try:
        with (
            socket.create_connection((HOST, port), timeout=ANSWER_SECONDS) as raw_connection,
            trusting(certificate).wrap_socket(raw_connection, server_hostname=HOST) as connection,
        ):
            connection.sendall(BOLT_GREETING)
            answer = connection.recv(BOLT_ANSWER_BYTES)
    except ssl.SSLCertVerificationError as error:
        raise PortTaken(
            f"another server answers at {HOST}:{port}: {error.verify_message}"
        ) from None
    except OSError:
        return False
    return len(answer) == BOLT_ANSWER_BYTES and any(answer)


def _discovered_version(port: int) -> str | None:
    import http.client  # noqa: PLC0415 - for weight: only a keeper asks

    connection = http.client.HTTPConnection(HOST, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/", headers={"Accept": "application/json"})
        version = json.loads(connection.getresponse().read())["neo4j_version"]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()
    return str(version)
