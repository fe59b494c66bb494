"""Times what encryption adds to a search and a bare round trip, on the graph of `latency.py`.

    python benchmarks/encryption.py [--entities 5000] [--queries 100] [--rounds 3]

Two connections to the one private server, encrypted as graphmem's are and in clear, take turns:
each query is asked over both, first over the one and then over the other, so that a slow moment
hits both. The ratio is taken within the run. Connecting, which happens once for a process that
searches, is timed with its first round trip.
"""

import statistics
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from latency import loaded, made, options, queries, whole

from graphmem.graph import Graph
from graphmem.memory import Memory

CONNECTIONS = 20
Work = Callable[[Graph], object]


def main() -> int:
    """Load what is missing, measure, print."""
    arguments = options(__doc__, entities=5_000, queries=100, rounds=3)
    with loaded(arguments.entities) as memory:
        query_texts = queries(arguments.queries)
        works: dict[str, list[Work]] = {
            "search": [partial(_search, made(memory, query)) for query in query_texts],
            "round trip": [_ping] * arguments.queries,
        }
        print("| what | in clear, p50 ms | encrypted, p50 ms | ratio |\n|---|---|---|---|")
        for what, work in works.items():
            _print(what, *measured(memory, work, arguments.rounds))
        _print("connect", *_connecting(memory))
    return 0


def measured(memory: Memory, works: list[Work], rounds: int) -> tuple[list[float], list[float]]:
    """The milliseconds of every work in clear and encrypted; a first round is not counted."""
    milliseconds: tuple[list[float], list[float]] = ([], [])
    with ExitStack() as stack:
        graphs = [stack.enter_context(graph) for graph in both(memory)]
        for turn in range(rounds + 1):
            for number, work in enumerate(works):
                # Whoever comes second finds the pages read: they change places.
                for which in (0, 1) if (turn + number) % 2 else (1, 0):
                    took = _timed(partial(work, graphs[which]))
                    if turn:
                        milliseconds[which].append(took)
    return milliseconds


def both(memory: Memory) -> tuple[Graph, Graph]:
    """A connection in clear and an encrypted one, alike in all else."""
    target = memory.graph._target  # the server this memory found
    assert target.certificate is not None, "only the private server has both; unset NEO4J_URI"
    clear = replace(target, certificate=None)
    return Graph(lambda: clear, timeout=60), Graph(lambda: target, timeout=60)


def _connecting(memory: Memory) -> tuple[list[float], list[float]]:
    milliseconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(CONNECTIONS):
        for figures, graph in zip(milliseconds, both(memory), strict=True):
            with graph:
                figures.append(_timed(partial(_ping, graph)))
    return milliseconds


def _search(parameter: dict[str, object], graph: Graph) -> object:
    return whole(graph, parameter)


def _ping(graph: Graph) -> object:
    return graph.read("read/ping")


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _print(what: str, clear: list[float], encrypted: list[float]) -> None:
    before, after = statistics.median(clear), statistics.median(encrypted)
    print(f"| {what} | {before:.2f} | {after:.2f} | {after / before:.2f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
