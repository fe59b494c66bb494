"""A process that listens where a server was, and writes down what it is sent.

    python port_thief.py plain|encrypted|silent PORT RECORD

`plain` answers as a Bolt server does that knows no encryption, so that a client goes on to its
password. `encrypted` has a certificate of its own making. `silent` accepts and says nothing. The
record gets a line for every connection, and what was read from it, decrypted where it was
encrypted.
"""

from __future__ import annotations

import errno
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from graphmem.neo4j_process.home import certificate
from graphmem.neo4j_process.home.paths import Home

if TYPE_CHECKING:
    from collections.abc import Iterator

BOLT_MAGIC = bytes.fromhex("6060b017")
# Bolt 5.0, in which the first message holds the password.
BOLT_VERSION = bytes.fromhex("00000005")
READY = b"listening\n"
CONNECTED = b"connected\n"


class Record:
    """What a thief wrote down."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def connections(self) -> int:
        return self._path.read_bytes().count(CONNECTED)

    def holds(self, secret: str) -> bool:
        return secret.encode() in self._path.read_bytes()


@contextmanager
def listening(mode: str, port: int) -> Iterator[Record]:
    """Run a thief on a port of this machine, and end it."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record"
        command = [sys.executable, __file__, mode, str(port), str(record)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as thief:
            try:
                assert thief.stdout is not None
                assert thief.stdout.readline() == READY
                yield Record(record)
            finally:
                thief.kill()


def main(mode: str, port: int, path: Path) -> None:
    """Listen until the end."""
    with path.open("wb", buffering=0) as record, socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        while not _is_bound(door, port):
            time.sleep(0.01)
        door.listen()
        sys.stdout.buffer.write(READY)
        sys.stdout.flush()
        context = _own_context(path.parent) if mode == "encrypted" else None
        while True:
            caller, _ = door.accept()
            record.write(CONNECTED)
            threading.Thread(target=_listen, args=(mode, caller, context, record)).start()


def _is_bound(door: socket.socket, port: int) -> bool:
    """Take a port unless somebody has it: what was killed is gone before all of its sockets are."""
    try:
        door.bind(("127.0.0.1", port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        return False
    return True


def _own_context(folder: Path) -> ssl.SSLContext:
    home = Home(folder)
    certificate.ensure(home)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(home.certificate, home.key)
    return context


def _listen(
    mode: str, caller: socket.socket, context: ssl.SSLContext | None, record: BinaryIO
) -> None:
    with suppress(OSError):
        if context is not None:
            caller = context.wrap_socket(caller, server_side=True)
        while data := caller.recv(65_536):
            record.write(data)
            if mode != "silent" and data.startswith(BOLT_MAGIC):
                caller.sendall(BOLT_VERSION)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
