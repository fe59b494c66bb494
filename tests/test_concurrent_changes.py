"""Eight writers change the same entities beside searches: nothing is lost, and history is right."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from concurrent_writers import Load, for_seconds
from fault_table import Record
from graphmem.memory import Memory

WRITERS = 8


def noted(path: Path) -> int:
    """How many lines a process has noted."""
    return len(path.read_text().splitlines()) if path.exists() else 0


PROCESS = Path(__file__).parent / "helpers" / "concurrent_writers_process.py"


def test_writers_lose_nothing_and_history_leads_back_to_what_was_seen(memory: Memory) -> None:
    load = Load(memory)
    load.fill()
    load.run(WRITERS, lambda turn: turn < 15)
    assert list(load.problems()) == []
    assert load.done["compared"] > 0
    assert load.done["merge"] > 0
    assert load.done["undo"] > 0


@pytest.mark.parametrize(
    "kills", [2, pytest.param(20, marks=pytest.mark.faults)], ids=["twice", "often"]
)
@pytest.mark.timeout(1800)
def test_writers_that_are_killed_lose_nothing(
    memory: Memory, environment: dict[str, str], tmp_path: Path, kills: int
) -> None:
    load = Load(memory)
    load.fill()
    path = tmp_path / "noted"
    chance = random.Random(5)  # noqa: S311 - moments to kill at
    for seed in range(kills):
        arguments = [sys.executable, str(PROCESS), str(memory.project), str(seed), str(path)]
        with subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True) as one:
            assert one.stdout is not None
            assert one.stdout.readline() == "begun\n"
            before = noted(path)
            while noted(path) < before + 20:
                assert one.poll() is None
                time.sleep(0.05)
            time.sleep(chance.uniform(0.1, 2))
            one.kill()
    # The last line may have been cut.
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
    for line in lines:
        if "said" in line:
            load.heard(line["said"])
        else:
            load.looked(line["key"], line["revision"], line["state"])
    assert load.said
    assert list(load.problems()) == []
    assert load.done["compared"] > 0


@pytest.mark.faults
def test_writers_lose_nothing_in_two_minutes(memory: Memory, record: Record) -> None:
    load = Load(memory, seed=2)
    load.fill()
    load.run(WRITERS, for_seconds(120))
    problems = list(load.problems())
    print(dict(load.done))  # noqa: T201 - what was done, for who runs it
    assert problems == []
    record("8 writers change 100 entities for two minutes", times=sum(load.done.values()))
