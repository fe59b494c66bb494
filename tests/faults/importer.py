"""Imports a path as a process of its own and notes every text it embeds, so that it can be killed.

Arguments: the format, the path, the project, the file that texts are counted in, and how the model
is: `real`, or the seconds that a fake one takes for each text.
"""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fakes import FakeEmbedder
from graphmem.embedding import DEFAULT_MODEL, Embedder, Vector, local_embedder
from graphmem.memory import Memory
from graphmem.settings import Settings


class ForgetfulEmbedder(FakeEmbedder):
    """Keeps no text, so that the memory of the process is that of the import."""

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        made = super().documents(texts, advance=advance)
        self.embedded.clear()
        self.batches.clear()
        return made


class Counting:
    """Notes each text before it is embedded."""

    def __init__(self, inner: Embedder, file: Path, seconds: float) -> None:
        self._inner = inner
        self._file = file
        self._seconds = seconds

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        made: list[Vector] = []
        for start in range(0, len(texts), 8):
            some = texts[start : start + 8]
            with self._file.open("a") as counted:
                counted.write(f"{len(some)}\n")
            time.sleep(self._seconds * len(some))
            made += self._inner.documents(some, advance=advance)
        return made


def peak_kilobytes() -> int:
    """The most memory that this process had; what `getrusage` says has its parent's in it."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def main() -> None:
    form, path, project, file, model = sys.argv[1:]
    inner: Embedder = ForgetfulEmbedder()
    seconds = 0.0
    if model == "real":
        real = local_embedder(DEFAULT_MODEL, exports=Settings().cache / "models", hub=False)
        assert real.wait(), real.reason
        inner = real
    else:
        seconds = float(model)
    embedder = Counting(inner, Path(file), seconds)
    with Memory.open(project=project, embedder=embedder) as memory:  # type: ignore[arg-type]
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        report = memory.import_(form, path)
    assert not report.refused, report.refused[:3]
    sys.stdout.write(f"{peak_kilobytes() // 1000}\n")


if __name__ == "__main__":
    main()
