"""`python hosted_java.py FOLDER [ARGUMENT ...]`: a Java whose Neo4j servers share one JVM.

A JVM that has just started takes seconds of processor time for each statement that it plans, and a
run of tests has dozens of servers. So this process stands for the JVM of one server and has a host
(`ServerHost.java`) run it, which the first to come starts, and which ends with the run. Who started
this process sees what a JVM would show: SIGTERM stops the server, SIGKILL takes it away, and
connections by HTTP are held by this very process. But a server that is taken away is stopped
cleanly by the host, a moment later, and its memory is that of all. Tests of crashes, of memory and
of what a JVM prints need one of their own.

FOLDER has `host.json`, with the real Java, to which all else is left, further options of the host,
and the process of the run.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any, NoReturn

SERVER = "org.neo4j.server.Neo4jCommunity"
ADMIN = "org.neo4j.cli.AdminTool"
HOST_SOURCE = Path(__file__).with_name("ServerHost.java")
HOST_OPTIONS = (
    "-Xms1g",
    "-Xmn768m",
    "-Xmx4g",
    "-XX:+UseSerialGC",
    # Ten times the usual bounds of the optimising compiler: what runs seldom is left to the other.
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)
HOST_SECONDS = 120
# It reads or writes one store, once.
QUICK = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
# Heap, compilers and the like of one server say nothing to a JVM that all share.
OF_ONE_SERVER = re.compile(r"-X|-Dgraphmem\.")
HTTP_PORT = re.compile(r"^server\.http\.listen_address=.*:(\d+)$", re.MULTILINE)
ENDED_BY_SIGTERM = 128 + signal.SIGTERM
LOG_CHARACTERS = 4000


def main(folder: Path, arguments: list[str]) -> NoReturn:
    settings = json.loads((folder / "host.json").read_text(encoding="utf-8"))
    if SERVER in arguments:
        home, configuration = (
            next(argument[len(name) :] for argument in arguments if argument.startswith(name))
            for name in ("--home-dir=", "--config-dir=")
        )
        be_server(host(folder, settings, arguments), home, Path(configuration) / "neo4j.conf")
    options = QUICK if ADMIN in arguments else []
    os.execv(settings["java"], [settings["java"], *options, *arguments])  # noqa: S606 - the real one


def host(folder: Path, settings: dict[str, Any], arguments: list[str]) -> socket.socket:
    """Connect to the host, which is started where there is none."""
    address = folder / "host"
    with (folder / "host.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (connection := connected(address)) is not None:
            return connection
        address.unlink(missing_ok=True)
        where = arguments.index("-cp")
        options = [option for option in arguments[:where] if not OF_ONE_SERVER.match(option)]
        with (folder / "host.log").open("ab") as log:
            subprocess.Popen(
                [settings["java"], *HOST_OPTIONS, *settings["options"], *options,
                 *arguments[where : where + 2], HOST_SOURCE, address, settings["run"]],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + HOST_SECONDS
        while time.monotonic() < deadline:
            if (connection := connected(address)) is not None:
                return connection
            time.sleep(0.05)
    sys.exit(f"the JVM that hosts the servers of tests did not start; see {folder}/host.log")


def connected(address: Path) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(address))
    except OSError:
        connection.close()
        return None
    return connection


def be_server(host: socket.socket, home: str, configuration: Path) -> NoReturn:
    """Have the host run a server as long as this process lives."""
    port = HTTP_PORT.search(configuration.read_text(encoding="utf-8"))
    assert port is not None, f"{configuration} names no port for HTTP"
    door = listening(int(port[1]))
    inner_port = free_port()
    answers = host.makefile(encoding="utf-8")
    signal.signal(signal.SIGTERM, lambda *_: host.sendall(b"stop\n"))
    ask(host, "server", home, str(configuration), str(inner_port))
    if answers.readline() != "started\n":
        quote_log(Path(home))
        sys.exit(1)
    threading.Thread(target=forward, args=(door, inner_port), daemon=True).start()
    answers.readline()
    os._exit(ENDED_BY_SIGTERM)


def ask(host: socket.socket, *words: str) -> None:
    host.sendall("\0".join(words).encode() + b"\n")


def listening(port: int) -> socket.socket:
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind(("127.0.0.1", port))
    except OSError:
        sys.exit(f"Address 127.0.0.1:{port} is already in use, cannot bind to it.")
    door.listen()
    return door


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def quote_log(home: Path) -> None:
    """Print what a JVM of its own prints where a server does not start: the end of its log."""
    log: IO[str]
    try:
        with (home / "logs" / "neo4j.log").open(encoding="utf-8") as log:
            sys.stderr.write(log.read()[-LOG_CHARACTERS:])
    except OSError as error:
        sys.stderr.write(f"the server did not start, and has no log: {error}\n")


def forward(door: socket.socket, port: int) -> None:
    """Pass connections on to the server's own port, so that they are this process's."""
    while True:
        outer, _ = door.accept()
        try:
            inner = socket.create_connection(("127.0.0.1", port))
        except OSError:  # the server is stopping
            outer.close()
            continue
        for source, target in ((outer, inner), (inner, outer)):
            threading.Thread(target=pump, args=(source, target), daemon=True).start()


def pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while received := source.recv(65536):
            target.sendall(received)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        source.close()
        target.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
