"""Measures what it is like to live with graphmem, beside an earlier checkout, in one run.

    git worktree add ../earlier COMMIT
    python benchmarks/living.py --beside ../earlier [--corpus CORPUS.jsonl]

The terminal's commands and the server's handshake (`terminal.py`), the private server from nothing
to its first search, with its memory (`server_start.py`), and with a corpus a whole import beside
the model alone (`ingest.py`): one table each, one after the other, both checkouts in turn. The
private server of GRAPHMEM_HOME is started first.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from graphmem import neo4j_process, settings

FOLDER = Path(__file__).parent


def main() -> int:
    """Run each measurement in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--beside", type=Path, required=True, help="the earlier checkout")
    parser.add_argument("--corpus", type=Path, help="what is imported; see ingest.py")
    parser.add_argument("--most", type=int, default=1000, help="entities that are imported")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    neo4j_process.ensure_running(settings.load())
    beside = ["--beside", str(arguments.beside)]
    rounds = ["--rounds", str(arguments.rounds)]
    scripts = [["terminal.py", *beside, *rounds], ["server_start.py", *beside, *rounds]]
    if arguments.corpus is not None:
        most = ["--most", str(arguments.most)]
        scripts.append(["ingest.py", str(arguments.corpus), *beside, *most])
    for name, *options in scripts:
        print(f"\n== {name}", flush=True)
        subprocess.run([sys.executable, str(FOLDER / name), *options], check=True)  # noqa: S603
    return 0


if __name__ == "__main__":
    sys.exit(main())
