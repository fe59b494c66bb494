"""Times the statements of a search: on a fresh server, their planning, and warm.

    python benchmarks/statements.py [--entities 5000] [--queries 40] [--rounds 3] [--starts 3]
        [--idle 0] [--beside CHECKOUT]

Plain, filtered and strict searches of the made graph of `latency.py`. With `--beside` those of
another checkout are timed in turn with them, on the same store, so that a slow moment hits both;
that is how a change of the statements is measured. A fresh server is a new JVM for each first
search, after `--idle` seconds in which it is asked nothing; planning is an EXPLAIN after the server
has forgotten all plans. (With another comment a text is new to it, and is parsed; the plan is found
by its syntax tree all the same.)
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

# What was measured, of which kind: milliseconds of each checkout.
Measurements: TypeAlias = dict[tuple[str, str], dict[str, list[float]]]
KINDS = ("plain", "filtered", "strict")
HERE = Path(__file__).resolve().parents[1]


class Checkout:
    """A process that runs one checkout's searches when told to.

    Args:
        folder: The checkout.
        entities: The size of the made graph.
    """

    def __init__(self, folder: Path, entities: int) -> None:
        paths = os.pathsep.join(map(str, (folder, folder / "benchmarks")))
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            # Without its own folder first, so that `latency` is that of the checkout.
            [
                sys.executable,
                "-P",
                str(HERE / "benchmarks" / "statements_worker.py"),
                str(entities),
            ],
            env=os.environ | {"PYTHONPATH": paths},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ask("ready")

    def ask(self, what: str, kind: str = "plain", number: int = 0) -> float:
        """Have it do one thing; gives the milliseconds that took."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([what, kind, number]), file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End it."""
        self._process.communicate()


def main() -> int:
    """Measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for name, default in (("entities", 5_000), ("queries", 40), ("rounds", 3), ("starts", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--idle", type=float, default=0.0, help="seconds before a first search")
    parser.add_argument("--beside", type=Path, default=None, help="another checkout")
    arguments = parser.parse_args()
    folders = {"this": HERE}
    if arguments.beside is not None:
        folders["beside"] = arguments.beside.resolve()
    measurements: Measurements = defaultdict(lambda: defaultdict(list))
    for _ in range(arguments.starts):
        first(folders, arguments.entities, measurements, idle=arguments.idle)
    with opened(folders, arguments.entities) as processes:
        for turn in range(arguments.rounds + 1):
            warm(processes, arguments.queries, measurements if turn else None)
            planning(processes, measurements)
            warm(processes, 1, None)  # each search plans once more for its parameters
    table(measurements, tuple(folders))
    return 0


def first(
    folders: dict[str, Path], entities: int, measurements: Measurements, *, idle: float
) -> None:
    """The first search of each kind on a server that was just started."""
    for kind in KINDS:
        for name, folder in folders.items():
            with opened({name: folder}, entities) as processes:
                processes[name].ask("stop")
            with opened({name: folder}, entities) as processes:
                time.sleep(idle)
                milliseconds = processes[name].ask("search", kind)
                measurements["first on a fresh server", kind][name].append(milliseconds)


def warm(processes: dict[str, Checkout], queries: int, measurements: Measurements | None) -> None:
    """Each query as each kind by each checkout, which take turns at being first."""
    for number in range(queries):
        for kind in KINDS:
            for name, process in list(processes.items())[:: -1 if number % 2 else 1]:
                milliseconds = process.ask("search", kind, number)
                if measurements is not None:
                    measurements["warm", kind][name].append(milliseconds)


def planning(processes: dict[str, Checkout], measurements: Measurements) -> None:
    """Plan each kind's statement."""
    for kind in KINDS:
        for name, process in processes.items():
            measurements["planning", kind][name].append(process.ask("plan", kind))


@contextmanager
def opened(folders: dict[str, Path], entities: int) -> Iterator[dict[str, Checkout]]:
    """Processes of checkouts, ended at the end."""
    processes = {name: Checkout(folder, entities) for name, folder in folders.items()}
    try:
        yield processes
    finally:
        for process in processes.values():
            process.close()


def table(measurements: Measurements, names: tuple[str, ...]) -> None:
    """Print the medians, the 95th of a hundred of what is warm, and the ratio to the other's."""
    print(f"| what | {' | '.join(f'{name}: p50, p95 ms' for name in names)} | ratio of p50 |")
    print("|---|" + "---|" * (len(names) + 1))
    for (what, kind), of in measurements.items():
        middles = [statistics.median(of[name]) for name in names]
        cells = [
            f"{middle:.0f}, {sorted(of[name])[int(0.95 * (len(of[name]) - 1))]:.0f}"
            for name, middle in zip(names, middles, strict=True)
        ]
        print(f"| {what}, {kind} | {' | '.join(cells)} | {middles[0] / middles[-1]:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
