"""What graphmem makes of a server's failures: the cause, the cure, the next start. No JVM here."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from filelock import FileLock
from neo4j.exceptions import Neo4jError

from graphmem import cli
from graphmem.errors import (
    DatabaseError,
    DatabaseMemory,
    DatabaseUnavailable,
    JarsUnavailable,
    StartFailed,
)
from graphmem.graph.errors import Target, memory_at_once, our_errors
from graphmem.neo4j_process import checks
from graphmem.neo4j_process.home import debug_log, swap
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import disk, jars, programs
from graphmem.neo4j_process.running import causes, failures, jvm
from graphmem.neo4j_process.running.backoff import MOST_FAILURES, Backoff
from graphmem.neo4j_process.running.failures import Journal
from graphmem.settings import Settings
from neo4j_servers import until

ROOT = Path("/srv/memory")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.create()
    return made


# When to start again


def test_starts_are_put_off_longer_and_longer_and_five_minutes_at_most() -> None:
    backoff, waits = Backoff(), []
    for second in range(12):
        backoff.note_failure(now=1000.0 + second)
        waits.append(backoff.seconds)
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]


def test_a_server_that_fails_again_and_again_is_given_up() -> None:
    backoff = Backoff()
    for second in range(MOST_FAILURES):
        assert not backoff.is_spent
        backoff.note_failure(now=1000.0 + second)
    assert backoff.is_spent


def test_a_failure_after_a_good_while_is_the_first_again() -> None:
    backoff = Backoff()
    for second in range(5):
        backoff.note_failure(now=1000.0 + second)
    backoff.note_failure(now=2000.0)
    assert (backoff.failures, backoff.seconds) == (1, 1)


# What it says


@pytest.mark.parametrize(
    ("words", "cause", "cure"),
    [
        ("Terminating due to java.lang.OutOfMemoryError: Java heap space", "ran out of memory",
         "raise GRAPHMEM_NEO4J_HEAP, now 512m"),
        ("Call error: ErrorCode=28, errorMessage='No space left on device'", "is full",
         "free at least 100 MiB"),
        ("[Errno 30] Read-only file system: 'state.json'", "is read-only", "mount it for writing"),
        ("[Errno 5] Input/output error", "fails", "check the disk"),
        ("java.nio.file.AccessDeniedException: /srv/memory/data", "cannot be written", "chown"),
        ("bind(..) failed with error(-98): Address already in use", "port", "graphmem db stop"),
        ("UnsupportedClassVersionError: class file version 65", "Java", "GRAPHMEM_JAVA_HOME"),
        ("Unknown store version 'block-x-9.9'", "another version of Neo4j", "db restore FILE"),
        ("Lock file has been locked by another process: store_lock", "another server",
         "GRAPHMEM_HOME"),
        ("error='Not enough space': insufficient memory for the Java Runtime", "machine",
         "lower GRAPHMEM_NEO4J_HEAP"),
    ],
)  # fmt: skip
def test_the_last_output_of_a_server_becomes_a_sentence_with_cause_and_cure(
    words: str, cause: str, cure: str
) -> None:
    sentence = causes.explain(words, ROOT, "512m")
    assert sentence is not None
    assert cause in sentence
    assert cure in sentence
    assert "graphmem doctor" not in sentence
    assert "\n" not in sentence


def test_a_home_that_cannot_be_used_is_named_once_with_the_cure_if_it_is_known() -> None:
    denied = causes.home_sentence(PermissionError(13, "Permission denied", "conf"), ROOT, "512m")
    assert denied.startswith(f"{ROOT} cannot be written: make the user who runs graphmem its owner")
    no_folder = causes.home_sentence(NotADirectoryError(20, "Not a directory"), ROOT, "512m")
    assert no_folder == f"{ROOT} cannot be used: [Errno 20] Not a directory"


def test_unknown_output_is_quoted_without_explanation() -> None:
    assert causes.explain("Started.", ROOT, "512m") is None
    assert causes.sentence(StartFailed("the moon fell"), ROOT, "512m") == "the moon fell"


def test_why_a_database_did_not_start_is_the_innermost_cause_of_the_last_time(home: Home) -> None:
    def line(message: str, *stack: str) -> str:
        return json.dumps({"level": "ERROR", "message": message, "stacktrace": "\n".join(stack)})

    home.debug_log.write_text(
        "\n".join(
            [
                line("Failed to start DatabaseId{neo4j}", "x", "Caused by: A: the first time"),
                line("Failed to start DatabaseId{neo4j}", "x", "Caused by: B: out", "\tat y",
                     "Caused by: C: No space left on device"),
                line("Something else"),
                "no JSON",
            ]
        )
    )  # fmt: skip
    assert debug_log.why_offline(home) == "C: No space left on device"
    assert debug_log.why_offline(Home(ROOT)) == ""


# What is remembered


def test_the_last_failures_are_kept_and_no_more(home: Home) -> None:
    journal = Journal(home)
    for number in range(failures.MOST_FAILURES + 5):
        journal.add(f"cause {number} {'x' * 5000}", "y" * 5000)
    kept = failures.read(home)
    assert len(kept.failures) == failures.MOST_FAILURES
    assert kept.last is not None
    assert kept.last.cause.startswith(f"cause {failures.MOST_FAILURES + 4} ")
    assert home.failures.stat().st_size < failures.MOST_FAILURES * 2000
    assert home.failures.stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_written_is_written_later(home: Home) -> None:
    """A folder stands where the file belongs, so that not even root can write it."""
    home.failures.mkdir()
    journal = Journal(home)
    journal.add("the disk was full")
    home.failures.rmdir()
    assert failures.read(home).last is None
    journal.save()
    last = failures.read(home).last
    assert last is not None
    assert last.cause == "the disk was full"


def test_a_home_without_failures_gets_no_file(home: Home) -> None:
    Journal(home).note_retry(None)
    assert not home.failures.exists()


def test_what_the_jvm_prints_is_bounded_while_it_goes_on_to_print(home: Home) -> None:
    with home.console_log.open("ab") as output:
        output.write(b"a line\n" * 1000)
        output.flush()
        jvm.limit_console(home)
        assert home.console_log.stat().st_size == 7000
        output.write(b"x" * jvm.LARGEST_CONSOLE)
        output.flush()
        jvm.limit_console(home)
        output.write(b"the next line\n")
    assert home.console_log.read_bytes() == b"the next line\n"


# What doctor says of a home


def test_a_home_that_takes_no_file_is_reported_with_its_cause(home: Home) -> None:
    shutil.rmtree(home.root)
    assert "will be created at the first start" in checks.check_home(Settings(home=home.root))
    home.create()
    assert "can be written" in checks.check_home(Settings(home=home.root))


def test_a_home_that_cannot_be_made_is_reported_before_a_start_is_tried(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartFailed, match=r"file/a/home cannot be used: .*Not a directory"):
        checks.check_home(Settings(home=tmp_path / "file" / "a" / "home"))


def test_a_lost_password_is_reported_with_its_cure(home: Home) -> None:
    home.system_database.mkdir(parents=True)
    with pytest.raises(StartFailed, match=r"password is gone.*graphmem db reset-password"):
        checks.check_home(Settings(home=home.root))


def test_a_disk_without_room_is_reported_before_a_start_is_tried(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "LEAST_BYTES", 1 << 62)
    with pytest.raises(StartFailed, match=r"is full .* free at least 100 MiB"):
        checks.check_home(Settings(home=home.root))


def test_the_status_names_a_disk_without_room(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAPHMEM_HOME", str(home.root))
    monkeypatch.setattr(disk, "LEAST_BYTES", 1 << 62)
    assert cli.main(["db", "status"]) == 0
    assert "is full" not in capsys.readouterr().out
    (home.data / "store").write_text("something")
    assert cli.main(["db", "status"]) == 0
    assert f"the disk of {home.root} is full" in " ".join(capsys.readouterr().out.split())


def test_of_a_disk_what_this_user_may_write_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = SimpleNamespace(f_bavail=3, f_bfree=9, f_frsize=512, f_bsize=4096)
    monkeypatch.setattr(os, "statvfs", lambda _: blocks)
    assert disk.free_bytes(tmp_path) == 3 * 512


def test_the_disk_of_a_folder_that_is_not_there_is_that_of_the_one_above(tmp_path: Path) -> None:
    assert disk.free_bytes(tmp_path / "no" / "such") is not None


def test_a_disk_that_cannot_be_asked_is_not_full(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert disk.free_bytes(tmp_path / "file" / "below") is None
    assert not disk.is_full(tmp_path / "file" / "below")


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ("append transaction", r"disk, which is probably full: free at least 100 MiB"),
        ("apply the transaction", r"if its disk is full, free at least 100 MiB$"),
    ],
)
def test_a_commit_that_a_full_disk_breaks_off_names_the_disk(step: str, sentence: str) -> None:
    error = Neo4jError._hydrate_neo4j(
        code="Neo.DatabaseError.Transaction.TransactionCommitFailed",
        message=f"Could not {step}: Transaction #4742 {{started now}} to log.",
    )
    with (
        pytest.raises(DatabaseError, match=sentence),
        our_errors(Target("bolt://x", "neo4j", None, "neo4j")),
    ):
        raise error


def test_a_database_that_broke_off_is_a_lost_connection_which_is_looked_for_again() -> None:
    error = Neo4jError._hydrate_neo4j(
        code="Neo.DatabaseError.Transaction.TransactionStartFailed", message="critical error"
    )
    with (
        pytest.raises(DatabaseUnavailable, match="not available"),
        our_errors(Target("bolt://x", "neo4j", None, "neo4j")),
    ):
        raise error


def test_a_lack_of_memory_names_all_that_a_larger_heap_takes() -> None:
    error = Neo4jError._hydrate_neo4j(
        code="Neo.TransientError.General.MemoryPoolOutOfMemoryError", message="too much"
    )
    steps = "raise GRAPHMEM_NEO4J_HEAP and run `graphmem db stop`, since a server that runs keeps"
    with pytest.raises(DatabaseMemory, match=steps), memory_at_once():
        raise error


# Waits that end


def test_a_silent_program_is_stopped(tmp_path: Path) -> None:
    script = "print('begun', flush=True); open('there', 'w'); import time; time.sleep(600)"
    with programs.started([sys.executable, "-c", script], folder=tmp_path) as process:
        until((tmp_path / "there").exists)  # on a busy machine, Python itself starts for a while
        lines = programs.lines_of(process, silent_seconds=1, longest_seconds=60)
        assert next(lines) == "begun\n"
        with pytest.raises(programs.SilentProgram, match="nothing for 1 s"):
            next(lines)
    assert process.poll() is not None


def test_a_program_that_never_stops_printing_is_stopped(tmp_path: Path) -> None:
    script = "import time\nwhile True: print('on', flush=True); time.sleep(0.05)"
    with programs.started([sys.executable, "-c", script], folder=tmp_path) as process:
        lines = programs.lines_of(process, silent_seconds=60, longest_seconds=1)
        heard: list[str] = []
        with pytest.raises(programs.SilentProgram):
            heard.extend(lines)
    assert process.poll() is not None


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    """As `mvn` does, a shell starts another program that keeps its output open."""
    with programs.started(["sh", "-c", "sleep 600 & wait"], folder=tmp_path) as process:
        group = process.pid

    def members() -> list[int]:
        return [other.pid for other in psutil.process_iter() if _group(other.pid) == group]

    until(lambda: not members())


def test_output_that_is_closed_has_no_more_lines(tmp_path: Path) -> None:
    """The thread that reads may come to it after whoever gave the program up."""
    with programs.started(["echo", "one"], folder=tmp_path) as process:
        process.wait()
    assert list(programs.lines_of(process, silent_seconds=5, longest_seconds=5)) == []


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


def test_the_wait_for_another_download_ends_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jars, "LOCK_SECONDS", 0.3)
    with (
        FileLock(tmp_path / f"neo4j-{jars.VERSION}.lock"),
        pytest.raises(JarsUnavailable, match=r"another process.*stop it and try again"),
    ):
        jars.cached_jars(tmp_path, {"a.jar": "0"})


# The exchange of data


def filled(folder: Path, word: str) -> Path:
    (folder / "databases").mkdir(parents=True, exist_ok=True)
    (folder / "databases" / "word").write_text(word)
    return folder


def word_of(home: Home) -> str:
    return (home.data / "databases" / "word").read_text()


def test_data_are_exchanged_and_the_old_ones_kept_until_they_are_discarded(
    home: Home, tmp_path: Path
) -> None:
    filled(home.data, "old")
    swap.exchange(home, filled(tmp_path / "fresh", "new"))
    assert word_of(home) == "new"
    assert (home.old_data / "databases" / "word").read_text() == "old"
    swap.recover(home)
    assert word_of(home) == "new"
    swap.discard(home)
    assert not home.old_data.exists()


def test_an_exchange_is_undone(home: Home, tmp_path: Path) -> None:
    filled(home.data, "old")
    swap.exchange(home, filled(tmp_path / "fresh", "new"))
    swap.undo(home)
    assert word_of(home) == "old"
    assert sorted(home.root.glob("data*")) == [home.data]


def test_an_exchange_is_made_though_an_earlier_one_left_its_old_data(
    home: Home, tmp_path: Path
) -> None:
    filled(home.old_data, "oldest")
    filled(home.data, "old")
    swap.exchange(home, filled(tmp_path / "fresh", "new"))
    assert word_of(home) == "new"
    assert (home.old_data / "databases" / "word").read_text() == "old"


@pytest.mark.parametrize("created", [True, False])
def test_an_exchange_that_was_killed_half_way_puts_the_old_data_back(
    home: Home, *, created: bool
) -> None:
    filled(home.data, "old")
    home.data.rename(home.old_data)
    if created:
        home.create()
    swap.recover(home)
    assert word_of(home) == "old"


def test_an_exchange_that_cannot_be_made_leaves_the_old_data(home: Home, tmp_path: Path) -> None:
    filled(home.data, "old")
    with pytest.raises(FileNotFoundError):
        swap.exchange(home, tmp_path / "nothing")
    assert word_of(home) == "old"
