"""What the record of changes costs: the same writes with it and without, in turn, in one run.

    python benchmarks/history.py [--entities 2000] [--rounds 5]

Each round writes entities with two observations and two relations each into a project of its own,
then adds an observation to each of them; once as always, and once with nothing noted. Embeddings
are those of the tests' stand-in, so that the database takes nearly all of the time. The ratio of a
round is that of its two halves, whose order changes; the median of all rounds is printed.
"""

import argparse
import statistics
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from fakes import FakeEmbedder
from graphmem.memory import Memory
from graphmem.write.history import recording
from neo4j_servers import fresh_home, small


def main() -> int:
    """Time the writes with the record and without."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    ratios: dict[str, list[float]] = {}
    with fresh_home() as home:
        config = small(home)
        with Memory.open(project="p", config=config, embedder=FakeEmbedder()) as memory:
            written(memory, arguments.entities)  # the server has planned and compiled by then
            for number in range(arguments.rounds):
                halves = (True, False) if number % 2 else (False, True)
                times = {}
                for notes in halves:
                    with recording_is(on=notes):
                        times[notes] = written(memory, arguments.entities)
                for name, seconds in times[True].items():
                    ratios.setdefault(name, []).append(seconds / times[False][name])
                print({name: (times[True][name], times[False][name]) for name in ratios})
    for name, values in ratios.items():
        print(f"{name}: {statistics.median(values):.2f} of the time without (median of {values})")
    return 0


def written(memory: Memory, count: int) -> dict[str, float]:
    """Write a project, then change all of it; the seconds that each took."""
    project = f"example.org/{uuid.uuid4().hex}"
    entities = [
        {
            "name": f"Entity {i}",
            "text": f"All about entity number {i}.",
            "observations": [f"The first note on {i}.", f"The second note on {i}."],
            "tags": ["tag"],
        }
        for i in range(count)
    ]
    relations = [
        {"from": f"Entity {i}", "relation": kind, "to": f"Entity {(i * step + 1) % count}"}
        for i in range(count)
        for kind, step in (("NEXT", 1), ("FAR", 7))
    ]
    notes = [
        {"name": f"Entity {i}", "observations": [f"A third note on {i}."]} for i in range(count)
    ]
    linked = [one | {"note": "changed"} for one in relations]
    steps: dict[str, Callable[[], object]] = {
        "new entities": lambda: memory.remember(entities, project=project),
        "new relations": lambda: memory.remember((), relations, project=project),
        "changed entities": lambda: memory.remember(notes, project=project),
        "changed relations": lambda: memory.remember((), linked, project=project),
    }
    times = {}
    for name, step in steps.items():
        start = time.perf_counter()
        step()
        times[name] = time.perf_counter() - start
    times["all"] = sum(times.values())
    return times


@contextmanager
def recording_is(*, on: bool) -> Iterator[None]:
    """Note changes, or do not."""
    noted = recording.note
    if not on:
        recording.note = lambda *_, **__: None
    try:
        yield
    finally:
        recording.note = noted


if __name__ == "__main__":
    raise SystemExit(main())
