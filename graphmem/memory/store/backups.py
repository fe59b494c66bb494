"""A backup of the private server's store in one file, and the way back; a lost password replaced.

A backup counts only when its dump was loaded and opened once, and a restore replaces a store only
by one that was opened and counted.
"""

import os
import stat
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from graphmem import migrations, neo4j_process
from graphmem.arguments import (
    expanded_path,
    refuse_link_of_another_user,
    refuse_what_cannot_be_replaced,
)
from graphmem.errors import BackupRefused, GraphmemError, InvalidInput
from graphmem.memory.store.connecting import connect
from graphmem.neo4j_process.backup import archive, offline, users
from graphmem.neo4j_process.backup.admin import DUMP
from graphmem.neo4j_process.backup.archive import BackupManifest
from graphmem.neo4j_process.home import swap
from graphmem.neo4j_process.home.holder import home_of
from graphmem.ownership import mode_of
from graphmem.progress import SILENT, Progress
from graphmem.settings import Settings


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What was backed up, or brought back.

    Args:
        file: The backup.
        manifest: What it says of itself.
        file_bytes: Its size.
        paused_seconds: How long nobody could use the store; 0 when the server did not run.
    """

    file: Path
    manifest: BackupManifest
    file_bytes: int
    paused_seconds: float

    def to_dict(self) -> dict[str, object]:
        """Write it for a script."""
        manifest = asdict(self.manifest)
        return {
            "file": str(self.file),
            "bytes": self.file_bytes,
            "paused_seconds": round(self.paused_seconds, 1),
            **manifest,
            "created_at": self.manifest.created_at.isoformat(),
        }


def backup(
    settings: Settings, file: Path, *, force: bool = False, progress: Progress = SILENT
) -> BackupReport:
    """Write the private server's store to a file of mode 0600.

    The server stops for the dump and is started again at once; who calls meanwhile waits. The dump
    is then loaded and opened beside it, counted, packed, read again and given its name.

    Args:
        settings: Name the home.
        file: The file to write, or a symbolic link to it; its folder must exist.
        force: Whether a file that is there is replaced.
        progress: Told of the pause and of every step.

    Raises:
        InvalidInput: The file is there already, its folder is not, another user's link leads to
            it, this user may not replace it, or no home directory is known that its `~` stands for.
        OSError: The folder cannot be looked into, or the disk is full or fails.
        BackupRefused: There is no store, or no room to try the dump out.
        PrivateServerError: The server does not stop, dump or start.
    """
    named_file = expanded_path("FILE", file)
    refuse_link_of_another_user("FILE", named_file)
    target = named_file.resolve()
    _check_target(target, force=force)
    with offline.scratch(settings) as folder:
        store_bytes = neo4j_process.status(settings).store_bytes
        offline.require_room(settings, 2 * store_bytes)
        progress.say("The private Neo4j pauses for the dump, usually 10 to 20 seconds …")
        created_at = datetime.now(UTC)
        paused = offline.dump_store(settings, folder, progress)
        progress.say("The dump is done; opening it once to check that it can be restored …")
        dump = folder / DUMP
        with offline.trial(settings, folder, progress) as trial:
            counts, schema_version = _look(trial, progress)
        manifest = BackupManifest(
            graphmem=version("graphmem"),
            neo4j=neo4j_process.VERSION,
            schema_version=schema_version,
            created_at=created_at,
            counts=counts,
            store_bytes=store_bytes,
            dump_bytes=dump.stat().st_size,
        )
        draft = target.with_name(f".{target.name}.{_mark(settings)}")
        _write(draft, target, manifest, dump, progress, force=force)
    return BackupReport(target, manifest, target.stat().st_size, paused)


def restore(
    settings: Settings,
    file: Path,
    *,
    agree: Callable[[BackupManifest], None] | None = None,
    progress: Progress = SILENT,
) -> BackupReport:
    """Put the store of a backup in place of the private server's.

    The file is checked first; then its dump is loaded beside the store in use, opened and counted;
    only then the server stops and the data change places. When the new store does not open, the old
    one is put back.

    Args:
        settings: Name the home.
        file: A file that `backup` made.
        agree: Called with what a valid file says of itself before anything else is done; what it
            raises ends the restore.
        progress: Told of the pause and of every step.

    Raises:
        InvalidInput: No home directory is known that the file's `~` stands for.
        BackupRefused: The file is damaged, foreign or newer, does not open, or does not hold what
            it says; the store is as it was.
        PrivateServerError: The server does not stop or start; the store is as it was.
    """
    source = expanded_path("FILE", file).absolute()
    manifest = _checked(source, progress)
    if agree is not None:
        agree(manifest)
    with offline.scratch(settings) as folder:
        offline.require_room(settings, manifest.dump_bytes + manifest.store_bytes)
        archive.extract(source, folder, progress)
        with offline.trial(settings, folder, progress) as trial:
            progress.say("Opening the backup beside the current store …")
            counts, _ = _look(trial, progress)
        if counts != manifest.counts:
            raise BackupRefused(
                f"{source} holds {counts}, but its manifest says {manifest.counts}; nothing was "
                "changed; use another backup"
            )
        paused = _replace(settings, trial, progress)
    return BackupReport(source, manifest, source.stat().st_size, paused)


def reset_password(settings: Settings, *, progress: Progress = SILENT) -> None:
    """Give the private server a new random password; what is stored stays as it is.

    Raises:
        PrivateServerError: There is no store, or the server does not stop or start.
        DatabaseError: The server does not take the new password.
    """
    users.forget_users(settings, progress)
    with connect(settings, read_only=True, progress=progress) as graph:
        graph.read("read/ping")
    users.discard_users(settings)


def _check_target(target: Path, *, force: bool) -> None:
    if not target.parent.is_dir():
        raise InvalidInput("FILE", str(target), "must be in an existing folder")
    mode = mode_of(target)
    if stat.S_ISDIR(mode):
        raise InvalidInput("FILE", str(target), "must be a file, not a folder")
    if mode and not stat.S_ISREG(mode):
        raise InvalidInput("FILE", str(target), "must be a file, not a device or a pipe")
    refuse_what_cannot_be_replaced("FILE", target)
    if mode and not force:
        raise InvalidInput(
            "FILE", str(target), "must not exist yet", hint="To replace it, add --force."
        )


def _look(settings: Settings, progress: Progress) -> tuple[dict[str, int], int]:
    """Open a store; give its counts and the version of its schema."""
    with connect(settings, read_only=True, progress=progress) as graph:
        counts = dict(graph.read("read/store_counts")[0])
        noted = migrations.noted_version(graph)
    return counts, migrations.VERSION if noted is None else noted


def _mark(settings: Settings) -> str:
    """A mark of a home, in which one backup at a time is made: a killed one's draft is replaced."""
    return uuid.uuid5(uuid.NAMESPACE_URL, home_of(settings).root.as_uri()).hex


def _write(
    draft: Path,
    target: Path,
    manifest: BackupManifest,
    dump: Path,
    progress: Progress,
    *,
    force: bool,
) -> None:
    """Write beside the target, read it again, and only then give it its name."""
    try:
        draft.unlink(missing_ok=True)
        archive.write(draft, manifest, dump, progress)
        if archive.verify(draft, progress) != manifest:
            raise BackupRefused(f"{draft} was not written correctly; check the disk")
        if force:
            draft.replace(target)
        else:
            _name(draft, target)
        swap.sync(target.parent)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _name(draft: Path, target: Path) -> None:
    """Give the file its name, which nobody else may have taken meanwhile."""
    try:
        os.link(draft, target)
    except FileExistsError:
        _check_target(target, force=False)
    except OSError:
        # A disk without links: the moment between the two lines is all that is left open.
        _check_target(target, force=False)
        draft.replace(target)


def _checked(source: Path, progress: Progress) -> BackupManifest:
    if source.exists() and not source.is_file():
        raise BackupRefused(f"{source} must be a file, not a folder, a device or a pipe")
    try:
        manifest = archive.verify(source, progress)
    except OSError as error:
        raise BackupRefused(f"{source} cannot be read: {error.strerror}") from None
    if _numbers(manifest.neo4j) > _numbers(neo4j_process.VERSION):
        raise BackupRefused(
            f"{source} was dumped by Neo4j {manifest.neo4j}, newer than {neo4j_process.VERSION} "
            f"here: restore it with graphmem {manifest.graphmem} or newer"
        )
    if manifest.schema_version > migrations.VERSION:
        raise BackupRefused(
            f"{source} has version {manifest.schema_version} of graphmem's schema, newer than "
            f"{migrations.VERSION} here: restore it with graphmem {manifest.graphmem} or newer"
        )
    return manifest


def _numbers(words: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in words.split("."))


def _replace(settings: Settings, trial: Settings, progress: Progress) -> float:
    """Exchange the data, see that the new ones open, and go back to the old ones if not."""
    runs = offline.is_running(settings)
    progress.say("It opens; the private Neo4j pauses for the exchange, usually 10 seconds …")
    began = time.monotonic()
    old = offline.exchange_data(settings, trial, progress)
    try:
        _look(settings, progress)
    except GraphmemError as error:
        offline.put_back(settings, progress)
        raise BackupRefused(
            f"the restored store did not open ({error}); the previous one is back in place"
        ) from error
    paused = time.monotonic() - began if runs else 0.0
    progress.say(f"The store opened; deleting the previous one, which was kept in {old} …")
    offline.discard_old_data(settings)
    if not runs:
        neo4j_process.stop(settings, progress=progress)
    return paused
