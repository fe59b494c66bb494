"""Javas for the servers of tests: the one of this machine, told what it is for.

Its optimising compiler and its concurrent collector take half the processor time of a start. A
server that lives for seconds does without both. One that lives for minutes mostly plans statements:
it has the compiler, but only for what runs very often, which takes a quarter less processor time
than the compiler's usual bounds and than doing without.
"""

import shlex
from pathlib import Path

from graphmem.neo4j_process.machine.java import find_java
from graphmem.settings import Settings

SHORT_LIVED = "-XX:TieredStopAtLevel=1"
# Thirty times the usual bounds of the optimising compiler.
LONG_LIVED = (
    "-XX:Tier4InvocationThreshold=150000 -XX:Tier4MinInvocationThreshold=18000 "
    "-XX:Tier4CompileThreshold=450000 -XX:Tier4BackEdgeThreshold=1200000"
)
PROGRAM = """#!/bin/sh
# A small store's server is started without the optimising compiler; whoever made this decides.
for argument; do
  shift
  case "$argument" in
  {short_lived}) ;;
  *) set -- "$@" "$argument" ;;
  esac
done
# Not written here: an AOT cache is for one program, and this one is the same for all servers.
exec {java} $(cat "${{0%/*}}/options") -XX:+UseSerialGC "$@"
"""


def make(folder: Path, *, lives_long: bool = False) -> Path:
    """Make a folder that graphmem takes for a Java, and give it.

    Args:
        folder: Where; it need not be there.
        lives_long: Whether it is for servers that live for minutes.
    """
    java = find_java(Settings())
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        PROGRAM.format(
            java=shlex.quote(str(java.executable)),
            short_lived=SHORT_LIVED,
        ),
        encoding="utf-8",
    )
    options = program.with_name("options")
    options.write_text(LONG_LIVED if lives_long else SHORT_LIVED, encoding="utf-8")
    program.chmod(0o755)
    release = java.home / "release"
    if release.exists():
        (folder / "release").write_bytes(release.read_bytes())
    return folder
