"""The private server comes up, stays one, and recovers from whatever is done to it.

Real JVMs run here, on one home; every test puts the server into the state it needs.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from neo4j import GraphDatabase

from graphmem.errors import StartFailed
from graphmem.neo4j_process import (
    Connection,
    configuration,
    ensure_running,
    jvm,
    processes,
    status,
    stop,
    touch,
)
from graphmem.neo4j_process import state as states
from graphmem.neo4j_process.home import Home
from graphmem.neo4j_process.readiness import answering_version
from graphmem.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from graphmem.neo4j_process.state import State

ROOT = Path(__file__).parents[1]
START = (
    "from graphmem.settings import Settings; from graphmem.neo4j_process import ensure_running;"
    "print(ensure_running(Settings()).uri)"
)


def small(home: Path, **changes: object) -> Settings:
    return Settings.model_validate(
        {"home": home, "neo4j_heap": "256m", "neo4j_page_cache": "64m"} | changes
    )


@contextmanager
def fresh_home() -> Iterator[Path]:
    """Give a folder with a short path, and see to it that no server of it is left."""
    folder = Path(tempfile.mkdtemp(prefix="gm-")).resolve()
    try:
        yield folder
    finally:
        stop(small(folder))
        leftover = jvm.find(Home(folder))
        if leftover is not None:
            processes.end(leftover, patience_seconds=0)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def private() -> Iterator[Settings]:
    with fresh_home() as folder:
        yield small(folder)


@pytest.fixture
def empty() -> Iterator[Settings]:
    with fresh_home() as folder:
        yield small(folder)


@pytest.fixture
def home(private: Settings) -> Home:
    return Home(private.home)


@pytest.fixture
def running(private: Settings, home: Home) -> State:
    ensure_running(private)
    return state_of(home)


def state_of(home: Home) -> State:
    state = states.read(home)
    assert state is not None
    return state


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def in_another_process(settings: Settings) -> subprocess.Popen[str]:
    variables = {
        "GRAPHMEM_HOME": str(settings.home),
        "GRAPHMEM_NEO4J_HEAP": settings.neo4j_heap,
        "GRAPHMEM_NEO4J_PAGE_CACHE": settings.neo4j_page_cache,
    }
    return subprocess.Popen(
        [sys.executable, "-c", START],
        cwd=ROOT,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        text=True,
    )


def servers_of(home: Home) -> list[int]:
    arguments = set(configuration.telling_arguments(home))
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if arguments <= set(process.info["cmdline"] or ())
    ]


def answers(connection: Connection) -> bool:
    login = (connection.username, connection.password)
    with GraphDatabase.driver(connection.uri, auth=login) as driver:
        return driver.execute_query("RETURN 1 AS one").records[0]["one"] == 1


def test_starts_at_once_from_processes_and_threads_make_one_server(
    private: Settings, home: Home
) -> None:
    stop(private)
    others = [in_another_process(private) for _ in range(2)]
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        here = [call.result().uri for call in [threads.submit(ensure_running, private)] * 3]
    there = [other.communicate()[0].strip() for other in others]
    assert len({*here, *there}) == 1
    assert servers_of(home) == [state_of(home).server.pid]


def test_a_running_server_accepts_the_password_at_once(private: Settings, running: State) -> None:
    connection = ensure_running(private)
    assert connection.uri == f"bolt://127.0.0.1:{running.ports.bolt}"
    assert answers(connection)
    assert connection.password not in repr(connection)


def test_it_listens_on_loopback_only(running: State) -> None:
    sockets = psutil.Process(running.server.pid).net_connections()
    listening = {s.laddr for s in sockets if s.status == psutil.CONN_LISTEN}
    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}
    assert {address.port for address in listening} == {running.ports.bolt, running.ports.http}
    assert [s for s in sockets if s.type == socket.SOCK_DGRAM] == []


def test_secrets_are_in_no_argument_and_no_log_and_for_the_owner_alone(
    private: Settings, home: Home, running: State
) -> None:
    password = ensure_running(private).password
    assert len(password) >= 32
    for process in (running.server, running.keeper):
        assert password not in " ".join(psutil.Process(process.pid).cmdline())
    for log in (home.root / "logs").iterdir():
        assert password not in log.read_text(errors="replace")
    assert password not in home.state.read_text()
    for secret in (home.password, home.initial_password):
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    for folder in (home.root, *(path for path in home.root.iterdir() if path.is_dir())):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_server_has_nothing_to_warn_of(home: Home, running: State) -> None:
    assert running.version == "2026.09.0"
    lines = home.console_log.read_text().splitlines()
    assert [line for line in lines if " WARN " in line or " ERROR " in line] == []
    assert home.keeper_log.read_text() == ""


def test_status_tells_what_runs(private: Settings, running: State) -> None:
    seen = status(private)
    assert (seen.running, seen.pid, seen.version) == (True, running.server.pid, "2026.09.0")
    assert seen.uri == ensure_running(private).uri
    assert seen.browser == f"http://127.0.0.1:{running.ports.http}/browser/"
    assert seen.started_at is not None
    assert seen.started_at.tzinfo is not None
    assert seen.java is not None
    assert seen.store_bytes > 100_000
    assert 0 <= seen.idle_minutes < 1


def test_a_lost_state_file_is_written_again(private: Settings, home: Home, running: State) -> None:
    home.state.unlink()
    ensure_running(private)
    assert state_of(home) == running


def test_a_server_whose_keeper_was_killed_goes_on_with_a_new_one(
    private: Settings, home: Home, running: State
) -> None:
    psutil.Process(running.keeper.pid).kill()
    assert answers(ensure_running(private))
    adopted = state_of(home)
    assert adopted.server == running.server
    assert adopted.ports == running.ports
    assert adopted.keeper != running.keeper


def test_a_server_is_found_again_when_its_keeper_and_its_state_file_are_gone(
    private: Settings, home: Home, running: State
) -> None:
    psutil.Process(running.keeper.pid).kill()
    home.state.unlink()
    assert answers(ensure_running(private))
    assert state_of(home).server == running.server


def test_a_server_whose_keeper_was_killed_can_be_stopped(
    private: Settings, home: Home, running: State
) -> None:
    psutil.Process(running.keeper.pid).kill()
    assert stop(private)
    assert servers_of(home) == []


def test_a_killed_server_is_started_again_on_the_same_ports(
    private: Settings, home: Home, running: State
) -> None:
    psutil.Process(running.server.pid).kill()
    assert answers(ensure_running(private))
    restarted = state_of(home)
    assert restarted.server != running.server
    assert restarted.ports == running.ports


def test_stop_is_clean_and_may_be_repeated(private: Settings, home: Home, running: State) -> None:
    assert stop(private)
    assert not processes.is_alive(running.server)
    assert not processes.is_alive(running.keeper)
    assert home.console_log.read_text().rstrip().endswith("Stopped.")
    assert not stop(private)
    assert not status(private).running


@pytest.mark.usefixtures("running")
def test_another_port_is_used_when_the_previous_one_is_taken(private: Settings, home: Home) -> None:
    previous = state_of(home).ports
    stop(private)
    with socket.create_server(("127.0.0.1", previous.bolt)):
        assert answers(ensure_running(private))
    assert state_of(home).ports.bolt != previous.bolt
    assert state_of(home).ports.http == previous.http


def test_other_ports_are_tried_when_one_is_taken_while_the_server_starts(
    private: Settings, home: Home
) -> None:
    stop(private)
    home.configuration.unlink(missing_ok=True)
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        start = threads.submit(ensure_running, private)
        until(lambda: states.read(home) is not None)
        first = state_of(home).ports
        with socket.create_server(("127.0.0.1", first.bolt)):
            assert answers(start.result())
    assert state_of(home).ports.bolt != first.bolt


def test_a_state_file_left_by_dead_processes_fools_nobody(private: Settings, home: Home) -> None:
    ensure_running(private)
    left = home.state.read_text()
    stop(private)
    with subprocess.Popen(["sleep", "600"]) as bystander:
        fields = json.loads(left)
        fields["server"]["pid"] = fields["keeper"]["pid"] = bystander.pid
        home.state.write_text(json.dumps(fields))
        assert not status(private).running
        assert not stop(private)
        home.state.write_text(json.dumps(fields))
        assert answers(ensure_running(private))
        assert bystander.poll() is None
        bystander.kill()


@pytest.mark.parametrize("left", ["", "{}", '{"keeper": 1}', "null"])
def test_a_state_file_that_says_nothing_is_none(empty: Settings, left: str) -> None:
    Home(empty.home).state.write_text(left)
    assert not status(empty).running
    assert not stop(empty)


def test_a_killed_starter_does_not_stop_the_start(private: Settings, home: Home) -> None:
    stop(private)
    with in_another_process(private) as starter:
        until(lambda: states.read(home) is not None)
        begun = state_of(home).server
        starter.kill()
    assert answers(ensure_running(private))
    assert state_of(home).server == begun


def test_a_keeper_killed_during_the_start_is_replaced(private: Settings, home: Home) -> None:
    stop(private)
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        start = threads.submit(ensure_running, private)
        until(lambda: states.read(home) is not None)
        begun = state_of(home)
        psutil.Process(begun.keeper.pid).kill()
        assert answers(start.result())
    assert state_of(home).server == begun.server
    assert state_of(home).keeper != begun.keeper


def test_activity_keeps_the_server_up_and_idleness_stops_it(private: Settings, home: Home) -> None:
    stop(private)
    idle_seconds = 4
    hasty = small(private.home, idle_minutes=idle_seconds / 60)
    ensure_running(hasty)
    watched = state_of(home)
    used_until = time.monotonic() + 2 * idle_seconds
    while time.monotonic() < used_until:
        touch(hasty)
        time.sleep(0.2)
    assert status(hasty).running
    until(lambda: not processes.is_alive(watched.keeper))
    assert servers_of(home) == []
    assert home.console_log.read_text().rstrip().endswith("Stopped.")


def test_a_server_whose_home_is_taken_away_ends(empty: Settings) -> None:
    ensure_running(empty)
    orphan = state_of(Home(empty.home))
    shutil.rmtree(empty.home)
    until(lambda: not processes.is_alive(orphan.keeper))
    assert not processes.is_alive(orphan.server)


def test_a_server_that_cannot_start_says_why_and_leaves_nothing_behind(empty: Settings) -> None:
    with pytest.raises(StartFailed, match=r"Too small maximum heap.*console\.log"):
        ensure_running(small(empty.home, neo4j_heap="1m"))
    assert servers_of(Home(empty.home)) == []
    assert not status(empty).running


def test_a_server_that_takes_too_long_is_ended(empty: Settings) -> None:
    with pytest.raises(StartFailed, match=r"within 1 s \(GRAPHMEM_START_SECONDS\)"):
        ensure_running(small(empty.home, start_seconds=1))
    assert servers_of(Home(empty.home)) == []


def test_a_home_that_another_server_uses_is_an_error_that_says_so(
    private: Settings, home: Home, running: State, tmp_path: Path
) -> None:
    """The other server is one this home cannot know of: its arguments name another path."""
    assert answering_version(running.ports) == "2026.09.0"
    link = small(tmp_path / "other")
    link.home.mkdir()
    (link.home / "data").symlink_to(home.root / "data")
    shutil.copy(home.password, link.home / "password")
    with pytest.raises(StartFailed, match="locked by another process"):
        ensure_running(link)
    assert answers(ensure_running(private))


def test_a_lost_password_is_told_before_anything_starts(empty: Settings) -> None:
    Home(empty.home).system_database.mkdir(parents=True)
    with pytest.raises(StartFailed, match=r"password is gone.*GRAPHMEM_HOME"):
        ensure_running(empty)


def test_a_home_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartFailed, match="GRAPHMEM_HOME: .*file cannot be used"):
        ensure_running(small(tmp_path / "file"))


def test_a_home_that_never_was_has_no_server(tmp_path: Path) -> None:
    never = small(tmp_path / "never")
    touch(never)
    assert not stop(never)
    seen = status(never)
    assert (seen.running, seen.pid, seen.uri, seen.store_bytes) == (False, None, None, 0)
    assert not never.home.exists()


def test_a_process_is_told_by_its_creation_not_by_its_pid_alone() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        identity = processes.identify(process.pid)
        assert identity is not None
        assert processes.is_alive(identity)
        earlier = processes.Identity(process.pid, identity.created - 100)
        processes.end(earlier)
        assert not processes.is_alive(earlier)
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        until(lambda: not processes.is_alive(identity))
    assert processes.identify(process.pid) is None
