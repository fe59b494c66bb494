"""The keeper: a small process that starts the server, watches it, and outlives whoever called.

`python -m graphmem.neo4j_process.running.keeper HOME`, with a `Launch` as JSON on standard input.
It holds `keeper.lock` for its lifetime. A server that ends by itself, or whose database breaks off,
is started again: soon, then later and later, then not before the next call; on a full disk, as soon
as there is room. It ends when nobody has used the server for a while, when it is sent SIGTERM, or
when its home is taken away; a keeper that is killed leaves the JVM running, and the next one adopts
it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import replace

from filelock import FileLock, Timeout

from graphmem.errors import StartFailed
from graphmem.neo4j_process.backup import admin, leftovers
from graphmem.neo4j_process.home import activity, configuration, password, swap
from graphmem.neo4j_process.home import certificate as certificates
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.state import Ports, State
from graphmem.neo4j_process.machine import processes
from graphmem.neo4j_process.machine.files import replace_file
from graphmem.neo4j_process.machine.locks import OWNER_ALONE
from graphmem.neo4j_process.running import aot_cache, causes, jvm, stopping
from graphmem.neo4j_process.running.aot_training import Trainer
from graphmem.neo4j_process.running.launch import Launch
from graphmem.neo4j_process.running.plans_ahead import PlansAhead
from graphmem.neo4j_process.running.readiness import PortTaken, free_ports
from graphmem.neo4j_process.running.recovery import Broken, Recovery

TICK_SECONDS = 0.5
# A caller waits for the plan.
PLANNING_TICK_SECONDS = 0.05
SECONDS_FOR_LOCK = 2.0
# Between two looks for what killed backups left.
LOOK_SECONDS = 60.0
TRIES = 4


class Keeper:
    """One server's keeper.

    Args:
        launch: What to start, and how long it may idle.
    """

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.home = launch.home
        self.lock_inode = states.lock_inode(launch.home)
        self.recovery = Recovery(launch)
        self.trainer = Trainer(launch)
        self.plans_ahead = PlansAhead(launch)
        self.last_use = activity.LastUse(launch.home)
        self.stop_asked = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: self.stop_asked.set())

    def run(self) -> None:
        """Bring the server up, or adopt the one that runs, and keep it up until its end.

        Raises:
            StartFailed: when it does not come up, or fails too often; no JVM is left behind.
        """
        try:
            state: State | None = self._adopt() or self._start()
        except (StartFailed, OSError) as error:
            if not self.stop_asked.is_set():
                self.recovery.note_error(error)
            raise
        activity.record(self.home)
        threading.Thread(target=self._remove_leftovers, daemon=True).start()
        try:
            while state is not None and not self._watch(state):
                state = self._revive(state)
        finally:
            self._withdraw()
            if self.stop_asked.is_set() or not self._has_home():
                self.trainer.end()

    def _revive(self, last_state: State) -> State | None:
        """Start a server that failed again, when its time has come; None when that is not wanted.

        Raises:
            StartFailed: when it failed so often that the next caller shall decide.
        """
        state = replace(last_state, version=None, keeper=processes.this_process())
        while True:
            self.recovery.plan()
            self._publish(state)
            while not self.recovery.begin_when_due():
                if self.stop_asked.wait(TICK_SECONDS) or not self._has_home() or self._is_idle():
                    return None
                self._publish(state)
            try:
                return self._start()
            except (StartFailed, OSError) as error:
                if self.stop_asked.is_set() or not self._has_home():
                    return None
                self.recovery.note_error(error)

    def _adopt(self) -> State | None:
        """Take over a JVM whose keeper is gone; end one that cannot be spoken to."""
        last_state = states.read(self.home)
        if last_state is None:
            self.home.state.unlink(missing_ok=True)
        ports = last_state.ports if last_state else configuration.configured_ports(self.home)
        server = last_state.server if last_state and jvm.is_running(last_state.server) else None
        server = server or jvm.find(self.home)
        if server is None:
            return None
        certificate = last_state.certificate if last_state else certificates.read(self.home)
        if ports is None or certificate is None:
            processes.end(server)
            return None
        java = last_state.java if last_state else ""
        keeper = processes.this_process()
        state = State(keeper, server, ports, java, server.created_at, certificate)
        with suppress(jvm.Killed, PortTaken):
            return self._await_answer(state)
        return None

    def _start(self) -> State:
        swap.recover(self.home)
        admin.end_leftovers(self.home)
        password.ensure(self.home)
        certificate = certificates.ensure(self.home)
        ports = free_ports(configuration.configured_ports(self.home))
        for _ in range(TRIES - 1):
            try:
                return self._start_on(ports, certificate)
            except PortTaken:
                ports = free_ports(None)
            except jvm.Crashed as crash:
                aot_cache.reject(self.launch, str(crash))
            except jvm.Killed:
                continue
        return self._start_on(ports, certificate)

    def _start_on(self, ports: Ports, certificate: str) -> State:
        options = aot_cache.options(self.launch)
        return self._await_answer(jvm.start(self.launch, ports, certificate, options=options))

    def _await_answer(self, state: State) -> State:
        """Wait for the server and publish it; leave no JVM behind when it does not come."""
        try:
            states.write(self.home, state)
            is_cancelled = self.stop_asked.is_set
            version = jvm.await_answer(
                self.home, state, seconds=self.launch.start_seconds, is_cancelled=is_cancelled
            )
            self.recovery.require_online(state, is_cancelled=is_cancelled)
            ready_state = replace(state, version=version)
            self.plans_ahead.renew()
            self.plans_ahead.begin_when_due(ready_state)
            ready_state = replace(ready_state, plans=self.plans_ahead.plans_first)
            states.write(self.home, ready_state)
            self.home.failure.unlink(missing_ok=True)
            self.recovery.note_up()
        except BaseException as error:
            (processes.kill if isinstance(error, Broken) else processes.end)(state.server)
            self.home.state.unlink(missing_ok=True)
            raise
        return ready_state

    def _watch(self, state: State) -> bool:
        """Watch until the server is gone; tell whether that was wanted, else it has failed."""
        while processes.is_alive(state.server):
            if not self._has_home():
                processes.end(state.server, patience_seconds=0)
                return True
            seconds = PLANNING_TICK_SECONDS if state.plans else TICK_SECONDS
            if self.stop_asked.wait(seconds) or self._is_idle():
                self._withdraw()
                # A caller records its use before it reads the state file: one that still read it
                # has been seen by now.
                if self.stop_asked.is_set() or self._is_idle():
                    stopping.end_jvm(self.home, state)
                    return True
            jvm.limit_console(self.home)
            self.plans_ahead.begin_when_due(state)
            state = replace(state, plans=self.plans_ahead.plans_first)
            if processes.is_alive(state.server) and self._has_home():
                self._publish(state)
            self.trainer.begin_when_idle()
            if not state.plans and self.recovery.finds_broken(state):
                self._publish(replace(state, version=None))
                processes.kill(state.server)
                return False
        if self.stop_asked.is_set() or not self._has_home():
            return True
        self.recovery.note_end(state)
        return False

    def _remove_leftovers(self) -> None:
        """Remove what killed backups left, in a thread: ending a server in it takes seconds."""
        while True:
            with suppress(StartFailed, OSError):
                leftovers.remove(self.home)
            if self.stop_asked.wait(LOOK_SECONDS):
                return

    def _withdraw(self) -> None:
        if self._has_home():
            with suppress(OSError):
                self.home.state.unlink(missing_ok=True)

    def _has_home(self) -> bool:
        """Tell whether the home is still the folder in which this keeper took its lock."""
        try:
            return states.lock_inode(self.home) == self.lock_inode
        except OSError:
            # A disk that fails may come back; a folder that is gone does not.
            return True

    def _publish(self, state: State) -> None:
        """Write the state unless it stands there; a disk that takes nothing is tried again."""
        self.recovery.save()
        if states.read(self.home) != state:
            with suppress(OSError):
                states.write(self.home, state)

    def _is_idle(self) -> bool:
        return self.last_use.idle_minutes() > self.launch.idle_minutes


def main() -> None:
    """Detach from the caller, take the lock, keep the server; write down why when it fails."""
    os.umask(0o077)
    launch = Launch.from_json(sys.stdin.read())
    pipe = _detach()
    lock = FileLock(launch.home.keeper_lock, mode=OWNER_ALONE)
    try:
        lock.acquire(timeout=SECONDS_FOR_LOCK)
    except Timeout:
        return
    try:
        keeper = Keeper(launch)
        os.close(pipe)
        keeper.run()
    except (StartFailed, OSError) as error:
        _say_why(launch, error)
    finally:
        lock.release()


def _say_why(launch: Launch, error: Exception) -> None:
    """Tell the callers who wait; on standard error too, should the home take no file."""
    reason = causes.sentence(error, launch.home.root, launch.heap)
    try:
        replace_file(launch.home.failure, reason)
    except OSError:
        sys.stderr.write(f"{reason}\n")


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


if __name__ == "__main__":
    main()
