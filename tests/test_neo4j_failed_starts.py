"""A server whose starts fail is started again and again, and callers learn why and when.

Nobody calls the server of this file between its failure and its return.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from graphmem.errors import StartFailed
from graphmem.neo4j_process import ensure_running, server, status, stop
from graphmem.neo4j_process.machine import processes
from graphmem.neo4j_process.running import failures
from neo4j_servers import await_return, kill, no_file_beyond, servers_of, state_of, until
from stores import count, put

if TYPE_CHECKING:
    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.home.state import State
    from graphmem.settings import Settings

pytestmark = pytest.mark.live


@pytest.fixture
def running(private: Settings, running: State) -> State:
    """The server that runs, with an entity in its store."""
    put(private, "kept")
    return running


def test_a_keeper_that_cannot_write_goes_on_and_tells_why_when_it_can(
    private: Settings, home: Home
) -> None:
    stop(private)
    put(private, "kept")
    running, before = state_of(home), failures.read(home)
    folder = home.configuration.parent
    changed_at = folder.stat().st_mtime_ns
    with no_file_beyond(running.keeper.pid, 0):
        kill(running.server)
        # A start that failed made and removed the draft of a configuration that it could not write.
        until(lambda: folder.stat().st_mtime_ns != changed_at)
        assert processes.is_alive(running.keeper)
        assert failures.read(home) == before
        assert servers_of(home) == []
    assert await_return(home, running).keeper == running.keeper
    until(lambda: len(failures.read(home).failures) > len(before.failures) + 1)
    causes = [failure.cause for failure in failures.read(home).failures]
    assert any("killed by signal 9" in cause for cause in causes[len(before.failures) :])
    assert any("File too large" in cause for cause in causes)
    assert count(private) == 1


def test_a_server_that_waits_for_its_next_start_can_be_stopped(
    private: Settings, home: Home, running: State
) -> None:
    with no_file_beyond(running.keeper.pid, 0):
        kill(running.server)
        until(lambda: not status(private).running)
        assert stop(private)
    assert servers_of(home) == []
    ensure_running(private)
    assert count(private) == 1


def test_a_caller_is_told_why_while_the_next_start_is_not_due(
    private: Settings, home: Home, running: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder stands where the server's configuration belongs, so that no start succeeds."""
    home.configuration.unlink()
    home.configuration.mkdir()
    kill(running.server)

    def waits_long() -> bool:
        retry_at = failures.read(home).retry_at
        return retry_at is not None and retry_at.timestamp() - time.time() > 6

    monkeypatch.setattr(server, "SOON_SECONDS", 2.0)
    until(waits_long)
    with pytest.raises(StartFailed, match=r"Is a directory.*the next start is due in \d+ s"):
        ensure_running(private)
    home.configuration.rmdir()
    assert await_return(home, running).keeper == running.keeper
    assert count(private) == 1


def test_a_start_that_an_ended_keeper_had_planned_is_not_waited_for(
    private: Settings, home: Home
) -> None:
    """As after a restore in place of a store that did not open."""
    stop(private)
    journal = failures.Journal(home)
    journal.add("the store did not open")
    journal.note_retry(datetime.now(UTC) + timedelta(hours=1))
    ensure_running(private)
    assert failures.read(home).retry_at is None
