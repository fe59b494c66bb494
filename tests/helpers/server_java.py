"""Javas for the servers of tests: the one of this machine, told what it is for.

The servers of a run share a JVM (`hosted_java.py`), so that what plans statements is compiled only
once. A server that a test has crash has a JVM of its own, without what takes half the processor
time of a start: the optimising compiler and the concurrent collector.
"""

import json
import os
import shlex
import socket
import sys
from contextlib import suppress
from pathlib import Path

from graphmem.neo4j_process.home.configuration import huge_pages
from graphmem.neo4j_process.machine.java import OLDEST, VECTOR_MODULE, find_java
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
    java = find_java(Settings())
    _put(folder / "bin" / "java", OWN_JVM.format(java=shlex.quote(str(java.executable))))
    release = java.home / "release"
    if release.exists():
        _put(folder / "release", release.read_text(encoding="utf-8"))
    return folder


def make_shared(folder: Path, *, run: int) -> Path:
    """Make a folder that graphmem takes for a Java, whose servers share a JVM if it is a JDK's.

    Args:
        folder: Where; it need not be there. Who makes it there as well shares that JVM.
        run: The process with which that JVM ends.
    """
    java = find_java(Settings())
    if not (java.home / "bin" / "javac").exists():
        return make(folder)
    host = {"java": str(java.executable), "run": str(run), "options": huge_pages()}
    _put(folder / "host.json", json.dumps(host))
    # An AOT cache is made only for newer ones, and a JVM that runs already has no use for it.
    modules = VECTOR_MODULE if java.has_vectors else ""
    _put(folder / "release", f'JAVA_VERSION="{OLDEST}"\nMODULES="{modules}"\n')
    words = {"python": shlex.quote(sys.executable), "hosted": shlex.quote(str(HOSTED))}
    _put(folder / "bin" / "java", SHARED_JVM.format(**words))
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


def _put(file: Path, text: str) -> None:
    """Write a file that may be run, in one step: another process may be using it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.chmod(0o755)
    draft.replace(file)
