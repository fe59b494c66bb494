"""A Java for servers that live for seconds: the one of this machine, made for a quick start.

Its optimising compiler and its concurrent collector take half the processor time of a start, and
repay it after minutes only. Nor does a server that lives for seconds make better plans for a store
that has grown: the large statements of a search take seconds to plan, and tests empty and fill
their stores all the time.
"""

import shlex
from pathlib import Path

from graphmem.neo4j_process.home.configuration import MAIN_CLASS
from graphmem.neo4j_process.machine.java import find_java
from graphmem.settings import Settings

PROGRAM = """#!/bin/sh
case " $* " in
*" {server} "*) set -- "$@" -c dbms.cypher.min_replan_interval=60s ;;
esac
exec {java} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$@"
"""


def make(folder: Path) -> Path:
    """Make a folder that graphmem takes for a Java, and give it."""
    java = find_java(Settings())
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        PROGRAM.format(server=MAIN_CLASS, java=shlex.quote(str(java.executable))), encoding="utf-8"
    )
    program.chmod(0o755)
    release = java.home / "release"
    if release.exists():
        (folder / "release").write_bytes(release.read_bytes())
    return folder
