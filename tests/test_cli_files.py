"""Files that commands write: whole, and nothing but files."""

import errno
import os
import pwd
import signal
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from graphmem.cli.files import replacing
from graphmem.errors import InvalidInput
from graphmem.memory.imports.spool import Spool
from graphmem.neo4j_process.machine.disk import MEBIBYTE
from neo4j_servers import no_file_beyond
from other_users import without_rights_of_root

# Whatever is written to it is told that there is no room.
FULL = Path("/dev/full")


def write(path: Path, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text)


def test_a_symbolic_link_stays_and_the_file_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    file, link = tmp_path / "disk" / "file.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(file)
    write(link, "new")
    assert file.read_text() == "new"
    file.chmod(0o600)
    write(link, "newer")
    assert link.readlink() == file
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("newer", 0o600)
    assert [*(tmp_path / "disk").iterdir()] == [file]


def test_a_new_file_has_the_mode_that_files_of_the_user_have(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    write(tmp_path / "file", "new")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_another_user_s_file_chooses_no_mode_and_their_link_no_file(tmp_path: Path) -> None:
    nobody = pwd.getpwnam("nobody").pw_uid
    own, planted, link = (tmp_path / name for name in ("own", "planted", "link"))
    own.write_text("own")
    planted.touch()
    planted.chmod(0o666)
    os.chown(planted, nobody, -1)
    write(planted, "new")
    assert planted.stat().st_mode == own.stat().st_mode
    link.symlink_to(own)
    os.lchown(link, nobody, -1)
    with pytest.raises(InvalidInput, match=f"--output must not lead through {link}, a symbolic"):
        write(link, "new")
    assert own.read_text() == "own"


def test_what_cannot_be_a_file_is_refused(tmp_path: Path) -> None:
    for path, requirement in (
        (tmp_path, "must be a file, not a folder"),
        (tmp_path / "no" / "file", "must be a file in an existing folder"),
    ):
        with pytest.raises(InvalidInput, match=f"--output {requirement}"):
            write(path, "new")
    assert not [*tmp_path.iterdir()]


def test_a_file_that_the_disk_has_no_room_for_is_named_and_not_left(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with (
        no_file_beyond(os.getpid(), MEBIBYTE),
        pytest.raises(OSError, match="File too large") as caught,
    ):
        write(file, "x" * (2 * MEBIBYTE))
    assert caught.value.filename == str(file)
    assert not [*tmp_path.iterdir()]


def test_a_disk_of_temporary_files_without_room_names_their_folder() -> None:
    spool: Spool[bytes] = Spool()
    with (
        no_file_beyond(os.getpid(), MEBIBYTE),
        closing(spool),
        pytest.raises(OSError, match="File too large") as caught,
    ):
        spool.add(bytes(8 * MEBIBYTE))
    assert caught.value.filename == tempfile.gettempdir()


def test_an_output_without_room_is_reported_with_the_next_step() -> None:
    with FULL.open("wb") as full:
        process = subprocess.run(
            [sys.executable, "-m", "graphmem", "completion", "bash"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (process.returncode, process.stderr) == (
        1,
        "graphmem: No space left on device; free some space there and run the command again\n",
    )


def test_a_file_may_have_the_longest_name_there_is(tmp_path: Path) -> None:
    write(tmp_path / ("n" * 255), "new")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["new"]


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As `nohup` has it, so that an export goes on when its terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with replacing(tmp_path / "file"):
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_pipe_is_refused_and_stays(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(InvalidInput, match="must be a file, not a device or a pipe"):
            write(path, "new")
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == [link, pipe]


def test_a_pipe_without_a_path_is_refused_as_one() -> None:
    reader, writer = os.pipe()
    with (
        os.fdopen(reader),
        os.fdopen(writer, "w"),
        pytest.raises(InvalidInput, match=r"not a device or a pipe.* Without --output, `graphmem"),
    ):
        write(Path(f"/dev/fd/{writer}"), "new")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_what_another_user_may_not_replace_is_named_by_the_path_that_was_given() -> None:
    with tempfile.TemporaryDirectory() as place:
        shared, closed = Path(place), Path(place, "closed")
        shared.chmod(0o1777)
        closed.mkdir()
        (shared / "file").write_text("of root")
        with without_rights_of_root():
            for file, reason in (
                (shared / "file", f"{shared}/file belongs to another user"),
                (closed / "file", f"this user may not write to {closed}"),
            ):
                with pytest.raises(
                    InvalidInput, match=f"--output must .*'. Name .*, since {reason}"
                ):
                    write(file, "new")
            write(shared / "own", "new")
            write(shared / "own", "newer")
        assert (shared / "file").read_text() == "of root"


def test_an_error_of_the_disk_names_the_path_that_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(file: Path, _: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted", str(file))

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError) as caught:
        write(tmp_path / "file", "new")
    assert caught.value.filename == str(tmp_path / "file")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_nothing_half_written_stays_of_a_process_that_is_told_to_end(
    number: signal.Signals, tmp_path: Path
) -> None:
    program = (
        "import os, pathlib, signal, sys\n"
        "from graphmem.cli.files import replacing\n"
        "signal.signal(int(sys.argv[2]), signal.SIG_DFL)\n"  # these tests may run under `nohup`
        "with replacing(pathlib.Path(sys.argv[1])) as stream:\n"
        "    stream.write('half')\n"
        "    os.kill(os.getpid(), int(sys.argv[2]))\n"
    )
    arguments = [sys.executable, "-c", program, str(tmp_path / "all.jsonl"), str(int(number))]
    ended = subprocess.run(arguments, check=False)
    assert ended.returncode == 128 + number
    assert not [*tmp_path.iterdir()]
