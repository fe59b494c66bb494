"""A home that others share: folders of the user's stay as they are, and secrets stay secret."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import socket
import stat
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from graphmem import cli
from graphmem.errors import StartFailed
from graphmem.neo4j_process import ensure_running, status, stop
from graphmem.neo4j_process.backup import offline, users
from graphmem.neo4j_process.checks import check_home
from graphmem.neo4j_process.home import password
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.holder import refuse_other_user
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.home.state import Ports, State
from graphmem.neo4j_process.machine.files import replace_file
from graphmem.neo4j_process.machine.processes import Identity, identify
from graphmem.progress import SILENT
from graphmem.settings import Settings
from neo4j_servers import holding, small

if TYPE_CHECKING:
    from pathlib import Path

NOBODY = Identity(pid=999_999_999, created=1.0)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def left_by(host: str, home: Home, *, keeper: Identity = NOBODY, server: Identity = NOBODY) -> None:
    """Write the state file that a server of a machine writes."""
    home.create()
    state = State(
        keeper=keeper,
        server=server,
        ports=Ports(bolt=1, http=2),
        java="java",
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        version="2026.09.0",
        certificate="a certificate",
        host=host,
    )
    states.write(home, state)


def test_a_folder_that_was_there_keeps_its_mode_and_ours_are_closed(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    Home(shared).create()
    assert mode(shared) == 0o755
    assert {mode(folder) for folder in shared.iterdir()} == {0o700}


def test_a_folder_of_ours_is_closed_whatever_the_caller_s_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Home(tmp_path / "new" / "home").create()
    finally:
        os.umask(before)
    home = tmp_path / "new" / "home"
    assert {mode(home), *(mode(folder) for folder in home.iterdir())} == {0o700}


def test_a_folder_of_the_user_s_named_as_one_of_ours_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o750)
    Home(tmp_path).create()
    assert mode(tmp_path / "data") == 0o750


def test_the_draft_of_a_killed_process_of_the_same_number_is_written_over(tmp_path: Path) -> None:
    (tmp_path / f".password.{os.getpid()}").write_text("half of")
    replace_file(tmp_path / "password", "whole")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["whole"]


def test_a_lock_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Whoever can open a file can lock it, and would hold every start up."""
    Home(tmp_path).create()
    assert not stop(small(tmp_path))
    assert {mode(lock) for lock in tmp_path.glob("*.lock")} == {0o600}


def test_the_lock_of_a_backup_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with offline.scratch(Settings(home=tmp_path)):
            assert mode(Home(tmp_path).backup_lock) == 0o600
    finally:
        os.umask(before)


def test_a_home_that_cannot_be_written_is_named_by_every_command_that_stops_the_server(
    tmp_path: Path,
) -> None:
    settings = small(tmp_path)
    home = Home(tmp_path)
    home.system_database.mkdir(parents=True)
    for lock in (home.start_lock, home.backup_lock):
        lock.mkdir()  # a file that cannot be opened, for whoever runs the tests
    unusable = f"{home.root} cannot be used: "
    with pytest.raises(StartFailed, match=unusable):
        stop(settings)
    with pytest.raises(StartFailed, match=unusable):
        users.forget_users(settings, SILENT)
    with pytest.raises(StartFailed, match=unusable), offline.scratch(settings):
        pass


@pytest.mark.parametrize("right", [0o770, 0o702, 0o1777])
def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path, right: int) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(right)
    with pytest.raises(StartFailed, match=r"GRAPHMEM_HOME: other users .*chmod go-w"):
        ensure_running(small(shared))
    assert mode(shared) == right
    assert not Home(shared).password.exists()


def test_a_home_of_another_user_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(StartFailed, match=r"GRAPHMEM_HOME: .* belongs to the user .* run graphmem"):
        refuse_other_user(Home(tmp_path), user=os.geteuid() + 1)
    refuse_other_user(Home(tmp_path))
    refuse_other_user(Home(tmp_path / "new"), user=os.geteuid() + 1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_root_makes_no_home_in_a_folder_of_a_user(tmp_path: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    os.chown(tmp_path, nobody.pw_uid, -1)
    settings = small(tmp_path / "share" / "graphmem")
    for use in (ensure_running, stop, status, check_home):
        with pytest.raises(StartFailed, match="belongs to the user nobody"):
            use(settings)
    assert not (tmp_path / "share").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_a_user_that_this_machine_does_not_have_is_used(tmp_path: Path) -> None:
    """As in a container that got a folder of its host."""
    os.chown(tmp_path, 3_999_999, -1)
    assert not status(small(tmp_path)).running


def test_a_password_that_others_can_read_is_refused_with_the_cure(tmp_path: Path) -> None:
    home = Home(tmp_path)
    password.settle(home)
    secret = password.read(home)
    home.password.chmod(0o644)
    with pytest.raises(StartFailed, match=r"other users can read .*chmod 600") as caught:
        password.read(home)
    assert secret not in str(caught.value)


def test_a_password_is_given_up_again_after_a_kill_between_two_renames(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.create()
    home.system_database.mkdir(parents=True)
    put_aside = tmp_path / "users.before-reset" / "transactions"
    put_aside.mkdir(parents=True)  # as the kill left them, the password gone
    users.forget_users(small(tmp_path), SILENT)
    assert not home.system_database.exists()
    assert not home.password.exists()


def test_a_home_that_another_machine_holds_is_an_error_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, home = small(tmp_path), Home(tmp_path)
    left_by("quay.example.org", home)
    with holding(home.keeper_lock):
        for use in (ensure_running, stop):
            with pytest.raises(StartFailed, match=r"machine quay\.example\.org.*db stop.*HOME"):
                use(settings)
        seen = status(settings)
        assert (seen.running, seen.other_host) == (False, "quay.example.org")
        monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path))
        assert cli.main(["db", "status"]) == 0
    assert "running on the machine quay.example.org" in capsys.readouterr().out


def test_what_a_machine_left_that_ended_without_a_stop_holds_nobody_up(tmp_path: Path) -> None:
    left_by("quay.example.org", Home(tmp_path))
    assert status(small(tmp_path)).other_host is None
    assert not stop(small(tmp_path))


def test_a_machine_that_got_another_name_still_knows_its_own_server(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with holding(home.keeper_lock) as keeper:
        left_by("former.example.org", home, keeper=identify(keeper.pid) or NOBODY)
        assert status(small(tmp_path)).other_host is None


def test_a_state_file_names_its_machine(tmp_path: Path) -> None:
    home = Home(tmp_path)
    left_by(socket.gethostname(), home)
    assert json.loads(home.state.read_text())["host"] == socket.gethostname()
    state = states.read(home)
    assert state is not None
    assert not state.is_elsewhere


@pytest.mark.parametrize("field", ["certificate", "ports", "lock"])
def test_a_state_file_that_lacks_something_names_no_server(tmp_path: Path, field: str) -> None:
    home = Home(tmp_path)
    left_by(socket.gethostname(), home)
    fields = json.loads(home.state.read_text())
    assert states.read(home)
    home.state.write_text(json.dumps({name: fields[name] for name in fields if name != field}))
    assert states.read(home) is None
    home.state.write_text(json.dumps(fields | {"certificate": None}))
    assert states.read(home) is None


def test_a_state_file_that_came_with_a_copy_of_a_home_names_no_server_of_it(
    tmp_path: Path,
) -> None:
    original, copy = Home(tmp_path / "original"), Home(tmp_path / "copy")
    original.create()
    original.keeper_lock.touch()
    myself = identify(os.getpid())
    assert myself is not None
    left_by(socket.gethostname(), original, keeper=myself, server=myself)
    shutil.copytree(original.root, copy.root)
    assert status(small(original.root)).running
    assert not status(small(copy.root)).running
    original.root.rename(tmp_path / "moved")
    assert status(small(tmp_path / "moved")).running
