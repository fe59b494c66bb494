"""Who holds a home: a keeper on this machine, or one on another that shares the folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import state as states

if TYPE_CHECKING:
    from pathlib import Path

    from graphmem.neo4j_process.home.paths import Home

# Whoever can open a file can lock it.
OWNER_ALONE = 0o600


def has_keeper(home: Home) -> bool:
    """Tell whether a keeper is at work, on whatever machine."""
    return is_held(home.keeper_lock)


def is_held(file: Path) -> bool:
    """Tell whether somebody holds a lock, on whatever machine."""
    # Imported here for weight, as elsewhere: who meets a server that runs locks nothing.
    from filelock import FileLock, Timeout  # noqa: PLC0415

    lock = FileLock(file, mode=OWNER_ALONE)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def other_host(home: Home) -> str | None:
    """Name the other machine whose keeper holds the home; None when there is none.

    A machine that ended without a stop holds no lock: what it left behind counts for nothing.
    """
    state = states.read(home)
    return state.host if state and state.is_elsewhere and has_keeper(home) else None


def refuse_other_host(home: Home) -> None:
    """Raise at once where another machine holds the home, rather than wait for its keeper.

    Raises:
        StartFailed: naming that machine, and what to do.
    """
    host = other_host(home)
    if host is not None:
        raise StartFailed(
            f"GRAPHMEM_HOME: the private Neo4j of {home.root} runs on the machine {host}, and only "
            "one machine at a time can use it; run `graphmem db stop` there, or set GRAPHMEM_HOME "
            "to a folder of this machine alone"
        )
