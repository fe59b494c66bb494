"""Compares the quantization types of the vector index, on the made graph of `latency.py`.

    python benchmarks/quantization.py [--entities 50000] [--queries 40]

For each type and expansion factor a second index is built over the same passages, asked the same
queries in turn with the store's own index, and dropped. Recall is of the 100 nearest passages that
comparing with every passage finds.
"""

import statistics
import sys
import time

import neo4j
from latency import FOLDER, driver_of, loaded, made, options
from latency import queries as made_queries

OWN = "graphmem_passage_embedding"
OTHER = "graphmem_benchmark_embedding"
STATE = "SHOW VECTOR INDEXES YIELD name, state"
CASES = (("none", 2.0), ("scalar", 2.0), ("binary", 3.0))
ROUNDS = 3


def main() -> int:
    """Load what is missing, build each index, ask, print."""
    arguments = options(__doc__, queries=40)
    with loaded(arguments.entities) as memory:
        parameters = [made(memory, query) for query in made_queries(arguments.queries)]
        driver, database = driver_of(memory.graph)
        with (
            driver,
            driver.session(database=database) as session,
        ):
            brute = (FOLDER / "brute.cypher").read_text()
            nearest = [{row["id"] for row in session.run(brute, one)} for one in parameters]
            print("| type | factor | build s | p50 ms | the store's own, ms | recall at 100 |")
            print("|---|---|---|---|---|---|")
            for kind, factor in CASES:
                print(row_of(session, kind, factor, parameters, nearest), flush=True)
    return 0


def row_of(
    session: neo4j.Session,
    kind: str,
    factor: float,
    parameters: list[dict[str, object]],
    nearest: list[set[str]],
) -> str:
    """Build one index, ask it, drop it."""
    session.run(f"DROP INDEX {OTHER} IF EXISTS").consume()
    began = time.perf_counter()
    create = (FOLDER / "quantized.cypher").read_text()
    session.run(create, {"type": kind, "factor": factor}).consume()
    while (
        session.run(f"{STATE} WHERE name = '{OTHER}' AND state = 'POPULATING'").peek() is not None
    ):
        time.sleep(0.5)
    built = time.perf_counter() - began
    leg = (FOLDER / "vector.cypher").read_text()
    milliseconds: dict[str, list[float]] = {OWN: [], OTHER: []}
    found_ids: list[set[str]] = []
    for turn in range(ROUNDS + 1):
        for one in parameters:
            for name, times in milliseconds.items():
                began = time.perf_counter()
                rows = list(session.run(leg.replace(OWN, name), one))
                if turn:
                    times.append((time.perf_counter() - began) * 1000)
                elif name == OTHER:
                    found_ids.append({row["id"] for row in rows})
    session.run(f"DROP INDEX {OTHER}").consume()
    recall = statistics.mean(
        len(ids & wanted) / len(wanted) for ids, wanted in zip(found_ids, nearest, strict=True)
    )
    own, other = (statistics.median(milliseconds[name]) for name in (OWN, OTHER))
    return f"| {kind} | {factor:g} | {built:.0f} | {other:.1f} | {own:.1f} | {recall:.3f} |"


if __name__ == "__main__":
    sys.exit(main())
