"""Server and keeper are killed again and again while three processes write: nothing is lost."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes import FakeEmbedder
from fault_table import Record
from graphmem import neo4j_process
from graphmem.errors import GraphmemError
from graphmem.memory import Memory
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.settings import Settings

WRITER = Path(__file__).with_name("writer.py")
WRITERS = 3
KILLS = 6
PROJECT = "example.org/tests/under-fire"

pytestmark = [pytest.mark.faults, pytest.mark.live, pytest.mark.timeout(1800)]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """A server of this experiment's own."""
    settings = Settings(home=tmp_path / "home", idle_minutes=20)
    monkeypatch.setenv("GRAPHMEM_HOME", str(settings.home))
    yield settings
    neo4j_process.stop(settings)


def test_every_write_that_was_acknowledged_is_there(
    home: Settings, tmp_path: Path, record: Record
) -> None:
    with Memory.open(project=PROJECT, config=home, embedder=FakeEmbedder()) as memory:
        memory.remember([{"name": "Before"}])
    writers = [_writer(tmp_path, number) for number in range(WRITERS)]
    waits: list[float] = []
    try:
        for turn in range(KILLS):
            time.sleep(random.uniform(2, 8))  # noqa: S311 - a moment to kill at
            waits.append(_killed(home, keeper_too=turn % 2 == 1))
    finally:
        counts = [writer.communicate("")[0].split() for writer in writers]
    acknowledged = [
        name
        for number in range(WRITERS)
        for name in (tmp_path / f"{number}.log").read_text().splitlines()
    ]
    with Memory.open(project=PROJECT, config=home, embedder=FakeEmbedder()) as memory:
        there = [str(line["name"]) for line in memory.export()]
    assert len(acknowledged) == len(set(acknowledged)) > KILLS
    assert set(acknowledged) <= set(there)
    assert len(there) == len(set(there))
    errors = sum(int(count[1]) for count in counts)
    record(
        f"server, and every other time its keeper, killed under {WRITERS} writers "
        f"({len(acknowledged)} writes acknowledged, {errors} errors seen)",
        times=KILLS,
        lost=f"{len(set(acknowledged) - set(there))} acknowledged writes",
        seconds=max(waits),
    )


def _writer(folder: Path, number: int) -> "subprocess.Popen[str]":
    paths = [str(Path(__file__).parents[1] / "helpers"), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, WRITER, PROJECT, f"Writer {number}", folder / f"{number}.log"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _killed(settings: Settings, *, keeper_too: bool) -> float:
    """Kill the server; gives the seconds until a search is answered again."""
    state = states.read(Home(settings.home.resolve()))
    if state is not None:
        if keeper_too:
            os.kill(state.keeper.pid, signal.SIGKILL)
        os.kill(state.server.pid, signal.SIGKILL)
    began = time.monotonic()
    while True:
        try:
            with Memory.open(project=PROJECT, config=settings, embedder=FakeEmbedder()) as memory:
                memory.search("before", mode="keyword")
        except GraphmemError:
            time.sleep(0.5)
        else:
            return time.monotonic() - began
