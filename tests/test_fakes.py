"""The fake model stands for the real one, and a run of tests leaves nothing behind."""

import math
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

import workers
from fakes import FakeEmbedder
from graphmem.graph import Graph
from graphmem.neo4j_process import ensure_running
from graphmem.settings import Settings
from neo4j_servers import Homes, until
from workers import FIRST, FIRST_WITHOUT

if TYPE_CHECKING:
    from graphmem.embedding import Embedder

ROOT = Path(__file__).parents[1]
A_TEST = """
import time
from pathlib import Path

from graphmem.neo4j_process import ensure_running

def test_that_is_interrupted(config, session_home):
    ensure_running(config)
    draft = Path(__file__).with_name("draft")
    draft.write_text(str(session_home))
    draft.rename(draft.with_name("home"))
    time.sleep(600)
"""


def cosine(one: str, other: str) -> float:
    fake = FakeEmbedder()
    return math.fsum(a * b for a, b in zip(fake.query(one), fake.query(other), strict=True))


def test_the_fake_model_is_an_embedder() -> None:
    fake: Embedder = FakeEmbedder()

    assert (fake.state, fake.reason, fake.wait()) == ("ready", None, True)


def test_texts_that_share_words_are_near_and_others_are_not() -> None:
    assert cosine("the cache of sessions", "session caches") > 0.5
    assert abs(cosine("session cache", "berth prices")) < 0.2
    assert cosine("same", "same") == pytest.approx(1)


def test_every_text_has_a_unit_vector_of_the_real_length() -> None:
    for text in ("", "?", "word", "слово"):
        vector = FakeEmbedder().query(text)
        assert len(vector) == 384
        assert math.hypot(*vector) == pytest.approx(1)


def test_no_test_sees_the_callers_settings(graph: Graph, environment: dict[str, str]) -> None:
    ours = {name for name in environment if name.startswith(("NEO4J_", "GRAPHMEM_"))}

    ours.discard("GRAPHMEM_JAVA_HOME")  # the run's own, but for --faults
    assert ours == {"GRAPHMEM_HOME", "GRAPHMEM_IDLE_MINUTES", "GRAPHMEM_QUERY_SECONDS"}
    assert graph.read("read/ping") == [{"answered": True}]


@pytest.mark.live
def test_a_run_that_is_told_to_end_stops_its_server_and_removes_its_home(tmp_path: Path) -> None:
    stops_and_removes(tmp_path)


@pytest.mark.live
def test_a_run_in_other_processes_that_is_told_to_end_does_so_too(tmp_path: Path) -> None:
    stops_and_removes(tmp_path, "--numprocesses", "1")


def stops_and_removes(folder: Path, *options: str) -> None:
    """End a run while its test uses the server, and look for what is left of it."""
    (folder / "conftest.py").write_text(
        (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (folder / "test_one.py").write_text(A_TEST, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    # It makes a Java of its own, as the run of a user's does.
    callers = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "GRAPHMEM_"))}
    with subprocess.Popen(
        [*command, str(folder)],
        cwd=folder,
        env=callers | {"PYTHONPATH": str(ROOT / "tests" / "helpers")},
        stdout=subprocess.DEVNULL,
    ) as run:
        until((folder / "home").exists)
        home = Path((folder / "home").read_text(encoding="utf-8"))
        servers = [
            process
            for process in psutil.process_iter(["cmdline"])
            if serves(process, home, run.pid)
        ]
        run.send_signal(signal.SIGTERM)  # from here on the same as Ctrl-C
        run.wait(timeout=280)

    assert servers
    assert psutil.wait_procs(servers, timeout=120)[1] == []
    assert not home.exists()
    assert run.returncode == pytest.ExitCode.INTERRUPTED


def serves(process: psutil.Process, home: Path, run: int) -> bool:
    """Whether it is the server on that home, or the JVM that all servers of that run share."""
    return f"--home-dir={home}" in (process.info["cmdline"] or ()) or hosts(process, run)


def hosts(process: psutil.Process, run: int) -> bool:
    """Whether it is the JVM that all servers of a run share."""
    words = process.info["cmdline"] or [""]
    return any(word.endswith("ServerHost.java") for word in words) and words[-1] == str(run)


def test_the_servers_of_a_run_share_a_jvm_where_there_is_a_jdk(
    graph: Graph, empty: Settings, pytestconfig: pytest.Config
) -> None:
    assert graph.read("read/ping") == [{"answered": True}]
    ensure_running(empty)
    run = workers.run(pytestconfig)
    jvms = [process for process in psutil.process_iter(["cmdline"]) if hosts(process, run)]
    assert Homes.java is not None
    assert len(jvms) == (Homes.java / "host.json").exists()


def test_the_files_that_begin_first_are_there() -> None:
    assert {*FIRST, *FIRST_WITHOUT} <= {file.name for file in (ROOT / "tests").rglob("test_*.py")}
