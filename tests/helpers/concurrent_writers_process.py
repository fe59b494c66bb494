"""Changes the entities of a project from eight threads, until it is killed.

Arguments: the project, the seed, the file of what was acknowledged and seen, in JSON lines.
"""

import json
import sys
from pathlib import Path

from concurrent_writers import Load
from fakes import FakeEmbedder
from graphmem.memory import Memory

WRITERS = 8


class Noting(Load):
    """Writes down what it knows while it goes on."""

    path: Path

    def heard(self, said: str) -> None:
        self._write({"said": said})

    def looked(self, key: str, revision: int, state: dict[str, object]) -> None:
        self._write({"key": key, "revision": revision, "state": state})

    def _write(self, line: dict[str, object]) -> None:
        with self.lock, self.path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line)}\n")


def main() -> None:
    project, seed, path = sys.argv[1:]
    with Memory.open(project=project, embedder=FakeEmbedder()) as memory:
        load = Noting(memory, seed=int(seed), turns=f"{seed}.")
        load.path = Path(path)
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        load.run(WRITERS, lambda _: True)


if __name__ == "__main__":
    main()
