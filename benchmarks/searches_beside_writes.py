"""Counts the searches of 32 threads beside the writes of 4, on the made graph of `latency.py`.

    python benchmarks/searches_beside_writes.py [--entities 50000] [--seconds 20]

Searches alone first, then beside the writers, for the same time, each with eight searches at a time
as a memory has it, and with all of them at once; every search asks another of 200 queries, every
write creates ten linked entities in the same project. An answer that is not the one the query had
before (of the entities that were there before) would be counted as wrong.
"""

import statistics
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from latency import loaded, options, queries

from graphmem.memory import Memory
from graphmem.search import SearchLimiter
from graphmem.search.concurrency import AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Callable

READERS = 32
WRITERS = 4
# Longer than any of them waits.
PATIENCE = 600.0


def main() -> int:
    """Load what is missing, search alone and beside writers, print."""
    arguments = options(__doc__, seconds=20.0)
    with loaded(arguments.entities) as memory:
        query_texts = queries(200)
        expected = {query: first(memory, query) for query in query_texts}
        print("| what | searches/s | p50 ms | p95 ms | wrong | entities written/s |")
        print("|---|---|---|---|---|---|")
        for what, writers in (("32 searchers", 0), ("beside 4 writers", WRITERS)):
            for at_once in (AT_ONCE, READERS):
                memory._searches.limiter = SearchLimiter(seconds=PATIENCE, at_once=at_once)
                print(
                    run(
                        memory, f"{what}, {at_once} at a time", writers, expected, arguments.seconds
                    )
                )
    return 0


def first(memory: Memory, query: str) -> list[str]:
    """The answer's hits that no writer makes."""
    hits = memory.search(query, limit=20, detail="names").hits
    return [hit.name for hit in hits if not hit.name.startswith("written ")][:3]


def run(
    memory: Memory, what: str, writers: int, expected: dict[str, list[str]], seconds: float
) -> str:
    """One row."""
    over = threading.Event()
    milliseconds: list[float] = []
    wrong: list[str] = []
    written = count()

    def search(number: int) -> None:
        query_texts = list(expected)
        for turn in count(number * 7):
            if over.is_set():
                return
            query = query_texts[turn % len(query_texts)]
            began = time.perf_counter()
            hits = first(memory, query)
            milliseconds.append((time.perf_counter() - began) * 1000)
            if hits != expected[query]:
                wrong.append(query)

    def write(number: int) -> None:
        for turn in count():
            if over.is_set():
                return
            names = [f"written {number} {time.time_ns()} {turn} {i}" for i in range(10)]
            report = memory.remember(
                [{"name": name, "observations": [f"qx{turn}"]} for name in names],
                [{"from": names[0], "relation": "NEAR", "to": name} for name in names[1:]],
            )
            assert not report.refused
            for _ in names:
                next(written)

    works: list[Callable[[], None]] = [partial(search, i) for i in range(READERS)]
    works += [partial(write, i) for i in range(writers)]
    with ThreadPoolExecutor(len(works)) as pool:
        running = [pool.submit(work) for work in works]
        time.sleep(seconds)
        over.set()
        for one in running:
            one.result()
    ordered = sorted(milliseconds)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    return (
        f"| {what} | {len(ordered) / seconds:.0f} | {statistics.median(ordered):.0f} | {p95:.0f} "
        f"| {len(wrong)} | {next(written) / seconds:.0f} |"
    )


if __name__ == "__main__":
    sys.exit(main())
