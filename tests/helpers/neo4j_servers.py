"""Small private servers for tests, and what may be done to them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from neo4j import GraphDatabase

import server_java
from graphmem.encryption import trusting
from graphmem.neo4j_process import Connection, stop
from graphmem.neo4j_process.home import configuration
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import disk, processes
from graphmem.neo4j_process.running import jvm
from graphmem.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from graphmem.neo4j_process.home.state import State

# A busy machine starts a server for minutes; no test is about how fast it is.
PATIENCE_SECONDS = 280.0
# A folder in memory: a server flushes some two hundred files whenever it begins or ends.
MEMORY = Path("/dev/shm")  # noqa: S108 - the homes in it have names of their own
LEAST_MEMORY = 4 * 1024 * disk.MEBIBYTE
# By which the process of a server names its home.
HOME_OPTION = "--home-dir="
ROOT = Path(__file__).parents[2]
START = (
    "from graphmem.settings import Settings; from graphmem.neo4j_process import ensure_running;"
    "print(ensure_running(Settings()).uri)"
)


def small(home: Path, **changes: object) -> Settings:
    given: dict[str, Any] = {
        "home": home,
        "java_home": os.environ.get("GRAPHMEM_JAVA_HOME"),
        "neo4j_heap": "256m",
        "neo4j_page_cache": "64m",
    }
    return Settings(**given | changes)


def in_memory() -> Path | None:
    """The folder in memory, where there is much room in it."""
    free = disk.free_bytes(MEMORY) if os.access(MEMORY, os.W_OK) else None
    return MEMORY if (free or 0) >= LEAST_MEMORY else None


class Homes:
    """What a run of tests sets first.

    Attributes:
        place: Where the homes of its servers lie; None is the usual folder.
        java: The Java of its servers, which share a JVM; None for that of the settings.
    """

    place: Path | None = None
    java: Path | None = None


@contextmanager
def fresh_home() -> Iterator[Path]:
    """Give a folder with a short but awkward path, and see to it that no server of it is left."""
    folder = Path(tempfile.mkdtemp(prefix="gm ü-", dir=Homes.place)).resolve()
    try:
        yield folder
    finally:
        end(folder)
        shutil.rmtree(folder, ignore_errors=True)


def end(folder: Path) -> None:
    """End the server of a home that nobody needs any more, without the seconds of a clean stop."""
    state = states.read(Home(folder))
    if state is not None:
        processes.kill(state.server)
    stop(small(folder))  # its keeper, and whatever else is left
    leftover = jvm.find(Home(folder))
    if leftover is not None:
        processes.kill(leftover)
    if Homes.java is not None:
        server_java.await_end(Homes.java, folder)


def state_of(home: Home) -> State:
    state = states.read(home)
    assert state is not None
    return state


def until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def variables_of(settings: Settings) -> dict[str, str]:
    """The variables by which another process uses the server of some settings."""
    return {
        "GRAPHMEM_HOME": str(settings.home),
        "GRAPHMEM_NEO4J_HEAP": settings.neo4j_heap,
        "GRAPHMEM_NEO4J_PAGE_CACHE": settings.neo4j_page_cache,
    }


def in_another_process(settings: Settings) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START],
        cwd=ROOT,
        env=os.environ | variables_of(settings),
        stdout=subprocess.PIPE,
        text=True,
    )


def helper_process(settings: Settings, name: str, *arguments: str) -> subprocess.Popen[str]:
    """Start a program that lies beside this file, on the server of some settings."""
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name(name)), *arguments],
        env=os.environ | variables_of(settings) | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )


def kill_once_reached(process: subprocess.Popen[str]) -> None:
    """Kill such a program at the place where it says that it has stopped."""
    assert process.stdout is not None
    assert process.stdout.readline() == "reached\n"
    process.kill()


@contextmanager
def holding(lock: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process, with arguments that it ignores, that holds a lock until it is told to end."""
    hold = f"import filelock, signal; lock = filelock.FileLock({str(lock)!r}); lock.acquire();"
    command = [sys.executable, "-c", f"{hold} print(flush=True); signal.pause()", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"\n"
            yield holder
        finally:
            holder.kill()


def servers_of(home: Home) -> list[int]:
    arguments = set(configuration.identifying_arguments(home))
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if arguments <= set(process.info["cmdline"] or ())
    ]


def kill(victim: processes.Identity) -> None:
    process = psutil.Process(victim.pid)
    homes = [word.partition("=")[2] for word in process.cmdline() if word.startswith(HOME_OPTION)]
    process.kill()
    until(lambda: not processes.is_alive(victim))
    if homes and Homes.java is not None:
        server_java.await_end(Homes.java, Path(homes[0]))


def await_return(home: Home, failed: State) -> State:
    """Wait for a server in place of the one that failed; nobody calls meanwhile."""

    def is_back() -> bool:
        state = states.read(home)
        return state is not None and state.is_ready and state.server != failed.server

    until(is_back)
    return state_of(home)


@contextmanager
def no_file_beyond(pid: int, size: int) -> Iterator[None]:
    """Have a process write no file beyond a size, as on a disk that is full."""
    process = psutil.Process(pid)
    before = process.rlimit(psutil.RLIMIT_FSIZE)
    process.rlimit(psutil.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        if process.is_running():
            process.rlimit(psutil.RLIMIT_FSIZE, before)


def answers(connection: Connection) -> bool:
    login = (connection.username, connection.password)
    context = trusting(connection.certificate)
    with GraphDatabase.driver(connection.uri, auth=login, ssl_context=context) as driver:
        return [record["one"] for record in driver.execute_query("RETURN 1 AS one").records] == [1]
