"""An import that is killed keeps what it wrote, and the next run goes on from there."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fault_table import Record
from graphmem.memory import Memory

IMPORTER = Path(__file__).with_name("importer.py")


@pytest.mark.parametrize(
    ("notes", "kills", "model", "seconds", "seed"),
    [
        pytest.param(300, 4, "0.03", 2.5, 7, id="300 notes"),
        pytest.param(6000, 20, "real", 12.0, 11, id="6000 notes", marks=pytest.mark.faults),
    ],
)
@pytest.mark.timeout(3000)
def test_a_killed_import_goes_on_where_it_was(  # noqa: PLR0917 - the figures of an experiment
    memory: Memory, environment: dict[str, str], tmp_path: Path, notes: int, kills: int,
    model: str, seconds: float, seed: int, record: Record,
) -> None:  # fmt: skip
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(notes):
        follows = f"\n\nIt follows [[Note {number - 1}]]." if number else ""
        (folder / f"Note {number}.md").write_text(f"Note {number} tells of tide {number}.{follows}")
    counted = tmp_path / "counted"
    chance = random.Random(seed)  # noqa: S311 - moments to kill at
    killed = 0
    for _ in range(kills):
        moment = chance.uniform(0.1, seconds)
        if not _killed(_run(memory, environment, folder, counted, model), moment):
            break
        killed += 1
    with _run(memory, environment, folder, counted, model) as last:
        assert last.stdout is not None
        assert last.stdout.read().startswith("begun\n")
    assert last.returncode == 0
    stats = memory.stats()
    assert (stats.entities, stats.passages, stats.pending) == (notes, notes, 0)
    assert stats.relations == notes - 1
    assert killed >= kills // 2
    embedded = sum(map(int, counted.read_text().split()))
    # What was being embedded when it was killed is embedded again, and nothing else.
    assert embedded <= notes + killed * 128
    if notes > 1000:
        assert embedded <= 1.1 * notes
    record(
        f"an import of {notes:,} notes killed (SIGKILL)",
        times=killed,
        lost=f"nothing; embedded {embedded / notes:.3f} of its passages",
    )


def _killed(process: "subprocess.Popen[str]", seconds: float) -> bool:
    """Kill an import so many seconds after it has begun; False where it was done before."""
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            return True
    assert process.returncode == 0
    return False


def _run(
    memory: Memory, environment: dict[str, str], folder: Path, counted: Path, model: str
) -> "subprocess.Popen[str]":
    helpers = Path(__file__).parents[1] / "helpers"
    paths = [str(helpers), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, IMPORTER, "markdown", folder, str(memory.project), counted, model],
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        stdout=subprocess.PIPE,
        text=True,
    )
