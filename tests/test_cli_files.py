"""Files that commands write: whole, and nothing but files."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from graphmem.cli.files import replacing
from graphmem.errors import InvalidInput


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


def test_a_pipe_is_refused_and_stays(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(InvalidInput, match="must be a file, not a device or a pipe"):
            write(path, "new")
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == [link, pipe]


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
