"""The peak of the memory of a process that imports, for files of several sizes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fault_table import Record
from graphmem.memory import Memory

IMPORTER = Path(__file__).with_name("importer.py")
TEXT = "The tide feed tells of the tide at every harbour, and who asked for it. " * 13
# Of a process that has imported little, and of each line.
MEGABYTES = 230
BYTES_A_LINE = 300

pytestmark = [pytest.mark.faults, pytest.mark.timeout(7200)]


@pytest.mark.parametrize(
    "lines", [20_000, pytest.param(int(os.environ.get("GRAPHMEM_FAULTS_LINES", "100000")))]
)
def test_a_large_file_takes_little_memory(
    memory: Memory, environment: dict[str, str], tmp_path: Path, lines: int, record: Record
) -> None:
    file = tmp_path / "large.jsonl"
    with file.open("w") as written:
        for number in range(lines):
            entity = {"type": "entity", "name": f"Note {number}", "text": f"{number}. {TEXT}"}
            written.write(f"{json.dumps(entity)}\n")
    paths = [str(Path(__file__).parents[1] / "helpers"), os.environ.get("PYTHONPATH", "")]
    process = subprocess.run(
        [sys.executable, IMPORTER, "jsonl", file, str(memory.project), tmp_path / "counted", "0"],
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    peak = int(process.stdout.split()[-1])
    assert memory.stats().entities == lines
    assert peak < MEGABYTES + BYTES_A_LINE * lines // 1_000_000
    size = file.stat().st_size // 1_000_000
    record(f"{lines:,} lines, {size:,} MB imported; peak of the process {peak:,} MB", times=1)
