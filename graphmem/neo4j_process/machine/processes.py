"""Processes told apart by pid and creation time, so that a pid used again never fools anyone.

Linux counts a creation time from the boot. Seconds since the epoch would be made of it by the time
of the boot, which moves when the clock is set; so it is kept as it is, beside the name of the boot.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import psutil

from graphmem.errors import StartFailed

# The clock may be set, and by a little all the time, between two readings of a creation time.
TOLERANCE_SECONDS = 2.0
HUNDREDTHS = 2
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
POLL_SECONDS = 0.05
SECONDS_TO_REAP = 10.0


@dataclass(frozen=True, slots=True)
class Identity:
    """One process, for good.

    Args:
        pid: Its pid.
        created: When it was created, in seconds since the boot, or since the epoch without `boot`.
        boot: The name of the boot; None where creation times are counted from the epoch.
    """

    pid: int
    created: float
    boot: str | None = None

    @property
    def created_at(self) -> datetime:
        """When it was created, by the clock of now."""
        return datetime.fromtimestamp(self.created + _origin(self.boot), UTC)


def identify(pid: int) -> Identity | None:
    """Name the process that has this pid now, or None when nobody has."""
    boot = _this_boot()
    try:
        return Identity(pid, _created(psutil.Process(pid), boot), boot)
    except psutil.Error:
        return None


def this_process() -> Identity:
    """Name this very process.

    Raises:
        StartFailed: when it may not look at itself.
    """
    identity = identify(os.getpid())
    if identity is None:
        raise StartFailed("this machine does not let a process look at itself")
    return identity


def is_alive(identity: Identity) -> bool:
    """Tell whether that very process still runs; one that ended and was not reaped does not."""
    try:
        process = psutil.Process(identity.pid)
        is_same_moment = (
            abs(_created(process, identity.boot) - identity.created) < TOLERANCE_SECONDS
        )
        is_same = is_same_moment and identity.boot in {None, _this_boot()}
        return is_same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def is_running(identity: Identity, argument: str) -> bool:
    """Tell whether that very process still runs, and its command line has the argument.

    What names a process may be wrong: whoever wrote to a file, or another process since.
    """
    try:
        command = psutil.Process(identity.pid).cmdline()
    except psutil.Error:
        return False
    return argument in command and is_alive(identity)


def end(identity: Identity, *, patience_seconds: float = 30.0) -> None:
    """Ask the process to end, and kill it when it has not after `patience_seconds`."""
    ask_to_end(identity)
    if not wait_until_dead(identity, seconds=patience_seconds):
        kill(identity)


def kill(identity: Identity) -> None:
    """End the process at once, without a chance to write anything more, and wait until it has."""
    with suppress(psutil.NoSuchProcess):
        if is_alive(identity):
            psutil.Process(identity.pid).kill()
    wait_until_dead(identity, seconds=10.0)


def ask_to_end(identity: Identity) -> None:
    """Send SIGTERM to that very process; nothing happens when it is gone."""
    with suppress(psutil.NoSuchProcess):
        if is_alive(identity):
            process = psutil.Process(identity.pid)
            process.terminate()
            process.resume()  # a suspended process hears of it only when it goes on


def wait_until_dead(identity: Identity, *, seconds: float) -> bool:
    """Wait until the process is gone, at most so long; tell whether it is."""
    deadline = time.monotonic() + seconds
    while is_alive(identity):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def find_by_arguments(*arguments: str) -> Identity | None:
    """Find a process of this user whose command line has all these arguments."""
    user = os.getuid()
    for process in psutil.process_iter(["cmdline", "uids"]):
        command, users = process.info["cmdline"], process.info["uids"]
        if users and users.real == user and set(arguments) <= set(command or ()):
            identity = identify(process.pid)
            if identity is not None and is_alive(identity):
                return identity
    return None


def holds_connection(identity: Identity, port: int, from_port: int) -> bool:
    """Tell whether that very process holds the end at `port` of a connection from `from_port`."""
    try:
        connections = psutil.Process(identity.pid).net_connections(kind="tcp")
    except psutil.Error:
        return False
    ends = {(end.laddr.port, end.raddr.port) for end in connections if end.laddr and end.raddr}
    return (port, from_port) in ends and is_alive(identity)


def ending_signal(identity: Identity) -> int | None:
    """Reap a child that has ended and give the signal that ended it; None without one."""
    deadline = time.monotonic() + SECONDS_TO_REAP
    try:
        # The first thread of a killed process is gone before the last one is.
        while (wait_result := os.waitpid(identity.pid, os.WNOHANG)) == (0, 0):
            if time.monotonic() > deadline:
                return None
            time.sleep(POLL_SECONDS)
    except ChildProcessError:
        return None
    return os.WTERMSIG(wait_result[1]) if os.WIFSIGNALED(wait_result[1]) else None


def _created(process: psutil.Process, boot: str | None) -> float:
    return round(process.create_time() - _origin(boot), HUNDREDTHS)


def _origin(boot: str | None) -> float:
    """From when creation times are counted, in seconds since the epoch."""
    return 0.0 if boot is None else psutil.boot_time()


@cache
def _this_boot() -> str | None:
    """The name of this boot of Linux; other systems note creation times by the clock, for good."""
    if not psutil.LINUX:
        return None
    with suppress(OSError):
        return BOOT_ID.read_text(encoding="ascii").strip()
    return "unknown"
