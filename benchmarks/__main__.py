"""Runs what needs no data of its own: the handshake, latency and encryption on a small made graph.

The others take data: `python benchmarks/sets.py FOLDER`; and `python benchmarks/latency.py` at its
full size takes minutes to load.
"""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent

for script in (
    ["handshake.py"],
    ["latency.py", "--entities", "5000", "--queries", "100"],
    ["encryption.py"],
):
    print(f"\n== {' '.join(script)}", flush=True)
    command = [sys.executable, str(FOLDER / script[0]), *script[1:]]
    subprocess.run(command, check=True)  # noqa: S603 - our own scripts
