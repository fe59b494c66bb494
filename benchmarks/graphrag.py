"""Times a search beside neo4j-graphrag's HybridCypherRetriever, on the same store.

    pip install neo4j-graphrag
    python benchmarks/graphrag.py [--entities 50000] [--queries 100] [--rounds 3]

The store is that of `latency.py`, loaded where it is missing. Both are given the query's embedding;
the retriever asks the same vector index and the English text index, goes from passages to entities
and follows their relations one hop (`legs/graphrag.cypher`). It knows no project, no filter and no
names, and does not rank what it reaches; its `top_k` is given as 10, its users' default, as 10 of
which the vector index is asked for ten times as many (`effective_search_ratio`), so that it is as
thorough as graphmem's, and as 100, graphmem's candidates a leg. Each query is timed with each of
them in turn.
"""

import importlib
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from latency import FOLDER, driver_of, loaded, made, options, whole
from latency import queries as made_queries

from graphmem.memory import Memory

# `top_k`, and how many times as many the vector index is asked for.
DEPTHS = ((10, 1), (10, 10), (100, 1))
Retrieve = Callable[[str, list[float], tuple[int, int]], object]


def main() -> int:
    """Load what is missing, time both, print."""
    arguments = options(__doc__, queries=100, rounds=3)
    with loaded(arguments.entities) as memory:
        retrieve = retriever(memory)
        measure(memory, retrieve, arguments.queries, arguments.rounds)
    return 0


def retriever(memory: Memory) -> Retrieve:
    """The other one's search, as its documentation shows it."""
    warnings.simplefilter("ignore")
    # No requirement of graphmem's, so no import at the top.
    retrievers = importlib.import_module("neo4j_graphrag.retrievers")
    driver, database = driver_of(memory.graph)
    retriever = retrievers.HybridCypherRetriever(
        driver,
        vector_index_name="graphmem_passage_embedding",
        fulltext_index_name="graphmem_passage_english",
        retrieval_query=(FOLDER / "graphrag.cypher").read_text(encoding="utf-8"),
        neo4j_database=database,
    )

    def retrieve(query: str, vector: list[float], depth: tuple[int, int]) -> object:
        most, ratio = depth
        return retriever.search(
            query_text=query, query_vector=vector, top_k=most, effective_search_ratio=ratio
        )

    return retrieve


def measure(memory: Memory, retrieve: Retrieve, queries: int, rounds: int) -> None:
    """Time every query with each of them, in turn."""
    query_texts = made_queries(queries)
    prepared: list[tuple[str, dict[str, Any]]] = [
        (query, made(memory, query)) for query in query_texts
    ]
    milliseconds: dict[str, list[float]] = {}
    for turn in range(rounds + 1):
        for query, parameter in prepared:
            works: dict[str, Callable[[], object]] = {
                "graphmem": partial(whole, memory.graph, parameter)
            }
            for depth in DEPTHS:
                name = f"neo4j-graphrag, top_k {depth[0]}, ratio {depth[1]}"
                works[name] = partial(retrieve, query, parameter["vector"], depth)
            for name, work in works.items():
                began = time.perf_counter()
                work()
                if turn:
                    milliseconds.setdefault(name, []).append((time.perf_counter() - began) * 1000)
    print("\n| what | p50 ms | p95 ms |\n|---|---|---|")
    for name, figures in milliseconds.items():
        ordered = sorted(figures)
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        print(f"| {name} | {statistics.median(ordered):.1f} | {p95:.1f} |")


if __name__ == "__main__":
    sys.exit(main())
