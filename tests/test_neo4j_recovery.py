"""The private server recovers from whatever is done to it.

Real servers run here, on one home; every test puts the server into the state it needs.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from graphmem.neo4j_process import ensure_running, status, stop
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import processes
from neo4j_servers import (
    answers,
    in_another_process,
    kill,
    servers_of,
    state_of,
    until,
)

if TYPE_CHECKING:
    from graphmem.neo4j_process.home.state import State
    from graphmem.settings import Settings


pytestmark = pytest.mark.live


def test_a_lost_state_file_is_written_again(private: Settings, home: Home, running: State) -> None:
    home.state.unlink()
    ensure_running(private)
    assert state_of(home) == running


def test_a_server_whose_keeper_was_killed_goes_on_with_a_new_one(
    private: Settings, home: Home, running: State
) -> None:
    kill(running.keeper)
    assert answers(ensure_running(private))
    adopted = state_of(home)
    assert adopted.server == running.server
    assert adopted.ports == running.ports
    assert adopted.keeper != running.keeper


def test_a_server_is_found_again_when_its_keeper_and_its_state_file_are_gone(
    private: Settings, home: Home, running: State
) -> None:
    kill(running.keeper)
    home.state.unlink()
    assert answers(ensure_running(private))
    assert state_of(home).server == running.server


def test_a_killed_server_is_started_again_on_the_same_ports(
    private: Settings, home: Home, running: State
) -> None:
    kill(running.server)
    assert answers(ensure_running(private))
    restarted = state_of(home)
    assert restarted.server != running.server
    assert restarted.ports == running.ports


def test_a_server_killed_while_it_starts_is_started_again(private: Settings, home: Home) -> None:
    stop(private)
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        start = threads.submit(ensure_running, private)
        until(lambda: states.read(home) is not None)
        begun = state_of(home).server
        kill(begun)
        assert answers(start.result())
    assert state_of(home).server != begun


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


@pytest.mark.usefixtures("running")
def test_another_port_is_used_when_the_previous_one_is_taken(private: Settings, home: Home) -> None:
    previous = state_of(home).ports
    stop(private)
    with socket.create_server(("127.0.0.1", previous.bolt)):
        assert answers(ensure_running(private))
    assert state_of(home).ports.bolt != previous.bolt
    assert state_of(home).ports.http == previous.http


def test_a_server_whose_keeper_was_killed_can_be_stopped(
    private: Settings, home: Home, running: State
) -> None:
    kill(running.keeper)
    assert stop(private)
    assert servers_of(home) == []


def test_a_killed_starter_does_not_stop_the_start(private: Settings, home: Home) -> None:
    stop(private)
    with in_another_process(private) as starter:
        until(lambda: states.read(home) is not None)
        begun = state_of(home).server
        starter.kill()
    assert answers(ensure_running(private))
    assert state_of(home).server == begun


def test_a_state_file_left_by_dead_processes_fools_nobody(private: Settings, home: Home) -> None:
    ensure_running(private)
    left = home.state.read_text()
    stop(private)
    with subprocess.Popen(["sleep", "600"]) as bystander:
        fields = json.loads(left)
        for process in (fields["server"], fields["keeper"]):
            process["pid"] = bystander.pid
            process["created"] -= 60
        try:
            home.state.write_text(json.dumps(fields))
            assert not status(private).running
            assert not stop(private)
            home.state.write_text(json.dumps(fields))
            assert answers(ensure_running(private))
            assert bystander.poll() is None
        finally:
            bystander.kill()


def test_a_start_whose_starter_was_killed_can_be_stopped(private: Settings, home: Home) -> None:
    stop(private)
    with in_another_process(private) as starter:
        until(lambda: states.read(home) is not None)
        starter.kill()
    assert stop(private)
    assert servers_of(home) == []


def test_a_keeper_killed_during_the_start_is_replaced(private: Settings, home: Home) -> None:
    stop(private)
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        start = threads.submit(ensure_running, private)
        until(lambda: states.read(home) is not None)
        begun = state_of(home)
        kill(begun.keeper)
        assert answers(start.result())
    assert state_of(home).server == begun.server
    assert state_of(home).keeper != begun.keeper


def test_a_server_whose_home_is_taken_away_ends(empty: Settings) -> None:
    ensure_running(empty)
    orphan = state_of(Home(empty.home))

    def taken_away() -> bool:
        # The server goes on writing into it meanwhile.
        shutil.rmtree(empty.home, ignore_errors=True)
        return not empty.home.exists()

    until(taken_away)
    until(lambda: not processes.is_alive(orphan.keeper))
    assert not processes.is_alive(orphan.server)


@pytest.mark.parametrize("left", ["", "{}", '{"keeper": 1}', "null"])
def test_an_unreadable_state_file_counts_as_absent(empty: Settings, left: str) -> None:
    Home(empty.home).state.write_text(left)
    assert not status(empty).running
    assert not stop(empty)


def test_a_process_is_identified_by_its_start_and_not_by_its_pid_alone() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        identity = processes.identify(process.pid)
        assert identity is not None
        assert processes.is_alive(identity)
        earlier = replace(identity, created=identity.created - 100)
        processes.end(earlier)
        processes.kill(earlier)
        assert not processes.is_alive(earlier)
        process.stdin.write(b"still here\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"still here\n"
        process.send_signal(signal.SIGKILL)
        until(lambda: not processes.is_alive(identity))
    assert processes.identify(process.pid) is None


def test_a_process_is_the_same_after_the_clock_was_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Setting the clock moves the time of the boot, which the system reports."""
    pid = os.getpid()
    identity = processes.identify(pid)
    assert identity is not None
    noted = Path("/proc/stat").read_text()
    (tmp_path / "stat").write_text(re.sub(r"btime .*", "btime 1000000000", noted))
    (tmp_path / str(pid)).symlink_to(f"/proc/{pid}")
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path))
    assert processes.is_alive(identity)
    assert processes.identify(pid) == identity
    assert identity.created_at.year == 2001


def test_a_connection_is_held_by_a_process_identified_by_its_start() -> None:
    myself = processes.identify(os.getpid())
    assert myself is not None
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            from_port = client.getsockname()[1]
            held, _ = server.accept()
            with held:
                assert processes.holds_connection(myself, port, from_port)
                assert not processes.holds_connection(myself, port, 1)
                earlier = replace(myself, created=myself.created - 100)
                assert not processes.holds_connection(earlier, port, from_port)


def test_a_process_of_another_boot_is_not_this_one() -> None:
    identity = processes.identify(os.getpid())
    assert identity is not None
    assert not processes.is_alive(replace(identity, boot="that of yesterday"))


def test_a_process_that_an_earlier_graphmem_noted_is_still_known() -> None:
    pid = os.getpid()
    assert processes.is_alive(processes.Identity(pid, psutil.Process(pid).create_time()))


def test_a_suspended_process_ends_when_it_is_asked_to() -> None:
    waiting = (
        "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(7));"
        "print(flush=True); signal.pause()"
    )
    command = [sys.executable, "-c", waiting]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"\n"
            identity = processes.identify(process.pid)
            assert identity is not None
            process.send_signal(signal.SIGSTOP)
            processes.ask_to_end(identity)
            assert process.wait(timeout=10) == 7
        finally:
            process.kill()


def test_a_process_that_does_not_end_when_it_is_asked_to_is_killed() -> None:
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print(flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"
        identity = processes.identify(process.pid)
        assert identity is not None
        processes.end(identity, patience_seconds=0)
        ended = not processes.is_alive(identity)
        process.kill()
    assert ended


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a process of another user")
def test_a_process_of_another_user_is_not_found_whatever_its_arguments() -> None:
    marked = ["sleep", f"600.{uuid.uuid4().int}"]
    with subprocess.Popen(marked, user="nobody") as process:
        try:
            until(lambda: psutil.Process(process.pid).cmdline() == marked)
            assert processes.find_by_arguments(*marked) is None
            with subprocess.Popen(marked) as own:
                try:
                    until(lambda: psutil.Process(own.pid).cmdline() == marked)
                    assert processes.find_by_arguments(*marked) == processes.identify(own.pid)
                finally:
                    own.kill()
        finally:
            process.kill()
