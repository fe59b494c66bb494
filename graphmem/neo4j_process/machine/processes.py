"""Processes told apart by pid and creation time, so that a pid used again never fools anyone."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

import psutil

# Linux derives a creation time from the boot time, which moves when the clock is set.
TOLERANCE_SECONDS = 2.0
POLL_SECONDS = 0.05
SECONDS_TO_REAP = 10.0


@dataclass(frozen=True, slots=True)
class Identity:
    """One process, for good: its pid and when it was created, in seconds since the epoch."""

    pid: int
    created: float


def identify(pid: int) -> Identity | None:
    """Name the process that has this pid now, or None when nobody has."""
    try:
        return Identity(pid, psutil.Process(pid).create_time())
    except psutil.Error:
        return None


def is_alive(identity: Identity) -> bool:
    """Tell whether that very process still runs; one that ended and was not reaped does not."""
    try:
        process = psutil.Process(identity.pid)
        is_same = abs(process.create_time() - identity.created) < TOLERANCE_SECONDS
        return is_same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def end(identity: Identity, *, patience_seconds: float = 30.0) -> None:
    """Ask the process to end, and kill it when it has not after `patience_seconds`."""
    _signal(identity, kill=False)
    if not wait_until_dead(identity, seconds=patience_seconds):
        _signal(identity, kill=True)
        wait_until_dead(identity, seconds=10.0)


def kill(identity: Identity) -> None:
    """End the process at once, without a chance to write anything more, and wait until it has."""
    _signal(identity, kill=True)
    wait_until_dead(identity, seconds=10.0)


def wait_until_dead(identity: Identity, *, seconds: float) -> bool:
    """Wait until the process is gone, at most so long; tell whether it is."""
    deadline = time.monotonic() + seconds
    while is_alive(identity):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def ask_to_end(identity: Identity) -> None:
    """Send SIGTERM to that very process; nothing happens when it is gone."""
    _signal(identity, kill=False)


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


def _signal(identity: Identity, *, kill: bool) -> None:
    if not is_alive(identity):
        return
    try:
        process = psutil.Process(identity.pid)
        if kill:
            process.kill()
        else:
            process.terminate()
    except psutil.NoSuchProcess:
        return
