"""Embeds the store of `GRAPHMEM_HOME` with another model and stops on the way, to be killed there.

Arguments: the file that texts are counted in, and the step of `STEPS` behind which it stops for
ever, or `none`.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fakes import FakeEmbedder
from graphmem import schema
from graphmem.embedding import ModelIdentity, Vector
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store import reembedding as working
from graphmem.write.embeddings import leftover, reembedding
from python_programs import wait_to_be_killed

NEW = ModelIdentity("another-model", "1", 48)
# By step, whose function it is, its name, and how many calls are over.
STEPS: dict[str, tuple[object, str, int]] = {
    "the second page is taken on": (reembedding, "_passages", 2),
    "the second page is written": (reembedding, "_write", 2),
    "the index is made": (schema, "index_next", 1),
    "the next set is searched": (working, "search_next", 1),
    "the earlier index is dropped": (Graph, "alter", 2),
    "a page of earlier embeddings is removed": (leftover, "_remove_page", 2),
}


@dataclass
class Counting(FakeEmbedder):
    """Notes each text before it is embedded."""

    file: Path = field(default_factory=Path)

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        with self.file.open("a") as counted:
            counted.writelines(f"{text!r}\n" for text in texts)
        return super().documents(texts, advance=advance)


def stops_behind(place: Any, name: str, times: int) -> None:  # noqa: ANN401 - a module or class
    """Have a function stop for ever when it is through for so many times."""
    inner = getattr(place, name)
    left = times

    def stopping(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - as the function's
        nonlocal left
        value = inner(*arguments, **named)
        left -= 1
        if left == 0:
            wait_to_be_killed()
        return value

    setattr(place, name, stopping)


def main() -> None:
    file, step = Path(sys.argv[1]), sys.argv[2]
    file.touch()
    reembedding.PASSAGES = 8
    leftover.PASSAGES = 10
    if step in STEPS:
        stops_behind(*STEPS[step])
    embedder = Counting(NEW, file=file)
    with Memory.open(project="example.org/team/harbour", embedder=embedder) as memory:
        assert memory.reembed().model == NEW


if __name__ == "__main__":
    main()
