"""Work on the store while its server is stopped: dump it, try a dump out, exchange the data."""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from filelock import FileLock, Timeout

from graphmem.errors import BackupRefused, StartFailed
from graphmem.neo4j_process.backup import admin, leftovers
from graphmem.neo4j_process.home import password, swap
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.holder import home_of
from graphmem.neo4j_process.home.paths import DATABASE
from graphmem.neo4j_process.machine import disk
from graphmem.neo4j_process.machine.files import replace_file
from graphmem.neo4j_process.machine.locks import OWNER_ALONE
from graphmem.neo4j_process.running import causes
from graphmem.neo4j_process.running.stopping import GRACE_SECONDS, sole_starter, stop_server
from graphmem.neo4j_process.server import ensure_running, launch_of, stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.running.launch import Launch
    from graphmem.progress import Progress
    from graphmem.settings import Settings

# Neo4j's word for a store whose server was killed: a start and a clean stop put it in order.
NEEDS_RECOVERY = "To perform recovery please start database"
# The keeper holds the lock while it removes what a killed backup left.
SECONDS_FOR_LOCK = 10.0
# A trial that is left behind by a kill stops by itself.
TRIAL_IDLE_MINUTES = 10.0
# What a new store takes beside its data: the system database, logs, the first steps of growth.
SPARE_BYTES = 128 * disk.MEBIBYTE


@contextmanager
def scratch(settings: Settings) -> Iterator[Path]:
    """Give a folder inside the home for one backup or restore at a time; it is gone afterwards.

    What a killed one left behind is removed first, if the keeper has not yet done so.

    Raises:
        BackupRefused: when another one is under way.
        StartFailed: when the home cannot be written.
    """
    home = home_of(settings)
    lock = FileLock(home.backup_lock, mode=OWNER_ALONE)
    with causes.home_errors(home.root, settings.neo4j_heap):
        home.create()
        try:
            lock.acquire(timeout=SECONDS_FOR_LOCK)
        except Timeout:
            raise BackupRefused(
                f"another backup or restore of {home.root} is under way; wait until it is done"
            ) from None
    try:
        with causes.home_errors(home.root, settings.neo4j_heap):
            leftovers.remove_all(home)
            folder = Path(tempfile.mkdtemp(prefix=leftovers.SCRATCH, dir=home.root))
        try:
            yield folder
        finally:
            with causes.home_errors(home.root, settings.neo4j_heap):
                leftovers.remove_folder(folder)
    finally:
        lock.release()


def dump_store(settings: Settings, folder: Path, progress: Progress) -> float:
    """Stop the server, dump its store into a folder, and start it again if it ran.

    Returns:
        Seconds during which nobody could use the store.

    Raises:
        BackupRefused: when there is no store.
        StartFailed: when the server does not stop, or the dump fails; the server runs again.
    """
    launch = launch_of(settings, progress)
    home = launch.home
    if not (home.data / "databases" / DATABASE).is_dir() and not home.old_data.is_dir():
        raise BackupRefused(f"there is nothing to back up: {home.root} has no store yet")
    runs = is_running(settings)
    began = time.monotonic()
    try:
        _dump(settings, launch, folder, progress)
    finally:
        if runs:
            ensure_running(settings, progress=progress)
    return time.monotonic() - began if runs else 0.0


@contextmanager
def trial(settings: Settings, folder: Path, progress: Progress) -> Iterator[Settings]:
    """Load the dump in a folder into a home of its own inside that folder.

    Gives the settings of that home, by which its server starts. It is stopped in the end; its data
    stay until the folder is removed.

    Raises:
        BackupRefused: when the disk has no room for it.
        StartFailed: when the dump cannot be loaded.
    """
    trial_settings = attrs.evolve(
        settings,
        home=leftovers.trial_home(folder).root,
        idle_minutes=TRIAL_IDLE_MINUTES,
        neo4j_uri=None,
    )
    home = home_of(trial_settings)
    home.create()
    password_file = home_of(settings).password
    if password_file.exists():
        replace_file(home.password, password_file.read_text(encoding="utf-8"))
    try:
        admin.load(launch_of(trial_settings, progress), folder, progress)
        yield trial_settings
    finally:
        stop(trial_settings)


def require_room(settings: Settings, needed_bytes: int) -> None:
    """Refuse what would fill the disk of the home.

    Args:
        settings: Name the home.
        needed_bytes: Bytes of a store and its dump.

    Raises:
        BackupRefused: naming what is needed and what is free.
    """
    home = home_of(settings)
    free_bytes = disk.free_bytes(home.root)
    if free_bytes is not None and free_bytes < needed_bytes + SPARE_BYTES:
        raise BackupRefused(
            f"the disk of {home.root} has {free_bytes / disk.MEBIBYTE:,.0f} MiB left, but "
            f"{(needed_bytes + SPARE_BYTES) / disk.MEBIBYTE:,.0f} MiB are needed to test the store "
            "beside the current one; free some space and try again"
        )


def exchange_data(settings: Settings, other_settings: Settings, progress: Progress) -> Path:
    """Stop the server and put the data of another home in place of its own.

    Returns:
        Where the old data are until `discard_old_data` or `put_back`.
    """
    home, new_home = home_of(settings), home_of(other_settings)
    with stopped_server(settings, home, progress):
        if not home.password.exists():
            replace_file(home.password, password.read(new_home))
        swap.exchange(home, new_home.data)
    return home.old_data


def put_back(settings: Settings, progress: Progress) -> None:
    """Stop the server and put the old data back."""
    home = home_of(settings)
    with stopped_server(settings, home, progress):
        swap.undo(home)


def discard_old_data(settings: Settings) -> None:
    """Delete the data that were replaced."""
    swap.discard(home_of(settings))


def is_running(settings: Settings) -> bool:
    """Tell whether the server runs."""
    state = states.read(home_of(settings))
    return state is not None and state.answers


@contextmanager
def stopped_server(settings: Settings, home: Home, progress: Progress) -> Iterator[None]:
    """Hold the lock without which nobody starts the server, which is stopped."""
    with sole_starter(home, GRACE_SECONDS + settings.start_seconds, progress):
        stop_server(home, progress)
        admin.end_leftovers(home)
        swap.recover(home)
        yield


def _dump(settings: Settings, launch: Launch, folder: Path, progress: Progress) -> None:
    try:
        with stopped_server(settings, launch.home, progress):
            admin.dump(launch, folder, progress)
            return
    except StartFailed as error:
        if NEEDS_RECOVERY not in str(error):
            raise
    progress.say("The server was killed the last time; a start puts its store in order …")
    ensure_running(settings, progress=progress)
    with stopped_server(settings, launch.home, progress):
        (folder / admin.DUMP).unlink(missing_ok=True)
        admin.dump(launch, folder, progress)
