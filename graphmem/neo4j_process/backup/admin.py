"""Neo4j's own administration program, run from the same jars: dump a stopped store, load a dump."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import configuration
from graphmem.neo4j_process.home.paths import DATABASE
from graphmem.neo4j_process.machine import processes, programs
from graphmem.neo4j_process.running import causes, jvm

if TYPE_CHECKING:
    from pathlib import Path

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.running.launch import Launch
    from graphmem.progress import Progress

# Not Neo4jAdminCommand, which only starts this one in a second JVM.
MAIN_CLASS = "org.neo4j.cli.AdminTool"
DUMP = f"{DATABASE}.dump"
PERCENT = re.compile(r"Files: \d+/\d+, data:\s*(\d+)")
NOISE = re.compile(r"^\s*$|^WARNING:|^Files: |^\s+at ")
LAST_WORDS = 4
SILENT_SECONDS = 600.0
LONGEST_SECONDS = 24 * 3600.0


def dump(launch: Launch, folder: Path, progress: Progress) -> None:
    """Dump the database of a stopped server into a folder, as `DUMP`; the store is only read.

    Raises:
        StartFailed: when it fails, with the reason.
    """
    arguments = ("database", "dump", DATABASE, f"--to-path={folder}")
    _run(launch, arguments, "Dumping the store", progress)


def load(launch: Launch, folder: Path, progress: Progress) -> None:
    """Load the dump in a folder into a home that has no such database yet.

    Raises:
        StartFailed: when it fails, with the reason.
    """
    arguments = ("database", "load", DATABASE, f"--from-path={folder}")
    _run(launch, arguments, "Loading the store", progress)


def end_leftovers(home: Home) -> None:
    """End an administration program of this home whose caller was killed: it holds the store."""
    leftover = processes.find_by_arguments(MAIN_CLASS, _mark(home))
    if leftover is not None:
        processes.end(leftover, patience_seconds=0)


def _run(launch: Launch, arguments: tuple[str, ...], task: str, progress: Progress) -> None:
    home = launch.home
    places = {"NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.configuration.parent)}
    words: list[str] = []
    try:
        with programs.started(
            [*_command(launch), *arguments],
            folder=home.root,
            variables=jvm.environment() | places,
        ) as process:
            for line in programs.lines_of(
                process, silent_seconds=SILENT_SECONDS, longest_seconds=LONGEST_SECONDS
            ):
                if percent := PERCENT.match(line):
                    progress.advance(task, min(99, int(percent[1])), 100)
                elif not NOISE.match(line):
                    words = [*words, line.strip()][-LAST_WORDS:]
    except (programs.SilentProgram, OSError) as error:
        raise StartFailed(f"{task} failed: {error}") from None
    if process.returncode != 0:
        reason = causes.sentence(
            StartFailed(" | ".join(words) or "it said nothing"), home.root, launch.heap
        )
        raise StartFailed(f"{task} failed: {reason}")
    progress.advance(task, 100, 100)


def _command(launch: Launch) -> list[str]:
    return [
        str(launch.java.executable),
        f"-Xmx{launch.heap}",
        *configuration.flags(launch.java),
        _mark(launch.home),
        "-cp",
        f"{launch.jars}/*",
        MAIN_CLASS,
    ]


def _mark(home: Home) -> str:
    """An argument by which the program of a home is told from every other process."""
    return f"-Dgraphmem.home={home.root}"
