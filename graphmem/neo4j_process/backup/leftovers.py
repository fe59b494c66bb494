"""What a killed backup or restore leaves in the home: a second store, and programs on it."""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from graphmem.neo4j_process.backup import admin
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine.locks import OWNER_ALONE
from graphmem.neo4j_process.running.stopping import GRACE_SECONDS, sole_starter, stop_server
from graphmem.progress import SILENT

if TYPE_CHECKING:
    from pathlib import Path

SCRATCH = "scratch-"


def trial_home(folder: Path) -> Home:
    """Name the home inside a scratch folder, in which a dump is opened as a test."""
    return Home(folder / "home")


def remove(home: Home) -> None:
    """Remove what killed ones left, unless a backup or restore is under way.

    Raises:
        OSError: when the home cannot be read or locked.
        StartFailed: when a server in a scratch folder does not stop.
    """
    if not any(home.root.glob(f"{SCRATCH}*")):
        return
    with suppress(Timeout), FileLock(home.backup_lock, mode=OWNER_ALONE, timeout=0):
        remove_all(home)


def remove_all(home: Home) -> None:
    """Remove every scratch folder; the caller holds the lock of backups.

    Raises:
        StartFailed: when a server in a scratch folder does not stop.
    """
    for folder in home.root.glob(f"{SCRATCH}*"):
        remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """End what runs in a scratch folder, and remove it.

    Raises:
        StartFailed: when the server in it does not stop.
    """
    trial = trial_home(folder)
    if trial.root.is_dir():
        with sole_starter(trial, GRACE_SECONDS, SILENT):
            stop_server(trial, SILENT)
            admin.end_leftovers(trial)
    shutil.rmtree(folder, ignore_errors=True)
