"""The private server comes up, is one, private and quiet, and goes when it is not used.

Real JVMs run here, on one home; every test puts the server into the state it needs.
"""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil
import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import AuthError, Neo4jError

from graphmem.encryption import trusting
from graphmem.errors import StartFailed
from graphmem.neo4j_process import ensure_running, status, stop, touch
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import processes
from graphmem.neo4j_process.running import launch
from graphmem.neo4j_process.running.readiness import answering_version
from neo4j_servers import (
    ROOT,
    answers,
    in_another_process,
    servers_of,
    small,
    state_of,
    until,
)

if TYPE_CHECKING:
    from pathlib import Path

    from graphmem.neo4j_process.home.state import State
    from graphmem.settings import Settings


pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def jvm(own_jvm: None) -> None:
    """What a JVM listens on, prints and locks is looked at here."""


def test_starts_at_once_from_processes_and_threads_make_one_server(
    private: Settings, home: Home
) -> None:
    stop(private)
    others = [in_another_process(private) for _ in range(2)]
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        calls = [threads.submit(ensure_running, private) for _ in range(3)]
        here = [call.result().uri for call in calls]
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
    for secret in (home.password, home.initial_password, home.key, *home.root.glob("*.lock")):
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    for folder in (home.root, *(path for path in home.root.iterdir() if path.is_dir())):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_keeper_inherits_no_setting_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_PASSWORD", "GRAPHMEM_EMBEDDING_KEY", "GRAPHMEM_TOKEN"):
        monkeypatch.setenv(name, "a secret")
    assert "a secret" not in launch.module_environment().values()


def test_its_bolt_speaks_to_us_encrypted_and_to_the_browser_as_it_can(
    private: Settings, running: State
) -> None:
    """Neo4j Browser is a page loaded over plain HTTP, from which it opens a plain WebSocket."""
    address = ("127.0.0.1", running.ports.bolt)
    upgrade = (
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    with socket.create_connection(address) as plain:
        plain.sendall(upgrade.encode())
        assert plain.recv(12) == b"HTTP/1.1 101"
    context = trusting(ensure_running(private).certificate)
    with (
        socket.create_connection(address) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as encrypted,
    ):
        assert encrypted.version() == "TLSv1.3"


@pytest.mark.parametrize("address", ["file:///a.csv", "http://127.0.0.1:9/", "http://[::1]:9/"])
def test_no_statement_reads_a_file_or_an_address(private: Settings, address: str) -> None:
    connection = ensure_running(private)
    login = (connection.username, connection.password)
    context = trusting(connection.certificate)
    with (
        GraphDatabase.driver(connection.uri, auth=login, ssl_context=context) as driver,
        pytest.raises(Neo4jError, match=r"is false|blocked"),
    ):
        driver.execute_query("LOAD CSV FROM $address AS line RETURN line", address=address)


def test_the_server_has_nothing_to_warn_of(home: Home, running: State) -> None:
    assert running.version == "2026.09.0"
    lines = home.console_log.read_text().splitlines()
    assert [line for line in lines if " WARN " in line or " ERROR " in line] == []
    assert home.keeper_log.read_text() == ""


def test_wrong_passwords_do_not_shut_out_the_right_one(private: Settings) -> None:
    """Anybody on this machine can try one, and who opens Neo4j Browser may mistype it.

    Stands behind the test that the server warns of nothing, since it warns of each.
    """
    connection = ensure_running(private)
    for _ in range(5):
        with (
            GraphDatabase.driver(connection.uri, auth=("neo4j", "wrong")) as driver,
            pytest.raises(AuthError),
        ):
            driver.verify_connectivity()
    assert answers(connection)


def test_stop_is_clean_and_may_be_repeated(private: Settings, home: Home, running: State) -> None:
    assert stop(private)
    assert not processes.is_alive(running.server)
    assert not processes.is_alive(running.keeper)
    assert home.console_log.read_text().rstrip().endswith("Stopped.")
    assert not stop(private)
    assert not status(private).running


def kept_in_use(settings: Settings, home: Home, idle_seconds: float) -> State | None:
    """Use a server for twice as long as it may be idle; None if a busy machine made a pause."""
    ensure_running(settings)
    used_at = time.monotonic()
    watched = states.read(home)
    used_until = used_at + 2 * idle_seconds
    while used_at < used_until:
        time.sleep(0.2)
        touch(settings)
        if time.monotonic() - used_at > idle_seconds / 2:
            return None
        used_at = time.monotonic()
    assert status(settings).running
    return watched


def test_activity_keeps_the_server_up_and_idleness_stops_it(private: Settings, home: Home) -> None:
    stop(private)
    idle_seconds = 3
    hasty = small(private.home, idle_minutes=idle_seconds / 60)
    watched = None
    while watched is None:
        watched = kept_in_use(hasty, home, idle_seconds)
    until(lambda: not processes.is_alive(watched.keeper))
    assert servers_of(home) == []
    assert home.console_log.read_text().rstrip().endswith("Stopped.")


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
    assert answering_version(running.ports, running.certificate) == "2026.09.0"
    link = small(tmp_path / "other")
    link.home.mkdir()
    (link.home / "data").symlink_to(home.root / "data")
    shutil.copy(home.password, link.home / "password")
    with pytest.raises(StartFailed, match="locked by another process"):
        ensure_running(link)
    assert answers(ensure_running(private))


def test_a_lost_password_is_reported_before_anything_starts(empty: Settings) -> None:
    Home(empty.home).system_database.mkdir(parents=True)
    with pytest.raises(StartFailed, match=r"password is gone.*db reset-password"):
        ensure_running(empty)


def test_a_failure_of_an_earlier_start_is_not_told_again_after_the_clock_was_set_back(
    empty: Settings,
) -> None:
    home = Home(empty.home)
    home.system_database.mkdir(parents=True)
    home.failure.write_text("the failure of an earlier start")
    in_a_year = time.time() + 365 * 24 * 3600
    os.utime(home.failure, (in_a_year, in_a_year))
    with pytest.raises(StartFailed, match="password is gone"):
        ensure_running(empty)


def test_the_keeper_is_small() -> None:
    show = "import sys, graphmem.neo4j_process.running.keeper; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", show], cwd=ROOT, text=True).split()
    assert {"pydantic", "neo4j", "numpy", "torch", "fastmcp", "rich"}.isdisjoint(loaded)
