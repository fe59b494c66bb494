"""A disk that is full, and a store that never opens again: what a caller is told, what comes back.

The disk is a small file system in memory, which only root may mount.
"""

from __future__ import annotations

import random
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from neo4j.exceptions import Neo4jError

from graphmem.errors import StartFailed
from graphmem.memory.store import backups
from graphmem.neo4j_process import ensure_running, stop
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import processes
from graphmem.neo4j_process.running import failures
from graphmem.neo4j_process.running.backoff import MOST_FAILURES
from neo4j_servers import fresh_home, kill, small, state_of, until
from stores import count, fill, graphmem, put

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fault_table import Record
    from graphmem.settings import Settings

pytestmark = [pytest.mark.live, pytest.mark.faults, pytest.mark.timeout(1800)]


@pytest.fixture
def private() -> Iterator[Settings]:
    with fresh_home() as folder:
        yield small(folder)


@contextmanager
def small_disk(mebibytes: int) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="gm-disk-")).resolve()
    size = f"size={mebibytes}m"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


def test_a_full_disk_is_told_and_the_store_comes_back_when_there_is_room(record: Record) -> None:
    with small_disk(100) as disk:
        private = small(disk / "home")
        home = Home(private.home)
        try:
            put(private, "kept")
            with pytest.raises(Neo4jError):
                fill(private)
            panicked = state_of(home)
            with pytest.raises(StartFailed, match=r"is full .*free at least 100 MiB"):
                count(private)
            with graphmem(private, "doctor") as doctor:
                out, _ = doctor.communicate()
            assert doctor.returncode == 1
            assert "is full" in out
            assert "graphmem doctor" not in out
            with graphmem(private, "db", "status") as status:
                out, _ = status.communicate()
            assert "last failure" in out
            assert "is full" in out
            subprocess.run(["mount", "-o", "remount,size=600m", disk], check=True)
            began = time.monotonic()
            until(lambda: state_of(home).is_ready, 300)
            record("a disk filled to its end, then given room", times=1,
                   seconds=time.monotonic() - began)  # fmt: skip
            assert state_of(home).server != panicked.server
            assert count(private) == 1
        finally:
            stop(private)


def test_a_store_that_never_opens_is_given_up_with_its_cause_and_a_backup_brings_it_back(
    private: Settings, tmp_path: Path
) -> None:
    put(private, "kept")
    backups.backup(private, tmp_path / "file")
    home = Home(private.home)
    stop(private)
    (home.data / "databases" / "neo4j" / "neostore").write_bytes(b"no store" * 1024)
    with pytest.raises(StartFailed, match="graphmem db restore"):
        count(private)
    until(lambda: states.read(home) is not None)
    keeper = state_of(home).keeper
    until(lambda: not processes.is_alive(keeper), 1200)
    record = failures.read(home)
    assert len(record.failures) == MOST_FAILURES
    assert record.retry_at is None
    with pytest.raises(StartFailed, match="graphmem db restore"):
        count(private)
    backups.restore(private, tmp_path / "file")
    assert count(private) == 1


def test_restarts_of_a_repeatedly_killed_server_stop_until_the_next_call(
    private: Settings,
) -> None:
    put(private, "kept")
    home = Home(private.home)
    keeper = state_of(home).keeper
    deadline = time.monotonic() + 1200
    while processes.is_alive(keeper):
        assert time.monotonic() < deadline
        state = state_of(home) if home.state.exists() else None
        if state is not None and state.is_ready:
            kill(state.server)
        time.sleep(0.2)
    record = failures.read(home)
    assert len(record.failures) == MOST_FAILURES
    assert record.retry_at is None
    assert count(private) == 1


def test_a_restore_killed_at_any_moment_leaves_the_old_store_or_the_new(
    private: Settings, tmp_path: Path, record: Record
) -> None:
    put(private, "a", "b")
    backups.backup(private, tmp_path / "file")
    put(private, "c")
    ensure_running(private)
    chance = random.Random(5)  # noqa: S311 - the same moments in every run
    for _ in range(8):
        with graphmem(private, "db", "restore", str(tmp_path / "file"), "--yes") as command:
            time.sleep(chance.uniform(0.5, 40))
            command.send_signal(signal.SIGKILL)
            command.communicate()
        assert count(private) in {2, 3}
    backups.restore(private, tmp_path / "file")
    assert count(private) == 2
    record("a restore killed (SIGKILL) at a random moment", times=8)
