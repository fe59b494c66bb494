"""Javas for the servers of tests: the one of this machine, told what it is for.

Its optimising compiler and its concurrent collector take half the processor time of a start. A
server that lives for seconds does without both. That of a whole run has the compiler, which repays
its time after minutes: most of what it does is planning statements. Neither makes better plans
soon for a store that has grown: the large statements of a search take seconds to plan, and tests
empty and fill their stores all the time.
"""

import shlex
from pathlib import Path

from graphmem.neo4j_process.home.configuration import MAIN_CLASS
from graphmem.neo4j_process.machine.java import find_java
from graphmem.settings import Settings

SHORT_LIVED = "-XX:TieredStopAtLevel=1"
PROGRAM = """#!/bin/sh
case " $* " in
*" {server} "*) set -- "$@" -c dbms.cypher.min_replan_interval=60s ;;
esac
# A small store's server is started without the optimising compiler; whoever made this decides.
for argument; do
  shift
  case "$argument" in
  {short_lived}) ;;
  *) set -- "$@" "$argument" ;;
  esac
done
exec {java} {options} -XX:+UseSerialGC "$@"
"""


def make(folder: Path, *, optimises: bool = False) -> Path:
    """Make a folder that graphmem takes for a Java, and give it.

    Args:
        folder: Where; it need not be there.
        optimises: Whether the optimising compiler is used.
    """
    java = find_java(Settings())
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        PROGRAM.format(
            server=MAIN_CLASS,
            java=shlex.quote(str(java.executable)),
            short_lived=SHORT_LIVED,
            options="" if optimises else SHORT_LIVED,
        ),
        encoding="utf-8",
    )
    program.chmod(0o755)
    release = java.home / "release"
    if release.exists():
        (folder / "release").write_bytes(release.read_bytes())
    return folder
