"""What a caller hands to the keeper, and how the keeper comes to life."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import programs
from graphmem.neo4j_process.machine.java import Java

if TYPE_CHECKING:
    from collections.abc import Mapping

KEEPER = "graphmem.neo4j_process.running.keeper"
PACKAGE_ROOT = Path(__file__).parents[3]
SECONDS_TO_DETACH = 60


@dataclass(frozen=True, slots=True)
class Preparation:
    """What callers know and a server can be prepared with.

    Args:
        exercise: The module that uses the empty store of a home, as `python -m` runs it, while an
            AOT cache is recorded.
        statement: The name of a search that is planned as soon as the server is up, for the set of
            embeddings that its store searches.
        parameters: What it is planned with, as JSON has it.
        later: Names of other searches, and what they are planned with: likewise, one after the
            other, once the server has been up for a while.
    """

    exercise: str
    statement: str
    parameters: Mapping[str, Any]
    later: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Preparation:
        """Read what JSON made of one: tuples are lists there."""
        later = tuple((name, parameters) for name, parameters in value["later"])
        return cls(**{**value, "later": later})


@dataclass(frozen=True, slots=True)
class Launch:
    """All that is needed to start a server and keep it.

    Args:
        home: The server's home.
        java: The Java to run on.
        jars: Folder of the server's jars, checked.
        cache: Folder of what can be made again; the AOT cache lies below it.
        heap: The most heap, such as `512m`.
        page_cache: The page cache, such as `256m`.
        idle_minutes: Minutes without a call after which the server is stopped.
        start_seconds: Seconds the server may take to answer.
        preparation: What the server is prepared with; None for nothing.
    """

    home: Home
    java: Java
    jars: Path
    cache: Path
    heap: str
    page_cache: str
    idle_minutes: float
    start_seconds: float
    preparation: Preparation | None = None

    def to_json(self) -> str:
        """Write it as the keeper reads it."""
        return json.dumps(asdict(self), default=str)

    @classmethod
    def from_json(cls, text: str) -> Launch:
        """Read what `to_json` wrote."""
        fields = json.loads(text)
        home, java = fields.pop("home"), fields.pop("java")
        preparation = fields.pop("preparation")
        return cls(
            home=Home(Path(home["root"])),
            java=Java(Path(java.pop("home")), **java),
            jars=Path(fields.pop("jars")),
            cache=Path(fields.pop("cache")),
            preparation=Preparation.from_json(preparation) if preparation else None,
            **fields,
        )


def start_keeper(launch: Launch) -> None:
    """Start a keeper that outlives this process, and return once it holds its lock.

    Should another keeper hold the lock, the new one ends at once.

    Raises:
        StartFailed: when the keeper cannot even be started, with its last words.
    """
    with launch.home.keeper_log.open("wb") as log:
        try:
            subprocess.run(  # noqa: S603 - this interpreter, this package
                [sys.executable, "-P", "-m", KEEPER, str(launch.home.root)],
                input=launch.to_json().encode(),
                stdout=log,
                stderr=log,
                env=module_environment(),
                check=True,
                timeout=SECONDS_TO_DETACH,
            )
        except subprocess.SubprocessError:
            words = last_words(launch.home)
            raise StartFailed(f"the keeper of the private Neo4j did not start: {words}") from None


def last_words(home: Home) -> str:
    """Quote the last line a keeper printed, and say where the others are."""
    lines = home.keeper_log.read_text(encoding="utf-8", errors="replace").split("\n")
    words = next((line for line in reversed(lines) if line.strip()), "it said nothing")
    return f"{words}; its log is {home.keeper_log}"


def module_environment() -> dict[str, str]:
    """The environment in which another process finds this very graphmem, wherever it comes from.

    Our settings are left out: a process that outlives its caller is told what it needs, and
    passwords and keys are none of its business.
    """
    inherited = os.environ.get("PYTHONPATH")
    paths = [*([inherited] if inherited else []), str(PACKAGE_ROOT)]
    return programs.environment() | {"PYTHONPATH": os.pathsep.join(paths)}
