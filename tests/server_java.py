"""Javas for the servers of tests: the one of this machine, told what it is for.

The servers of a run share a JVM (`hosted_java.py`), so that what plans statements is compiled only
once. A server that a test has crash has a JVM of its own, without what takes half the processor
time of a start: the optimising compiler and the concurrent collector.
"""

import json
import shlex
import socket
import sys
from contextlib import suppress
from pathlib import Path

from graphmem.neo4j_process.machine.java import OLDEST, VECTOR_MODULE, Java, find_java
from graphmem.settings import Settings

HOSTED = Path(__file__).with_name("hosted_java.py")
OWN_JVM = """#!/bin/sh
# graphmem starts the server of a small store without the optimising compiler; here, any server.
exec {java} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$@"
"""
SHARED_JVM = """#!/bin/sh
exec {python} -IS {hosted} "${{0%/*/*}}" "$@"
"""


def make(folder: Path) -> Path:
    """Make a folder that graphmem takes for a Java, each of whose servers has its own JVM.

    Args:
        folder: Where; it need not be there.
    """
    return _make(folder, find_java(Settings()), OWN_JVM)


def make_shared(folder: Path, *, run: int) -> Path:
    """Make a folder that graphmem takes for a Java, whose servers share a JVM if it is a JDK's.

    Args:
        folder: Where; it need not be there. Who makes it there as well shares that JVM.
        run: The process with which that JVM ends.
    """
    java = find_java(Settings())
    if not (java.home / "bin" / "javac").exists():
        return make(folder)
    folder.mkdir(parents=True, exist_ok=True)
    host = {"java": str(java.executable), "run": str(run)}
    (folder / "host.json").write_text(json.dumps(host), encoding="utf-8")
    _make(folder, java, SHARED_JVM)
    # An AOT cache is made only for newer ones, and a JVM that runs already has no use for it.
    (folder / "release").write_text(
        f'JAVA_VERSION="{OLDEST}"\nMODULES="{VECTOR_MODULE if java.has_vectors else ""}"\n',
        encoding="utf-8",
    )
    return folder


def _make(folder: Path, java: Java, program: str) -> Path:
    executable = folder / "bin" / "java"
    executable.parent.mkdir(parents=True, exist_ok=True)
    executable.write_text(
        program.format(
            java=shlex.quote(str(java.executable)),
            python=shlex.quote(sys.executable),
            hosted=shlex.quote(str(HOSTED)),
        ),
        encoding="utf-8",
    )
    executable.chmod(0o755)
    release = java.home / "release"
    if release.exists():
        (folder / "release").write_bytes(release.read_bytes())
    return folder


def await_end(java: Path, home: Path) -> None:
    """Wait until a shared JVM runs nothing on a home any more.

    Args:
        java: Its folder, as given by `make_shared`.
        home: The home.
    """
    with socket.socket(socket.AF_UNIX) as connection, suppress(OSError):
        connection.connect(str(java / "host"))
        connection.sendall(f"wait\0{home}\n".encode())
        connection.recv(len("ended\n"))
