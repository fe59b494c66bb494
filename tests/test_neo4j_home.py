"""A home that others share: folders of the user's stay as they are, and secrets stay secret."""

from __future__ import annotations

import hashlib
import json
import os
import pwd
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import cli
from graphmem.errors import BackupRefused, StartFailed
from graphmem.neo4j_process import ensure_running, status, stop, touch
from graphmem.neo4j_process.backup import leftovers, offline, users
from graphmem.neo4j_process.checks import check_home
from graphmem.neo4j_process.home import activity, password
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.holder import refuse_exchange, refuse_other_user
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.home.state import Ports, State
from graphmem.neo4j_process.machine import disk
from graphmem.neo4j_process.machine.files import replace_file, version_of
from graphmem.neo4j_process.machine.processes import Identity, identify
from graphmem.neo4j_process.running import stopping
from graphmem.neo4j_process.running.launch import KEEPER
from graphmem.progress import SILENT
from graphmem.settings import Settings
from neo4j_servers import holding, no_file_beyond, small
from other_users import given_away

NOBODY = Identity(pid=999_999_999, created=1.0)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def state_of(
    host: str,
    *,
    keeper: Identity = NOBODY,
    server: Identity = NOBODY,
    version: str | None = "2026.09.0",
) -> State:
    return State(
        keeper=keeper,
        server=server,
        ports=Ports(bolt=1, http=2),
        java="java",
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        version=version,
        certificate="a certificate",
        host=host,
    )


def left_by(host: str, home: Home, *, keeper: Identity = NOBODY, server: Identity = NOBODY) -> None:
    """Write the state file that a server of a machine writes."""
    home.create()
    states.write(home, state_of(host, keeper=keeper, server=server))


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
        Home(tmp_path / "new" / "share" / "home").create()
    finally:
        os.umask(before)
    home = tmp_path / "new" / "share" / "home"
    assert {mode(home), *(mode(folder) for folder in home.iterdir())} == {0o700}
    assert {mode(folder) for folder in (home.parent, home.parent.parent)} == {0o755}


def test_a_folder_of_the_user_s_named_as_one_of_ours_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o750)
    Home(tmp_path).create()
    assert mode(tmp_path / "data") == 0o750


def test_the_draft_of_a_killed_process_of_the_same_number_is_written_over(tmp_path: Path) -> None:
    (tmp_path / f".password.{os.getpid()}").write_text("half of")
    replace_file(tmp_path / "password", "whole")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["whole"]


def test_a_full_disk_leaves_the_earlier_file_and_no_draft(tmp_path: Path) -> None:
    replace_file(tmp_path / "state", "whole")
    with no_file_beyond(os.getpid(), 0), pytest.raises(OSError, match="large"):
        replace_file(tmp_path / "state", "later")
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"state": "whole"}


def test_a_replaced_file_is_noticed_though_its_time_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "failure.txt"
    replace_file(file, "first")
    before, moment = version_of(file), file.stat().st_mtime_ns
    replace_file(file, "second")
    os.utime(file, ns=(moment, moment))
    assert version_of(file) != before


def test_a_home_that_is_a_file_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartFailed, match=r"GRAPHMEM_HOME: .*file cannot be used"):
        ensure_running(small(tmp_path / "file"))


def test_a_home_that_never_was_has_no_server(tmp_path: Path) -> None:
    never = small(tmp_path / "never")
    touch(never)
    assert not stop(never)
    seen = status(never)
    assert (seen.running, seen.pid, seen.uri, seen.store_bytes) == (False, None, None, 0)
    assert not never.home.exists()


def test_a_server_is_idle_since_its_last_use_whatever_the_clock_of_that_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: seconds)
    home = Home(tmp_path)
    last_use = activity.LastUse(home)
    seconds = 60.0
    assert last_use.idle_minutes() == 0  # as long as nobody can tell
    before = os.umask(0o022)
    try:
        activity.record(home)
    finally:
        os.umask(before)
    assert mode(home.activity) == 0o600
    assert last_use.idle_minutes() == 0
    seconds = 180.0
    assert last_use.idle_minutes() == 2
    os.utime(home.activity, (1, 1))  # used again, when the clock had been set back
    assert last_use.idle_minutes() == 0
    seconds = 240.0
    assert last_use.idle_minutes() == 1


def test_setting_the_clock_makes_no_server_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    activity.record(home)
    last_use = activity.LastUse(home)
    tomorrow = time.time() + 24 * 60 * 60
    monkeypatch.setattr(time, "time", lambda: tomorrow)
    assert last_use.idle_minutes() < 1
    later = time.monotonic() + 5 * 60
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert last_use.idle_minutes() >= 5 - 1
    activity.record(home)
    assert last_use.idle_minutes() < 1


def test_the_status_tells_no_less_than_no_idle_minutes(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert activity.idle_minutes(home) == 0
    activity.record(home)
    later = time.time() + 3600
    os.utime(home.activity, (later, later))
    assert activity.idle_minutes(home) == 0


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


def test_what_a_killed_backup_left_goes_and_what_one_under_way_uses_stays(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.create()
    (tmp_path / "scratch-left").mkdir()
    with offline.scratch(Settings(home=tmp_path)) as folder:
        assert not (tmp_path / "scratch-left").exists()
        leftovers.remove(home)
        assert folder.is_dir()
    (tmp_path / "scratch-left").mkdir()
    leftovers.remove(home)
    assert not any(tmp_path.glob("scratch-*"))


def test_a_backup_takes_room_for_the_store_its_dump_and_what_a_new_server_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = 5 * disk.MEBIBYTE
    free = needed + offline.SPARE_BYTES
    monkeypatch.setattr(disk, "free_bytes", lambda _: free)
    offline.require_room(Settings(home=tmp_path), needed)
    with pytest.raises(BackupRefused, match="has 133 MiB left, but 133 MiB are needed"):
        offline.require_room(Settings(home=tmp_path), needed + 1)


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
    assert not status(settings).backup_runs


@pytest.mark.parametrize("right", [0o770, 0o702, 0o1777])
def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path, right: int) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(right)
    with pytest.raises(StartFailed, match=r"GRAPHMEM_HOME: other users .*chmod go-w"):
        ensure_running(small(shared))
    assert mode(shared) == right
    assert not Home(shared).password.exists()


def test_no_server_is_called_that_other_users_could_have_named(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.create()
    this_process = identify(os.getpid())
    assert this_process is not None
    own_state = state_of(socket.gethostname(), keeper=this_process, server=this_process)
    password.ensure(home)
    states.write(home, own_state)
    assert ensure_running(Settings(home=tmp_path)).uri == "bolt://127.0.0.1:1"
    tmp_path.chmod(0o707)
    with pytest.raises(StartFailed, match="other users can write to"):
        ensure_running(Settings(home=tmp_path))


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
def test_root_uses_a_home_of_its_own_in_a_folder_of_a_user(tmp_path: Path) -> None:
    (tmp_path / "graphmem").mkdir()
    os.chown(tmp_path, pwd.getpwnam("nobody").pw_uid, -1)
    assert not status(small(tmp_path / "graphmem")).running


def test_a_home_below_a_folder_where_every_user_can_write_is_refused(tmp_path: Path) -> None:
    """Whoever can rename it could put a folder with a server of theirs in its place."""
    user = os.geteuid() or pwd.getpwnam("nobody").pw_uid
    tmp_path.chmod(0o777)
    with pytest.raises(StartFailed, match=f"GRAPHMEM_HOME: every user can write to {tmp_path}, so"):
        refuse_exchange(Home(tmp_path / "a" / "home"), user=user)
    tmp_path.chmod(0o1777)
    refuse_exchange(Home(tmp_path / "a" / "home"), user=user)


def test_a_home_below_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    owner = given_away(tmp_path)
    with pytest.raises(StartFailed, match=f"{tmp_path} belongs to the user {owner}, so others"):
        refuse_exchange(Home(tmp_path / "a" / "home"), user=os.geteuid() + 1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_a_user_that_this_machine_does_not_have_is_used(tmp_path: Path) -> None:
    """As in a container that got a folder of its host."""
    os.chown(tmp_path, 3_999_999, -1)
    assert not status(small(tmp_path)).running


def test_owners_whom_a_sandbox_does_not_know_are_no_other_users(tmp_path: Path) -> None:
    """Linux shows them all as the user nobody in there: that of `/`, unless root made it."""
    place = Path("/")
    if os.geteuid() == 0:
        os.chown(place := tmp_path, 12345, -1)
    sandbox = ("unshare", "--user", "--map-current-user")
    if (
        shutil.which(sandbox[0]) is None
        or subprocess.run([*sandbox, "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("this machine makes no such sandbox")
    code = (
        "import pathlib, sys, graphmem.ownership;"
        "print(graphmem.ownership.other_owner(pathlib.Path(sys.argv[1])))"
    )
    command = [*sandbox, sys.executable, "-c", code, str(place)]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "None\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a link to another user")
def test_a_link_of_another_user_leads_to_no_home(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    link = tmp_path / "link"
    link.symlink_to("disk")
    os.lchown(link, pwd.getpwnam("nobody").pw_uid, -1)
    with pytest.raises(StartFailed, match=f"GRAPHMEM_HOME: {link} is a symbolic link that anoth"):
        status(small(link))
    os.lchown(link, os.geteuid(), -1)
    assert not status(small(link)).running


def test_a_home_is_named_by_its_real_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "disk").mkdir()
    (tmp_path / "memory").symlink_to(tmp_path / "disk")
    assert status(small(Path("~/memory"))).home == tmp_path / "disk"


def test_looking_at_a_home_writes_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.data.mkdir()
    (home.data / "store").write_bytes(b"12345")
    (home.data / "gone").symlink_to(tmp_path / "nothing")  # as a file that goes while it is counted
    before = sorted(tmp_path.rglob("*"))
    assert status(small(tmp_path)).store_bytes >= 5
    assert sorted(tmp_path.rglob("*")) == before


def test_a_password_that_others_can_read_is_refused_with_the_cure(tmp_path: Path) -> None:
    home = Home(tmp_path)
    password.ensure(home)
    secret = password.read(home)
    home.password.chmod(0o644)
    with pytest.raises(StartFailed, match=r"other users can read .*chmod 600") as caught:
        password.read(home)
    assert secret not in str(caught.value)


def test_each_home_has_a_password_of_its_own_that_nobody_guesses(tmp_path: Path) -> None:
    homes = [Home(tmp_path / name) for name in ("first", "second")]
    for home in homes:
        home.create()
        password.ensure(home)
    first, second = map(password.read, homes)
    assert first != second
    assert min(len(first), len(second)) >= 32


def test_a_password_lost_before_the_first_start_is_replaced_where_the_server_reads_it(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    password.ensure(home)
    home.password.unlink()
    password.ensure(home)
    _, digest, salt, rounds = re.split("[:,]", home.initial_password.read_text().strip(":\n"))[1:]
    expected = bytes.fromhex(salt) + password.read(home).encode()
    for _ in range(int(rounds)):
        expected = hashlib.sha256(expected).digest()
    assert digest == expected.hex()


def test_a_password_lost_after_it_is_not_made_anew(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.system_database.mkdir(parents=True)
    with pytest.raises(StartFailed, match=r"password is gone.*graphmem db reset-password"):
        password.ensure(home)
    assert not home.password.exists()


def test_a_password_that_cannot_be_read_is_reported_in_a_sentence(tmp_path: Path) -> None:
    Home(tmp_path).password.mkdir(mode=0o700)
    with pytest.raises(StartFailed, match="the password of the private Neo4j cannot be read"):
        password.read(Home(tmp_path))


@pytest.mark.parametrize(
    ("content", "state"), [(b"", "is empty"), (b"\xff\x00secret", "is damaged")]
)
def test_a_damaged_password_is_reported_with_the_remedy(
    tmp_path: Path, content: bytes, state: str
) -> None:
    replace_file(Home(tmp_path).password, content)
    with pytest.raises(StartFailed, match=rf"password {state}, .*reset-password") as caught:
        password.read(Home(tmp_path))
    assert "secret" not in str(caught.value)


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


@pytest.mark.parametrize("alive", ["keeper", "server"])
def test_a_machine_that_got_another_name_still_knows_its_own_server(
    tmp_path: Path, alive: str
) -> None:
    home = Home(tmp_path)
    with holding(home.keeper_lock) as keeper:
        left_by("former.example.org", home, **{alive: identify(keeper.pid) or NOBODY})
        assert status(small(tmp_path)).other_host is None


def test_a_process_that_is_no_keeper_is_not_stopped_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stopping, "GRACE_SECONDS", 1.0)
    home = Home(tmp_path)
    with holding(home.keeper_lock) as stranger:
        left_by(socket.gethostname(), home, keeper=identify(stranger.pid) or NOBODY)
        with pytest.raises(StartFailed, match="does not stop"):
            stop(small(tmp_path))
        assert stranger.poll() is None


def test_a_server_runs_from_its_first_answer_on_whether_or_not_its_keeper_lives() -> None:
    myself = identify(os.getpid())
    assert myself is not None
    silent = state_of("here", keeper=myself, server=myself, version=None)
    assert (silent.answers, silent.is_ready) == (False, False)
    alone = state_of("here", server=myself)
    assert (alone.answers, alone.is_ready) == (True, False)


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


def test_a_server_that_another_version_runs_is_reported_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("graphmem.neo4j_process.server.SECONDS_TO_PUBLISH", 0.1)
    settings, home = small(tmp_path, start_seconds=20), Home(tmp_path)
    left_by(socket.gethostname(), home)
    fields = json.loads(home.state.read_text())
    home.state.write_text(json.dumps({name: fields[name] for name in fields if name != "plans"}))
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path))
    with holding(home.keeper_lock):
        with pytest.raises(StartFailed, match=r"another version of graphmem runs .*db stop"):
            ensure_running(settings)
        assert (status(settings).running, status(settings).other_version) == (False, True)
        assert cli.main(["db", "status"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("Another version of graphmem runs the private Neo4j; data: ")
    assert "not running" not in output
    assert "run `graphmem db stop`" in " ".join(output.split())
    assert not status(settings).other_version


def test_a_keeper_that_no_file_names_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.neo4j_process.running.stopping.SECONDS_TO_PUBLISH", 0.1)
    home = Home(tmp_path)
    home.create()
    with holding(home.keeper_lock, KEEPER, str(home.root)) as keeper:
        assert stop(small(tmp_path))
        assert keeper.wait() == -signal.SIGTERM


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


def test_a_file_that_cannot_be_written_leaves_no_draft_of_it(tmp_path: Path) -> None:
    (tmp_path / "state.json").mkdir()  # as a full disk, it refuses the file

    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path / "state.json", "{}")

    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]
