"""A backup brings back what it held, a bad one changes nothing, a lost password is replaced.

Real servers run here, on one home with one backup; each test puts the store into the state it
needs.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pty
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graphmem.errors import BackupRefused, InvalidInput, StartFailed
from graphmem.memory.store import backups
from graphmem.neo4j_process import ensure_running, status, stop
from graphmem.neo4j_process.backup import archive, offline
from graphmem.neo4j_process.backup.admin import DUMP
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import processes
from graphmem.progress import SILENT
from neo4j_servers import kill, small, state_of, until
from other_users import without_rights_of_root
from stores import count, graphmem, put

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmem.memory.store.backups import BackupReport
    from graphmem.neo4j_process.backup.archive import BackupManifest
    from graphmem.settings import Settings

pytestmark = pytest.mark.live

KILLED_WHILE_WRITING = """
import os, sys
from pathlib import Path
from graphmem.memory.store import backups
from graphmem.progress import SILENT
from neo4j_servers import small

class Kill(type(SILENT)):
    def advance(self, task, done, total):
        if task == "Writing the backup":
            os._exit(9)

backups.backup(small(Path(sys.argv[1])), Path(sys.argv[2]), force=True, progress=Kill())
"""


@pytest.fixture(scope="module")
def report(private: Settings, tmp_path_factory: pytest.TempPathFactory) -> BackupReport:
    """A backup of a store of three entities."""
    put(private, "a", "b", "c")
    return backups.backup(private, tmp_path_factory.mktemp("backups") / "three")


def leftovers(home: Home) -> list[str]:
    return [
        path.name for path in home.root.iterdir() if "scratch" in path.name or "old" in path.name
    ]


def test_a_backup_says_what_it_holds_and_is_for_its_owner_alone(
    private: Settings, report: BackupReport, home: Home
) -> None:
    assert archive.verify(report.file, SILENT) == report.manifest
    assert report.manifest.counts["entities"] == 3
    assert report.manifest.neo4j == "2026.09.0"
    assert report.paused_seconds > 0
    assert stat.S_IMODE(report.file.stat().st_mode) == 0o600
    assert [path.name for path in report.file.parent.iterdir()] == ["three"]
    assert leftovers(home) == []
    assert ensure_running(private).password.encode() not in report.file.read_bytes()


def test_a_backup_does_not_write_over_a_file(private: Settings, report: BackupReport) -> None:
    before = report.file.read_bytes()
    with pytest.raises(InvalidInput, match="--force"):
        backups.backup(private, report.file)
    assert report.file.read_bytes() == before


def test_a_restore_brings_back_the_backup_and_the_server_keeps_running(
    private: Settings, report: BackupReport, home: Home
) -> None:
    put(private, "d", "e")
    secret = home.password.read_text()
    assert count(private) > 3
    with graphmem(private, "db", "restore", str(report.file), "--yes", "--json") as command:
        out, err = command.communicate()
    assert command.returncode == 0, err
    assert json.loads(out)["counts"]["entities"] == 3
    assert "pauses" in err
    assert count(private) == 3
    assert home.password.read_text() == secret
    assert not home.old_data.exists()
    assert leftovers(home) == []


def test_a_restore_asks_before_it_replaces_a_store(
    private: Settings, report: BackupReport, home: Home
) -> None:
    ensure_running(private)
    before = state_of(home)
    restore = ("db", "restore", str(report.file))
    with graphmem(private, *restore) as command:
        _, err = command.communicate()
    assert (command.returncode, err) == (
        2, "graphmem: --yes is required when stdin is not a terminal\n",
    )  # fmt: skip
    ours, theirs = pty.openpty()
    os.write(ours, b"n\n")
    with graphmem(private, *restore, stdin=theirs) as command:
        _, err = command.communicate()
    os.close(ours)
    os.close(theirs)
    assert command.returncode == 1
    assert f"Replace the store in {home.root} (" in err
    assert "(3 entities)? What was stored since then is lost. [y/N]" in err
    assert err.endswith("graphmem: cancelled; nothing was changed\n")
    assert state_of(home) == before


def test_a_damaged_backup_is_refused_before_anything_is_touched(
    private: Settings, report: BackupReport, home: Home, tmp_path: Path
) -> None:
    ensure_running(private)
    before = state_of(home)
    content = bytearray(report.file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    (tmp_path / "damaged").write_bytes(content)
    with graphmem(private, "db", "restore", str(tmp_path / "damaged"), "--yes") as command:
        out, err = command.communicate()
    assert (command.returncode, out) == (1, "")
    assert "is damaged or cut off" in err
    assert len(err.splitlines()) < 4
    assert state_of(home) == before


def other_backup(report: BackupReport, folder: Path, manifest: BackupManifest) -> Path:
    archive.extract(report.file, folder, SILENT)
    archive.write(folder / "other", manifest, folder / DUMP, SILENT)
    return folder / "other"


def test_a_backup_of_a_newer_neo4j_or_schema_is_refused_with_the_version_to_use(
    private: Settings, report: BackupReport, tmp_path: Path
) -> None:
    newer = dataclasses.replace(report.manifest, neo4j="2031.01.0", graphmem="9.0")
    file = other_backup(report, tmp_path, newer)
    with pytest.raises(BackupRefused, match=r"Neo4j 2031\.01\.0, newer.*graphmem 9\.0"):
        backups.restore(private, file)
    file.unlink()
    newer = dataclasses.replace(report.manifest, schema_version=99, graphmem="9.0")
    file = other_backup(report, tmp_path, newer)
    with pytest.raises(BackupRefused, match=r"version 99 of graphmem's schema.*graphmem 9\.0"):
        backups.restore(private, file)


def test_a_backup_that_does_not_hold_what_it_says_changes_nothing(
    private: Settings, report: BackupReport, home: Home, tmp_path: Path
) -> None:
    ensure_running(private)
    before = state_of(home)
    file = other_backup(report, tmp_path, dataclasses.replace(report.manifest, counts={"nodes": 7}))
    with pytest.raises(BackupRefused, match=r"its manifest says.*nothing was changed"):
        backups.restore(private, file)
    assert state_of(home) == before
    assert leftovers(home) == []


def test_a_dump_that_neo4j_cannot_load_changes_nothing(
    private: Settings, report: BackupReport, home: Home, tmp_path: Path
) -> None:
    ensure_running(private)
    before = state_of(home)
    (tmp_path / DUMP).write_bytes(b"no dump at all" * 100)
    manifest = dataclasses.replace(report.manifest, dump_bytes=1400)
    archive.write(tmp_path / "other", manifest, tmp_path / DUMP, SILENT)
    with pytest.raises(StartFailed, match="Loading the store failed"):
        backups.restore(private, tmp_path / "other")
    assert state_of(home) == before
    assert leftovers(home) == []


@pytest.mark.parametrize("moment", ["loading", "opening", "exchanged"])
def test_a_restore_killed_half_way_leaves_a_store_that_opens(
    private: Settings, report: BackupReport, home: Home, moment: str
) -> None:
    put(private, "f")
    before = count(private)

    def has_come() -> bool:
        if moment == "exchanged":
            return home.old_data.exists()
        scratch = next(home.root.glob("scratch-*/home"), None)
        opens = scratch is not None and states.read(Home(scratch)) is not None
        return opens if moment == "opening" else scratch is not None

    with graphmem(private, "db", "restore", str(report.file), "--yes") as command:
        until(has_come)
        command.send_signal(signal.SIGKILL)
        command.communicate()
    assert count(private) == (3 if moment == "exchanged" else before)
    backups.restore(private, report.file)
    assert count(private) == 3
    assert leftovers(home) == []


def test_a_backup_killed_while_the_server_is_stopped_leaves_it_to_the_next_call(
    private: Settings, home: Home, tmp_path: Path
) -> None:
    before = count(private)
    server = state_of(home).server
    with graphmem(private, "db", "backup", str(tmp_path / "file")) as command:
        until(lambda: not processes.is_alive(server))
        command.send_signal(signal.SIGKILL)
        command.communicate()
    assert count(private) == before
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_backup_left_is_removed_while_the_server_runs(
    private: Settings, home: Home, tmp_path: Path
) -> None:
    before = count(private)

    def opens() -> bool:
        trial = next(home.root.glob("scratch-*/home"), None)
        return trial is not None and states.read(Home(trial)) is not None

    with graphmem(private, "db", "backup", str(tmp_path / "file")) as command:
        until(opens)
        trial_server = state_of(Home(next(home.root.glob("scratch-*/home")))).server
        command.send_signal(signal.SIGKILL)
        command.communicate()
    assert leftovers(home) != []
    stop(private)
    ensure_running(private)
    until(lambda: leftovers(home) == [])
    assert not processes.is_alive(trial_server)
    assert count(private) == before


def test_a_draft_that_a_killed_backup_left_is_replaced(private: Settings, tmp_path: Path) -> None:
    ensure_running(private)
    target = tmp_path / "file"
    target.write_bytes(b"yesterday's")
    arguments = [sys.executable, "-c", KILLED_WHILE_WRITING, str(private.home), str(target)]
    tests = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(arguments, check=False, env=tests).returncode == 9
    assert target.read_bytes() == b"yesterday's"
    assert len(list(tmp_path.iterdir())) == 2
    backups.backup(private, target, force=True)
    assert list(tmp_path.iterdir()) == [target]


def test_a_server_that_was_killed_is_put_in_order_and_backed_up(
    private: Settings, home: Home, tmp_path: Path
) -> None:
    put(private, "g")
    before, running = count(private), state_of(home)
    kill(running.keeper)
    kill(running.server)
    report = backups.backup(private, tmp_path / "file")
    assert report.manifest.counts["entities"] == before
    assert report.paused_seconds == 0


def test_only_one_backup_is_made_at_a_time(
    private: Settings, report: BackupReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline, "SECONDS_FOR_LOCK", 0.1)
    with offline.scratch(private), pytest.raises(BackupRefused, match="under way"):
        backups.restore(private, report.file)


def test_the_status_says_that_a_backup_is_under_way(private: Settings) -> None:
    assert not status(private).backup_runs
    with offline.scratch(private):
        assert status(private).backup_runs
        with graphmem(private, "db", "status") as command:
            out, _ = command.communicate()
        assert "A backup or restore is under way" in out
    assert not status(private).backup_runs


def test_a_restore_reads_no_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BackupRefused, match="not a folder, a device or a pipe"):
        backups.restore(small(tmp_path / "never"), pipe)


def test_resetting_a_lost_password_changes_nothing_else(private: Settings, home: Home) -> None:
    before = count(private)
    secret = home.password.read_text()
    home.password.unlink()
    with pytest.raises(StartFailed, match=r"graphmem db reset-password"):
        ensure_running(private)
    with graphmem(private, "db", "reset-password", "--json") as command:
        out, err = command.communicate()
    assert (command.returncode, json.loads(out)) == (0, {"reset": True}), err
    renewed = home.password.read_text()
    assert renewed != secret
    assert renewed not in out + err
    assert stat.S_IMODE(home.password.stat().st_mode) == 0o600
    assert count(private) == before
    stop(private)
    assert count(private) == before


def test_a_backup_does_not_replace_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInput, match="not a device or a pipe"):
        backups.backup(small(tmp_path / "never"), pipe, force=True)
    assert pipe.is_fifo()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_file_that_may_not_be_replaced_is_an_error_before_the_dump() -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o1777)
        file = Path(place, "memory.backup")
        file.touch()
        with (
            without_rights_of_root(),
            pytest.raises(InvalidInput, match="FILE must be a file that this user may write"),
        ):
            backups._check_target(file, force=True)


@pytest.mark.parametrize("call", [backups.backup, backups.restore])
def test_a_tilde_with_the_name_of_an_unknown_user_is_refused(
    call: Callable[[Settings, Path], object], tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=r"FILE must not begin with `~` .*, got '~nosuch/b'"):
        call(small(tmp_path / "never"), Path("~nosuch/b"))


def test_a_place_that_cannot_be_looked_at_is_an_error_before_the_dump(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File name too long"):
        backups._check_target(tmp_path / ("x" * 300), force=False)


def test_a_home_without_a_store_has_nothing_to_back_up(tmp_path: Path) -> None:
    empty = small(tmp_path / "never")
    with pytest.raises(BackupRefused, match="has no store yet"):
        backups.backup(empty, tmp_path / "file")
    with pytest.raises(StartFailed, match="has no store"):
        backups.reset_password(empty)


@pytest.mark.parametrize(
    ("arguments", "instead"),
    [
        (("backup", "file"), "graphmem export --all"),
        (("restore", "file"), "graphmem import jsonl"),
        (("reset-password",), "NEO4J_PASSWORD"),
    ],
)
def test_on_another_server_the_command_to_use_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], instead: str
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    with graphmem(small(tmp_path), "db", *arguments) as command:
        _, err = command.communicate()
    assert command.returncode == 1
    assert "for the private server" in err
    assert instead in err
