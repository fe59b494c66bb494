"""A server that fails comes back by itself, and why it failed is remembered.

Real JVMs run here, on one home; nobody calls the server between its failure and its return.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from neo4j.exceptions import DriverError, Neo4jError

from graphmem.errors import DatabaseUnavailable
from graphmem.memory.store.connecting import connect
from graphmem.neo4j_process import status, stop
from graphmem.neo4j_process.running import failures, health
from graphmem.progress import SILENT
from neo4j_servers import await_return, kill, no_file_beyond, state_of
from stores import count, fill, put, run

if TYPE_CHECKING:
    from fault_table import Record
    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.home.state import State
    from graphmem.settings import Settings

pytestmark = pytest.mark.live
DOUBLINGS = (
    "RETURN size(reduce(text = 'xxxxxxxxxxxxxxxx', i IN range(1, 27) | text + text)) AS size"
)


@pytest.fixture(scope="module")
def jvm(own_jvm: None) -> None:
    """A JVM crashes here, runs out of memory or cannot write."""


@pytest.fixture
def running(private: Settings, running: State) -> State:
    """The server that runs, with an entity in its store."""
    put(private, "kept")
    return running


def cause_of(home: Home) -> str:
    last = failures.read(home).last
    assert last is not None
    return last.cause


def test_a_killed_server_comes_back_and_why_is_remembered(
    private: Settings, home: Home, running: State, record: Record
) -> None:
    kill(running.server)
    began = time.monotonic()
    back = await_return(home, running)
    seconds = time.monotonic() - began
    assert back.keeper == running.keeper
    assert back.ports == running.ports
    assert "killed by signal 9" in cause_of(home)
    seen = status(private)
    assert seen.running
    assert seen.last_failure is not None
    assert "signal 9" in seen.last_failure.cause
    assert seen.retry_at is None
    assert count(private) == 1
    record("the private server killed (SIGKILL), nobody calls it", times=1, seconds=seconds)


def test_a_server_out_of_memory_comes_back_and_the_setting_is_named(
    private: Settings, home: Home, running: State, record: Record
) -> None:
    with pytest.raises((DriverError, Neo4jError, DatabaseUnavailable)):
        run(private, DOUBLINGS)
    began = time.monotonic()
    await_return(home, running)
    record("the private server's heap exhausted", times=1, seconds=time.monotonic() - began)
    assert "raise GRAPHMEM_NEO4J_HEAP, now 256m" in cause_of(home)
    assert "OutOfMemoryError" in failures.read(home).failures[-1].words
    assert count(private) == 1


def test_a_database_that_broke_off_is_seen_while_bolt_answers_and_comes_back(
    private: Settings, home: Home, running: State, record: Record
) -> None:
    """A connection that was open through all of it answers again.

    A transaction stands in the log by half, and then there is room again: what the server would
    still write at a clean end would make the store unreadable.
    """
    with connect(private, read_only=True, progress=SILENT) as graph:
        assert health.examine(home, running).status == "online"
        with no_file_beyond(running.server.pid, 24_000_000), pytest.raises(Neo4jError):
            fill(private)
        began = time.monotonic()
        assert graph.read("read/ping") == [{"answered": True}]
        record("the database broken off under an open connection", times=1,
               seconds=time.monotonic() - began)  # fmt: skip
    assert state_of(home).server != running.server
    assert "stopped working" in cause_of(home)
    assert count(private) == 1


def test_a_database_that_broke_off_is_stopped_so_that_it_opens_again(
    private: Settings, home: Home, running: State
) -> None:
    with no_file_beyond(running.server.pid, 64_000_000), pytest.raises(Neo4jError):
        fill(private)
    assert stop(private)
    assert count(private) == 1
    assert state_of(home).server != running.server
