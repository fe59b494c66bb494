"""Writes entities one by one and notes each that was acknowledged, until its standard input ends.

Arguments: the project, the first letters of the names, the file of acknowledged names.
"""

import sys
import threading
from pathlib import Path

from fakes import FakeEmbedder
from graphmem.errors import GraphmemError
from graphmem.memory import Memory


def main() -> None:
    project, prefix, file = sys.argv[1:]
    ended = threading.Event()
    threading.Thread(target=_wait_for_end, args=(ended,), daemon=True).start()
    number = errors = 0
    with Path(file).open("a") as noted:
        while not ended.is_set():
            name = f"{prefix} {number}"
            try:
                with Memory.open(project=project, embedder=FakeEmbedder()) as memory:
                    while not ended.is_set():
                        name = f"{prefix} {number}"
                        report = memory.remember([{"name": name, "text": "Written under fire."}])
                        assert not report.refused
                        noted.write(f"{name}\n")
                        noted.flush()
                        number += 1
            except GraphmemError as error:
                errors += 1
                sys.stderr.write(f"{name}: {error}\n")
    sys.stdout.write(f"{number} {errors}\n")


def _wait_for_end(ended: threading.Event) -> None:
    sys.stdin.read()
    ended.set()


if __name__ == "__main__":
    main()
