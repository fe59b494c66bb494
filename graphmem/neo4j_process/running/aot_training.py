"""Make the AOT cache: record a server while an empty store is used, then assemble what it loaded.

`python -m graphmem.neo4j_process.running.aot_training`, with a `Launch` as JSON on standard input.
The keeper starts it once its server is idle. It takes a minute or two of processor time at the
lowest priority, and about a gigabyte of memory and of disk, which it gives back. The server that it
records is one of its own, in a folder of its own; stopping it takes ten seconds and more, which is
why the real one is not recorded.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from filelock import FileLock, Timeout

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import activity, configuration, password
from graphmem.neo4j_process.home import certificate as certificates
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import disk, processes
from graphmem.neo4j_process.machine.locks import OWNER_ALONE
from graphmem.neo4j_process.running import jvm
from graphmem.neo4j_process.running.aot_cache import TRAINING_PREFIX, AotCache, cache_of
from graphmem.neo4j_process.running.launch import Launch, module_environment
from graphmem.neo4j_process.running.readiness import free_ports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphmem.neo4j_process.running.launch import Preparation

MODULE = "graphmem.neo4j_process.running.aot_training"
LOWEST_PRIORITY = 19
IDLE_SECONDS = 20.0
# At the lowest priority on a busy machine, every step may take very long.
LONGEST_SECONDS = 1800.0
LEAST_FREE_BYTES = 1024 * disk.MEBIBYTE
LEAST_FREE_MEMORY = 2048 * disk.MEBIBYTE
LAST_WORDS = 300


class Trainer:
    """Starts the training of one keeper's server, once, when nobody uses the server.

    Args:
        launch: What the keeper starts.
    """

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self._process: subprocess.Popen[bytes] | None = None
        cache = cache_of(launch) if launch.preparation else None
        self._is_due = cache is not None and cache.is_wanted

    def begin_when_idle(self) -> None:
        """Start the training if it is due and the server has been idle for a while."""
        idle_seconds = activity.idle_minutes(self.launch.home) * activity.SECONDS_PER_MINUTE
        if self._is_due and idle_seconds >= IDLE_SECONDS:
            self._is_due = False
            with suppress(OSError):
                self._process = start_training(self.launch)

    def end(self) -> None:
        """Have a training that is under way end and clean up; nobody waits for it."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()


def start_training(launch: Launch) -> subprocess.Popen[bytes]:
    """Start a training in a process and session of its own, which may outlive this one.

    Raises:
        OSError: when the process cannot be started.
    """
    process = subprocess.Popen(  # noqa: S603 - this interpreter, this package
        [sys.executable, "-P", "-m", MODULE],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=module_environment(),
        start_new_session=True,
    )
    if process.stdin is not None:
        with suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(launch.to_json().encode())
    return process


def train(launch: Launch) -> bool:
    """Make the cache that fits a launch, unless it exists or another process is making it.

    Returns:
        Whether it exists now.
    """
    cache = cache_of(launch)
    if cache is None:
        return False
    cache.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not cache.is_own:  # whoever could exchange it would choose what the server in it runs
        return False
    try:
        with FileLock(cache.folder / "training.lock", mode=OWNER_ALONE, timeout=0):
            _end_leftovers(cache)
            if launch.preparation and cache.is_wanted and _has_room(cache):
                _make(launch, cache, launch.preparation)
    except Timeout:
        return False
    return cache.file.exists()


def _make(launch: Launch, cache: AotCache, preparation: Preparation) -> None:
    folder = Path(tempfile.mkdtemp(prefix=TRAINING_PREFIX, dir=cache.folder))
    recording, draft = folder / "recording", folder / "draft"
    try:
        with _record(launch, Home(folder / "home"), recording) as home:
            _exercise(preparation.exercise, launch, home)
        _assemble(launch, recording, draft)
        cache.adopt(draft)
        cache.discard_others()
    except (StartFailed, OSError, subprocess.SubprocessError) as error:
        cache.reject(str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _record(launch: Launch, home: Home, recording: Path) -> Iterator[Home]:
    """Run a server on an empty home, and have its JVM write down at its end what it loaded."""
    home.create()
    password.ensure(home)
    certificate = certificates.ensure(home)
    ports = free_ports(None)
    options = ["-XX:AOTMode=record", f"-XX:AOTConfiguration={recording}"]
    state = None
    try:
        with _defer_sigterm():
            state = jvm.start(replace(launch, home=home), ports, certificate, options=options)
        version = jvm.await_answer(home, state, seconds=LONGEST_SECONDS, is_cancelled=lambda: False)
        states.write(home, replace(state, version=version))
        yield home
        processes.end(state.server, patience_seconds=LONGEST_SECONDS)
    finally:
        if state is not None:
            processes.kill(state.server)


@contextmanager
def _defer_sigterm() -> Iterator[None]:
    """Put off SIGTERM to the end of the block, so that nothing is started and then forgotten."""
    signals: list[int] = []
    previous_handler = signal.signal(signal.SIGTERM, lambda number, _: signals.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous_handler)
        for number in signals:
            signal.raise_signal(number)


def _exercise(module: str, launch: Launch, home: Home) -> None:
    """Use the store of a home as people do."""
    places = {
        "GRAPHMEM_HOME": str(home.root),
        "GRAPHMEM_CACHE": str(launch.cache),
        "GRAPHMEM_JAVA_HOME": str(launch.java.home),
        "GRAPHMEM_QUERY_SECONDS": "600",
    }
    _run([sys.executable, "-P", "-m", module], module_environment() | places)


def _assemble(launch: Launch, recording: Path, draft: Path) -> None:
    options = [
        "-XX:AOTMode=create",
        f"-XX:AOTConfiguration={recording}",
        f"-XX:AOTCache={draft}",
    ]
    _run(configuration.jvm_command(launch, options))


def _run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run a program to its end.

    Raises:
        StartFailed: when it fails, with its last words.
    """
    process = subprocess.run(  # noqa: S603 - this interpreter or the Java that was chosen
        command,
        env=jvm.environment() if environment is None else environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=LONGEST_SECONDS,
    )
    if process.returncode != 0:
        words = process.stdout.decode(errors="replace").strip()[-LAST_WORDS:]
        raise StartFailed(f"{command[0]} ended with {process.returncode}: {words}")


def _has_room(cache: AotCache) -> bool:
    free_bytes = disk.free_bytes(cache.folder)
    memory = psutil.virtual_memory().available
    return memory >= LEAST_FREE_MEMORY and (free_bytes is None or free_bytes >= LEAST_FREE_BYTES)


def _end_leftovers(cache: AotCache) -> None:
    """Remove what a training left that was killed, its server first; the caller holds the lock."""
    for folder in cache.folder.glob(f"{TRAINING_PREFIX}*"):
        leftover = jvm.find(Home(folder / "home"))
        if leftover is not None:
            processes.kill(leftover)
        if folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Train at the lowest priority; SIGTERM ends it and leaves nothing behind."""
    os.umask(0o077)
    os.nice(LOWEST_PRIORITY)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    train(Launch.from_json(sys.stdin.read()))


if __name__ == "__main__":
    main()
