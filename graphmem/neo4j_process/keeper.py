"""The keeper: a small process that starts the server, watches it, and outlives whoever called.

`python -m graphmem.neo4j_process.keeper HOME`, with a `Launch` as JSON on standard input. It holds
`keeper.lock` for its lifetime. It ends when the JVM ends, when nobody has used the server for a
while, when it is sent SIGTERM, or when its home is taken away; a keeper that is killed leaves the
JVM running, and the next one adopts it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from filelock import FileLock, Timeout

from graphmem.errors import StartFailed
from graphmem.neo4j_process import activity, configuration, jvm, password, processes
from graphmem.neo4j_process import certificate as certificates
from graphmem.neo4j_process import state as states
from graphmem.neo4j_process.holder import OWNER_ALONE
from graphmem.neo4j_process.launch import Launch
from graphmem.neo4j_process.readiness import free_ports
from graphmem.neo4j_process.state import Ports, State

TICK_SECONDS = 0.5
SECONDS_FOR_LOCK = 2.0
TRIES = 4


class Keeper:
    """One server's keeper.

    Args:
        launch: What to start, and how long it may idle.
    """

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.home = launch.home
        self.lock_inode = launch.home.keeper_lock.stat().st_ino
        self.stop_asked = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: self.stop_asked.set())

    def run(self) -> None:
        """Bring the server up, or adopt the one that runs, and watch it until its end.

        Raises:
            StartFailed: when it does not come up; no JVM is left behind.
        """
        state = self._adopted() or self._started()
        activity.record(self.home)
        self._watch(state)

    def _adopted(self) -> State | None:
        """Take over a JVM whose keeper is gone; end one that cannot be spoken to."""
        known = states.read(self.home)
        ports = known.ports if known else configuration.configured_ports(self.home)
        server = known.server if known and processes.is_alive(known.server) else None
        server = server or jvm.find(self.home)
        if server is None:
            return None
        certificate = known.certificate if known else certificates.read(self.home)
        if ports is None or certificate is None:
            processes.end(server)
            return None
        started_at = datetime.fromtimestamp(server.created, UTC)
        java = known.java if known else ""
        adopted = State(_myself(), server, ports, java, started_at, certificate=certificate)
        with suppress(jvm.Killed, jvm.PortTaken):
            return self._answered(adopted)
        return None

    def _started(self) -> State:
        password.settle(self.home)
        certificate = certificates.settle(self.home)
        ports = free_ports(configuration.configured_ports(self.home))
        for _ in range(TRIES - 1):
            try:
                return self._started_on(ports, certificate)
            except jvm.PortTaken:
                ports = free_ports(None)
            except jvm.Killed:
                continue
        return self._started_on(ports, certificate)

    def _started_on(self, ports: Ports, certificate: str) -> State:
        server = jvm.start(self.launch, ports)
        java = str(self.launch.java.executable)
        now = datetime.now(UTC)
        return self._answered(State(_myself(), server, ports, java, now, certificate=certificate))

    def _answered(self, state: State) -> State:
        """Wait for the server and publish it; leave no JVM behind when it does not come."""
        try:
            states.write(self.home, state)
            version = jvm.await_answer(
                state.server,
                state.ports,
                self.home,
                certificate=state.certificate or "",
                seconds=self.launch.start_seconds,
                stopped=self.stop_asked.is_set,
            )
            ready = replace(state, version=version)
            states.write(self.home, ready)
            self.home.failure.unlink(missing_ok=True)
        except BaseException:
            processes.end(state.server)
            self.home.state.unlink(missing_ok=True)
            raise
        return ready

    def _watch(self, state: State) -> None:
        while processes.is_alive(state.server):
            if not self._has_home():
                processes.end(state.server, patience_seconds=0)
            elif self.stop_asked.wait(TICK_SECONDS) or self._is_idle():
                self.home.state.unlink(missing_ok=True)
                # A caller records its use before it reads the state file: one that still read it
                # has been seen by now.
                if self.stop_asked.is_set() or self._is_idle():
                    processes.end(state.server)
            with suppress(FileNotFoundError):
                state = self._published(state)
        if self._has_home():
            self.home.state.unlink(missing_ok=True)

    def _has_home(self) -> bool:
        """Tell whether the home is still the folder in which this keeper took its lock."""
        try:
            return self.home.keeper_lock.stat().st_ino == self.lock_inode
        except OSError:
            return False

    def _published(self, state: State) -> State:
        """See to it that the state file says what is, should it have been lost or the clock set."""
        server = processes.identify(state.server.pid)
        current = replace(state, keeper=_myself(), server=server or state.server)
        wanted = processes.is_alive(state.server) and self._has_home()
        if wanted and states.read(self.home) != current:
            states.write(self.home, current)
        return current

    def _is_idle(self) -> bool:
        return activity.idle_minutes(self.home) > self.launch.idle_minutes


def main() -> None:
    """Detach from the caller, take the lock, keep the server; write down why when it fails."""
    os.umask(0o077)
    launch = Launch.from_json(sys.stdin.read())
    detached = _detach()
    lock = FileLock(launch.home.keeper_lock, mode=OWNER_ALONE)
    try:
        lock.acquire(timeout=SECONDS_FOR_LOCK)
    except Timeout:
        return
    os.close(detached)
    try:
        Keeper(launch).run()
    except StartFailed as error:
        with suppress(FileNotFoundError):
            states.replace(launch.home.failure, str(error))
    finally:
        lock.release()


def _detach() -> int:
    """Go on as a process that nobody waits for.

    The process that was started ends as soon as the descriptor given back is closed, which tells
    the caller that the lock is held.
    """
    reader, writer = os.pipe()
    if os.fork() > 0:
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
    os.close(reader)
    os.setsid()
    os.chdir("/")
    return writer


def _myself() -> processes.Identity:
    identity = processes.identify(os.getpid())
    if identity is None:
        raise StartFailed("this machine does not let a process look at itself")
    return identity


if __name__ == "__main__":
    main()
